/** The command box understands the reader's language and English. */
import { describe, expect, it } from "vitest";
import { completions, parseCommand, plain, type Speech } from "../src/model/command";
import type { Action } from "../src/wire";

const legal: readonly Action[] = [["assault", "0304"], ["evacuate", "0101"], ["far_escort", "de-lf1"], ["done", ""]];
const words: Record<string, string> = { assault: "assaut", evacuate: "évacuer", far_escort: "escorter-loin", done: "terminer" };
const french: Speech = { order: (verb) => words[verb] ?? verb, commands: { why: "pourquoi", odds: "chances", help: "aide", undo: "annuler", rule: "règle", go: "voir" } };

describe("the command box in French", () => {
  it("takes French verbs, with or without accents, and English ones", () => {
    for (const line of ["assaut 0304", "ASSAUT 0304", "assault 0304"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "act", action: ["assault", "0304"] });
    for (const line of ["évacuer 0101", "evacuer 0101", "evacuate 0101"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "act", action: ["evacuate", "0101"] });
    expect(parseCommand("escorter-loin de-lf1", legal, french)).toEqual({ kind: "act", action: ["far_escort", "de-lf1"] });
    expect(parseCommand("terminer", legal, french)).toEqual({ kind: "act", action: ["done", ""] });
  });

  it("takes French commands and English ones", () => {
    for (const line of ["aide", "help"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "table", word: "help" });
    for (const line of ["annuler", "undo"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "table", word: "undo" });
    for (const line of ["pourquoi assaut 0506", "why assault 0506"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "why", action: ["assault", "0506"] });
    for (const line of ["règle 3.1", "regle 3.1", "rules 3.1"]) expect(parseCommand(line, legal, french)).toEqual({ kind: "rule", id: "3.1" });
    expect(parseCommand("voir 0304", legal, french)).toEqual({ kind: "go", hex: "0304" });
  });

  it("completes in French", () => {
    expect(completions("ass", legal, 12, french)).toEqual(["assaut 0304"]);
    expect(completions("eva", legal, 12, french)).toEqual(["évacuer 0101"]);
    expect(completions("pourquoi ass", legal, 12, french)).toEqual(["pourquoi assaut 0304"]);
    expect(plain("Évacuer")).toBe("evacuer");
  });

  it("takes the names that the page shows, whole words before beginnings, and asks where several fit", () => {
    const corps: readonly Action[] = [["marker", "us-hq-vii"], ["marker", "us-hq-viii"], ["assault", "2837"], ["assault", "2737"]];
    const said: Record<string, string> = { "us-hq-vii": "EM VII Corps", "us-hq-viii": "EM VIII Corps", "2837": "2837 Dunkerque", "2737": "2737 Calais" };
    const named: Speech = { order: (verb) => (verb === "marker" ? "marqueur" : "assaut"), commands: french.commands, says: ([verb, target]) => `${verb} : ${said[target]}` };
    expect(parseCommand("marqueur vii", corps, named)).toEqual({ kind: "act", action: ["marker", "us-hq-vii"] });
    expect(parseCommand("assaut dunk", corps, named)).toEqual({ kind: "act", action: ["assault", "2837"] });
    expect(parseCommand("calais", corps, named)).toEqual({ kind: "act", action: ["assault", "2737"] });
    expect(parseCommand("chances assaut calais", corps, named)).toEqual({ kind: "odds", action: ["assault", "2737"] });
    expect(parseCommand("marqueur corps", corps, named)).toMatchObject({ kind: "ambiguous" });
    expect(parseCommand("assaut paris", corps, named)).toEqual({ kind: "act", action: ["assault", "paris"] });
    expect(completions("assaut dun", corps, 12, named)).toEqual(["assaut 2837"]);
  });

  it("never takes a place by its numbers the other way round", () => {
    const ways: readonly Action[] = [["to", "068-016"], ["to", "068-021"], ["stay", ""]];
    const named: Speech = { order: (verb) => verb, commands: {}, says: ([, target]) => `Go to ${target}` };
    expect(parseCommand("to 068-016", ways, named)).toEqual({ kind: "act", action: ["to", "068-016"] });
    for (const place of ["016-068", "068-068", "016-016"]) expect(parseCommand(`to ${place}`, ways, named)).toEqual({ kind: "act", action: ["to", place] });
    expect(parseCommand("to 068", ways, named)).toMatchObject({ kind: "ambiguous" });
  });

  it("speaks English as before", () => {
    expect(parseCommand("assault 0304", legal)).toEqual({ kind: "act", action: ["assault", "0304"] });
    expect(parseCommand("far-escort de-lf1", legal)).toEqual({ kind: "act", action: ["far_escort", "de-lf1"] });
    expect(completions("why ass", legal)).toEqual(["why assault 0304"]);
  });
});
