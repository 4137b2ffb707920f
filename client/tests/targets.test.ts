/** What glows where. */
import { describe, expect, it } from "vitest";
import { nounsOf, type Verbs } from "../src/model/kinds";
import { actionsAt, contested, matchTargets, stacksOf, waysOf, whereIs } from "../src/model/targets";
import { completions, parseCommand } from "../src/model/command";
import { fan, layOut } from "../src/model/stacking";
import type { Action, Piece } from "../src/wire";
import { board, recorded } from "./fixture";

const verbs: Verbs = { move: "unit", to: "hex", done: "none", pledge: "number", call: "word", bridge: "side", attack: { first: "hex", second: "hex", mark: "/" }, land: { first: "unit", second: "hex", mark: ">" } };
const legal: Action[] = [["move", "red-foot-1"], ["to", "0103"], ["to", "pont"], ["done", ""], ["pledge", "2"], ["call", "0204"], ["bridge", "0104|0105"]];
const choices = matchTargets(legal, verbs, board, ["red-foot-1"]);

describe("targets", () => {
  it("glow on the piece, hex, place or side that they name", () => {
    expect(choices.pieces.get("red-foot-1")).toEqual([["move", "red-foot-1"]]);
    expect(choices.hexes.get("0103")).toEqual([["to", "0103"]]);
    expect(choices.hexes.get("0405")).toEqual([["to", "pont"]]);
    expect(choices.sides.get("0104|0105")).toEqual([["bridge", "0104|0105"]]);
  });
  it("become buttons when they name nothing on the board, however much a word may look like a hex", () => {
    expect(choices.buttons).toEqual([["done", ""], ["pledge", "2"], ["call", "0204"]]);
    expect(matchTargets([["pledge", "0103"]], verbs, board, []).hexes.size).toBe(0);
  });
  it("are never guessed where the kind is declared", () => {
    const odd: Verbs = { raise: "power", to: "hex" };
    expect(matchTargets([["raise", "0103"], ["to", "red-foot-1"]], odd, board, ["red-foot-1"]).buttons).toHaveLength(2);
    expect(matchTargets([["undeclared", "0103"]], {}, board, []).buttons).toHaveLength(1);
  });
  it("of a pair glow on the first noun: the enemy, not the hex one comes from", () => {
    const found = matchTargets([["attack", "0103/0104"], ["attack", "0103/0203"], ["land", "red-foot-1>0104"]], verbs, board, ["red-foot-1"]);
    expect([...found.hexes]).toEqual([["0103", [["attack", "0103/0104"], ["attack", "0103/0203"]]]]);
    expect([...found.pieces.keys()]).toEqual(["red-foot-1"]);
    expect(found.buttons).toEqual([]);
  });
  it("ask for the second noun of a pair only if there are several", () => {
    const two: Action[] = [["attack", "0103/0104"], ["attack", "0103/0203"]];
    const none = new Set<string>();
    expect(waysOf(two, verbs, board, none).map((way) => way.spot.key)).toEqual(["0104", "0203"]);
    expect(waysOf(two.slice(1), verbs, board, none)).toEqual([]);
    expect(waysOf([...two, ["to", "0103"]], verbs, board, none)).toEqual([]);
    expect(nounsOf(["land", "a>b>c"], verbs).map((noun) => noun?.word)).toEqual(["a", "b>c"]);
  });
  it("are all where their kind says, for every decision of a recorded game", () => {
    let view = recorded.states[0].view;
    for (const update of recorded.updates) {
      view = { ...view, ...update.set } as typeof view;
      const ids = (view.pieces ?? []).map((p) => p.id);
      const found = matchTargets(update.legal, view.verbs!, board, ids);
      for (const [verb, word] of update.legal) {
        const kind = view.verbs![verb];
        const map = kind === "hex" ? found.hexes : kind === "unit" ? found.pieces : null;
        if (map) expect(map.has(word), `${verb} ${word}`).toBe(true);
        else expect(found.buttons).toContainEqual([verb, word]);
      }
    }
  });
});

describe("stacks", () => {
  const pieces: Piece[] = [{ id: "a", side: "red", at: "0101" }, { id: "b", side: "blue", at: "0101" }, { id: "c", side: "red", at: "0102" }, { id: "d", side: "red", at: null }];
  const stacks = stacksOf(pieces, board);
  it("gather the pieces of a hex", () => {
    expect(stacks.get("0101")?.map((p) => p.id)).toEqual(["a", "b"]);
    expect(whereIs(pieces[3]!)).toBeNull();
  });
  it("lie in the box that holds a place which the map does not draw", () => {
    const fort: Piece = { id: "f", side: "red", at: "fort" };
    expect(stacksOf([fort], board, { fort: "0102" }).get("0102")).toEqual([fort]);
    expect(stacksOf([fort], board).get("fort")).toEqual([fort]);
  });
  it("are battles where two sides stand", () => {
    expect(contested(stacks)).toEqual(["0101"]);
  });
  it("lend a hex the actions of its pieces", () => {
    expect(actionsAt("0101", matchTargets([["move", "a"], ["to", "0101"]], verbs, board, ["a"]), stacks)).toEqual([["to", "0101"], ["move", "a"]]);
  });
  it("show one pile a side, with its count on top", () => {
    const laid = layOut([...stacks.get("0101")!, { id: "e", side: "red", at: "0101" }], (p) => String(p.side), () => 0);
    expect(laid.filter((l) => l.count).map((l) => l.count)).toEqual([2, 1]);
  });
  it("spread into rows", () => {
    expect(fan(3)).toHaveLength(3);
    expect(new Set(fan(7, 4).map((p) => p.y)).size).toBe(2);
  });
});

describe("the command box", () => {
  it("takes a verb and a target", () => {
    expect(parseCommand("to 0103", legal)).toEqual({ kind: "act", action: ["to", "0103"] });
    expect(parseCommand("done", legal)).toEqual({ kind: "act", action: ["done", ""] });
  });
  it("takes the beginning of the only action that fits", () => {
    expect(parseCommand("move", legal)).toEqual({ kind: "act", action: ["move", "red-foot-1"] });
  });
  it("asks when several fit", () => {
    expect(parseCommand("to", legal).kind).toBe("ambiguous");
  });
  it("sends what is not in the list, so that the rules can say why not", () => {
    expect(parseCommand("to 0909", legal)).toEqual({ kind: "act", action: ["to", "0909"] });
  });
  it("knows why, odds, go, rule and the words of the table", () => {
    expect(parseCommand("why to 0909", legal)).toEqual({ kind: "why", action: ["to", "0909"] });
    expect(parseCommand("odds fight 0405", legal)).toEqual({ kind: "odds", action: ["fight", "0405"] });
    expect(parseCommand("go 0405", legal)).toEqual({ kind: "go", hex: "0405" });
    expect(parseCommand("rule 5.2", legal)).toEqual({ kind: "rule", id: "5.2" });
    expect(parseCommand("undo", legal)).toEqual({ kind: "table", word: "undo" });
  });
  it("completes", () => {
    expect(completions("to 01", legal)).toEqual(["to 0103"]);
    expect(completions("why mo", legal)).toEqual(["why move red-foot-1"]);
  });
});
