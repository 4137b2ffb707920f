/** What glows where. */
import { describe, expect, it } from "vitest";
import { actionsAt, contested, matchTargets, spotOf, stacksOf, whereIs } from "../src/model/targets";
import { completions, parseCommand } from "../src/model/command";
import { fan, layOut } from "../src/model/stacking";
import type { Action, Piece } from "../src/wire";
import { board, recorded } from "./fixture";

const legal: Action[] = [["move", "red-foot-1"], ["to", "0103"], ["to", "pont"], ["done", ""], ["pledge", "2"], ["attack", "red-foot-1 0204"], ["bridge", "0104|0105"]];
const choices = matchTargets(legal, board, ["red-foot-1"]);

describe("targets", () => {
  it("glow on the piece, hex, place or side that they name", () => {
    expect(choices.pieces.get("red-foot-1")).toEqual([["move", "red-foot-1"]]);
    expect(choices.hexes.get("0103")).toEqual([["to", "0103"]]);
    expect(choices.hexes.get("0405")).toEqual([["to", "pont"]]);
    expect(choices.sides.get("0104|0105")).toEqual([["bridge", "0104|0105"]]);
  });
  it("become buttons when they name nothing on the board", () => {
    expect(choices.buttons).toEqual([["done", ""], ["pledge", "2"]]);
  });
  it("of several words glow on the last one that is on the board", () => {
    expect(spotOf("red-foot-1 0204", board, new Set(["red-foot-1"]))).toEqual({ kind: "hex", key: "0204" });
  });
  it("are all somewhere, for every decision of a recorded game", () => {
    for (const update of recorded.updates) {
      const ids = (recorded.states[0].view.pieces ?? []).map((p) => p.id);
      const found = matchTargets(update.legal, board, ids);
      const count = [found.hexes, found.pieces, found.areas, found.sides].reduce((n, m) => n + [...m.values()].flat().length, 0);
      expect(count + found.buttons.length).toBe(update.legal.length);
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
    expect(actionsAt("0101", matchTargets([["move", "a"], ["to", "0101"]], board, ["a"]), stacks)).toEqual([["to", "0101"], ["move", "a"]]);
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
