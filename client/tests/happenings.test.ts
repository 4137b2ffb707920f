/** Arrows, dice, battles and what is new; odds as bars; both languages complete. */
import { describe, expect, it } from "vitest";
import { aimOf, arrowsOf, battleLines, battleOf, handOf, heldPieces, isFighting, mentions, rollsOf, unseen, unseenHand } from "../src/model/happenings";
import { chance, percent, readOdds } from "../src/model/chances";
import { findRule } from "../src/model/rulebook";
import { sentence, Words } from "../src/model/words";
import { en } from "../src/text/en";
import { fr } from "../src/text/fr";
import type { GameEvent, Line } from "../src/wire";
import { board, recorded } from "./fixture";

const event = (kind: string, facts: object = {}): GameEvent => ({ kind, rule: "4.1", ...facts });
const line = (n: number, side: string, ...events: GameEvent[]): Line => ({ n, side, events });

describe("arrows", () => {
  it("follow the path of a move", () => {
    const arrows = arrowsOf([line(1, "red", event("moved", { path: ["0101", "0102", "0103"] }))], board);
    expect(arrows[0]?.hexes).toEqual(["0101", "0102", "0103"]);
  });
  it("join start and end where there is no path", () => {
    expect(arrowsOf([line(1, "red", event("moved", { start: "0101", hex: "0103" }))], board)[0]?.hexes).toEqual(["0101", "0103"]);
  });
  it("are found in a recorded game", () => {
    expect(arrowsOf(recorded.states[1].log, board).length).toBeGreaterThan(0);
  });
});

describe("events", () => {
  it("point at hexes and at where pieces stand", () => {
    expect(mentions(event("x", { unit: "a", hex: "0405" }), board, new Map([["a", "0101"]])).sort()).toEqual(["0101", "0405"]);
  });
  it("with dice become rolls with their outcome", () => {
    const rolls = rollsOf([line(3, "red", event("roll", { dice: [6, 2], faces: 6, side: 1 }), event("fire", { hits: 1 }))], ["red", "blue"]);
    expect(rolls).toEqual([{ dice: [6, 2], faces: 6, side: "blue", rule: "4.1", n: 3, outcome: event("fire", { hits: 1 }) }]);
  });
  it("made by others since the last look are told", () => {
    const log = [line(1, "red", event("a")), line(2, "blue", event("b")), line(3, "blue")];
    expect(unseen(log, 1, ["red"]).map((l) => l.n)).toEqual([2]);
    expect(unseen([line(2, "red", event("a"))], 1, ["red"])).toEqual([]);
  });
});

describe("frames", () => {
  it("of a battle tell where it is fought", () => {
    const view = { frames: [{ sequence: "match", at: "2.2" }, { sequence: "battle", at: "5.3", hex: "0405", attacker: 0 }] };
    expect(battleOf(view, board)?.hex).toBe("0405");
    expect(battleOf({ frames: [view.frames[0]!] }, board)).toBeNull();
  });
  it("of a fight that is being prepared tell what it is aimed at, and are no battle yet", () => {
    const view = { frames: [{ sequence: "assault_plan", at: "1", target: "0405", units: ["a"] }] };
    expect([aimOf(view, board), battleOf(view, board)]).toEqual(["0405", null]);
    expect(aimOf({ frames: [{ sequence: "barrage", at: "1", places: ["0405"] }] }, board)).toBe("0405");
    expect(aimOf({ frames: [{ sequence: "battle", at: "1", hex: "0405" }] }, board)).toBeNull();
  });
  it("of a raid tell that more losses may come, though no battle is drawn", () => {
    const view = { frames: [{ sequence: "player_turn", at: "7.3" }, { sequence: "raid", at: "32.0f", hex: "0405" }] };
    expect([isFighting(view), battleOf(view, board)]).toEqual([true, null]);
    expect(isFighting({ frames: [{ sequence: "raid_plan", at: "32.0" }] })).toBe(false);
    expect(isFighting({ frames: [{ sequence: "player_turn", at: "7.3" }] })).toBe(false);
  });
  it("of a mission without a place have the dice of its own ships only", () => {
    const mission = battleOf({ frames: [{ sequence: "mission", at: "1", unit: "convoy" }] }, board)!;
    const before = line(1, "red", event("ground-combat", { hex: "0405", units: ["army"] }), event("roll", { dice: [6] }));
    expect(battleLines([before], mission)).toEqual([]);
    expect(battleLines([before, line(2, "red", event("air-combat", { attacker: ["convoy"] }))], mission).map((l) => l.n)).toEqual([2]);
  });
  it("hold the piece in hand", () => {
    expect([...heldPieces({ pieces: [{ id: "a" }], frames: [{ sequence: "side", at: "4.1", unit: "a" }] })]).toEqual(["a"]);
  });
});

describe("odds", () => {
  it("read fractions", () => {
    expect(chance("5/36")).toBeCloseTo(5 / 36);
    expect(chance("7/6")).toBeNull();
  });
  it("never say 0 or 100 unless certain", () => {
    expect(percent(1e-9)).toBe("< 0.1 %");
    expect(percent(0.99999)).toBe("> 99.9 %");
    expect(percent(1)).toBe("100 %");
  });
  it("of several kinds become bars though they do not add up", () => {
    const shown = readOdds({ chances: { retreat: { chance: "1/6", percent: "16.7 %" }, eliminated: { chance: "0", percent: "0 %" } } }, (k) => k);
    expect(shown[0]).toMatchObject({ kind: "bars", bars: [{ label: "retreat", share: 1 / 6 }, { label: "eliminated", share: 0 }] });
  });
  it("keep ratios and averages apart from chances", () => {
    expect(readOdds({ ratio: "1/2", mean_steps: { attacker: "1/3" } }, (k) => k)).toEqual([
      { kind: "fact", title: "ratio", value: "1 : 2" },
      { kind: "fact", title: "mean_steps", value: "attacker 0.33" },
    ]);
  });
  it("tell modifiers with their rules", () => {
    const shown = readOdds({ right: [["5.3b", 2, "hq"]], items: [{ rule: "drm-poor", drm: -2 }] }, (k) => k);
    expect(shown).toEqual([
      { kind: "tally", title: "right", lines: [{ rule: "5.3b", amount: 2, label: "hq" }] },
      { kind: "tally", title: "items", lines: [{ rule: "drm-poor", amount: -2, label: "" }] },
    ]);
  });
  it("take the title of a rule as the name of a modifier, without its amount", () => {
    const [tally] = readOdds({ items: [{ rule: "drm-german", drm: 2, title: "German unit +2" }] }, (k) => k);
    expect(tally).toMatchObject({ kind: "tally", lines: [{ rule: "drm-german", amount: 2, label: "German unit" }] });
  });
  it("with exact fraction and percentage side by side are one bar", () => {
    const [bars] = readOdds({ results: { wins: { p: "1/4", percent: "25" }, holds: { p: "3/4", percent: "75" } } }, (k) => k);
    expect(bars).toMatchObject({ kind: "bars", bars: [{ label: "wins", share: 0.25 }, { label: "holds", share: 0.75 }] });
  });
  it("of a whole law are a table, not bars without names", () => {
    const [law] = readOdds({ law: [{ die: 1, chance: "1/2" }, { die: 2, chance: "1/2" }] }, (k) => k);
    expect(law).toMatchObject({ kind: "table", heads: ["die", "chance"], rows: [["1", "50 %"], ["2", "50 %"]] });
  });
  it("become bars where they add up to one", () => {
    const shown = readOdds({ hits: { "0": "1/4", "1": "3/4" }, round: 1 }, (k) => k);
    expect(shown[0]).toEqual({ kind: "bars", title: "hits", of: "hits", bars: [{ label: "0", share: 0.25 }, { label: "1", share: 0.75 }] });
    expect(shown[1]).toEqual({ kind: "fact", title: "round", value: "1" });
  });
});

describe("words", () => {
  it("say an action with the names of things", () => {
    const words = new Words("en", { "verb.move": "pick up {target}", "name.a": "1st Foot" });
    expect(words.action(["move", "a"])).toBe("Pick up 1st Foot");
    expect(words.action(["leap", "0101"])).toBe("Leap 0101");
  });
  it("let a verb have its own word for a thing", () => {
    const words = new Words("en", { "verb.build": "rebuild {target}", "verb.move": "move {target}", "name.f": "Cherbourg fort", "called.build.f": "a fort" });
    expect(words.action(["build", "f"])).toBe("Rebuild a fort");
    expect(words.action(["move", "f"])).toBe("Move Cherbourg fort");
  });
  it("are the same keys, with the same holes, in both languages", () => {
    const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort();
    expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en) as (keyof typeof en)[]) expect(holes(fr[key]), key).toEqual(holes(en[key]));
  });
});

describe("the hand", () => {
  const byId = new Map([["red-foot-1", { id: "red-foot-1" }]]);
  it("holds what the innermost frame names, with what is left to it", () => {
    const view = { frames: [{ sequence: "unit_in_hand", at: "4.1", unit: "red-foot-1", left: 3 }] };
    expect(handOf(view, byId)).toEqual({ pieces: [{ id: "red-foot-1" }], facts: [["left", 3]] });
  });
  it("is empty where no piece is meant", () => {
    expect(handOf({ frames: [{ sequence: "side_turn", at: "4.1", unit: null, attackers: ["red-foot-1"] }] }, byId)).toBeNull();
  });
});

describe("what is read", () => {
  it("loses the rule at the end of a sentence and modifiers that are none", () => {
    expect(sentence("dice 4 (modifiers: -). (7.7.3)")).toBe("Dice 4.");
    expect(sentence("Touches : 1 (modificateurs : 5.6a -1).")).toBe("Touches : 1 (modificateurs : 5.6a -1).");
  });
  it("finds the rule of a row by its number", () => {
    const rules = new Map([["5.3", { id: "5.3", title: "Fire", text: "" }]]);
    expect(findRule(rules, "5.3a")?.title).toBe("Fire");
    expect(findRule(rules, "5.4")).toBeUndefined();
  });
});

describe("the dice of a battle", () => {
  it("do not count what fell before it began, in the same act", () => {
    const log = [line(1, "red", event("roll", { dice: [1], faces: 6 })), line(2, "red", event("roll", { dice: [2], faces: 6 }), event("battle", { hex: "0405" }), event("roll", { dice: [3], faces: 6 }))];
    const lines = battleLines(log, { frame: { sequence: "battle", at: "5.1" }, hex: "0405", since: 0 });
    expect(rollsOf(lines, ["red", "blue"]).map((roll) => roll.dice)).toEqual([[3]]);
  });
});

describe("a piece in hand that is not on the board yet", () => {
  const view = (unit: unknown) => ({ frames: [{ sequence: "opening", at: "1", unit }] }) as never;
  it("is named, unless it lies there", () => {
    expect(unseenHand(view("a"), new Map())).toBe("a");
    expect(unseenHand(view("a"), new Map([["a", { id: "a" } as never]]))).toBeNull();
    expect(unseenHand(view(null), new Map())).toBeNull();
  });
});
