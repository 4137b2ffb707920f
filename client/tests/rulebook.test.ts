import { describe, expect, it } from "vitest";
import { chaptersOf, findRule, plain, withLinks } from "../src/model/rulebook";

const rule = (id: string, chapter: string, text = "") => ({ id, chapter, title: `Rule ${id}`, text });
const rules = [rule("5.3", "Battle"), rule("6.1", "Supply"), rule("5.4", "Battle")];
const known = new Map(rules.map((one) => [one.id, one]));

describe("the rulebook", () => {
  it("finds the rule of a row", () => {
    expect(findRule(known, "5.3a")?.id).toBe("5.3");
    expect(findRule(known, "9.9")).toBeUndefined();
    expect(findRule(new Map([["base-fire", rule("base-fire", "Base")]]), "base-fire-a")?.id).toBe("base-fire");
  });
  it("has chapters in the order of their first rule", () => {
    expect(chaptersOf(rules).map((chapter) => [chapter.title, chapter.rules.map((one) => one.id)])).toEqual([["Battle", ["5.3", "5.4"]], ["Supply", ["6.1"]]]);
  });
  it("links to other rules, never to itself or to what is none", () => {
    expect(withLinks("Cut off (6.1), see 5.3 and 7.7; 2.5 cm.", known, "5.3").map((part) => (typeof part === "string" ? part : `<${part.id}>`))).toEqual(["Cut off (", "<6.1>", "), see 5.3 and 7.7; 2.5 cm."]);
  });
  it("searches without accents", () => {
    expect(plain("Dépôt d’Évreux")).toBe("depot d'evreux");
  });
});
