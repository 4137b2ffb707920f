import { describe, expect, it } from "vitest";
import { glidesOf, glideTime } from "../src/model/gliding";
import type { Board } from "../src/model/board";
import type { GameEvent } from "../src/wire";

const hexes = new Set(["0101", "0102", "0103", "0201"]);
const board = { sheet: { has: (key: string) => hexes.has(key) }, spot: (word: string) => (hexes.has(word) ? { kind: "hex", key: word } : null) } as unknown as Board;
const moved = (facts: object): GameEvent => ({ kind: "moved", rule: "1", ...facts }) as GameEvent;

describe("pieces on their way", () => {
  it("go along the path that an event tells, one after the other", () => {
    const events = [moved({ unit: "a", way: ["0101", "0102"] }), moved({ unit: "a", whence: "0102", hex: "0103" })];
    expect(glidesOf(events, board, null, new Map([["a", "0103"], ["b", "0201"]]))).toEqual([{ piece: "a", path: ["0101", "0102", "0103"] }]);
  });

  it("go straight where no event tells how, and not at all where nobody knows whence", () => {
    const after = new Map([["a", "0103"], ["b", "box"]]);
    expect(glidesOf([], board, new Map([["a", "0101"], ["b", "0201"]]), after)).toEqual([{ piece: "a", path: ["0101", "0103"] }]);
    expect(glidesOf([], board, null, after)).toEqual([]);
  });

  it("do not go where they never came: a march that was stopped, a piece that fell", () => {
    const events = [moved({ unit: "a", path: ["0101", "0102", "0103"] }), moved({ unit: "gone", path: ["0101", "0102"] })];
    expect(glidesOf(events, board, new Map([["a", "0101"]]), new Map([["a", "0102"]]))).toEqual([{ piece: "a", path: ["0101", "0102"] }]);
  });

  it("take longer for more hexes, and never longer than the step", () => {
    const of = (n: number) => [{ piece: "a", path: Array.from({ length: n }, (_, i) => String(i)) }];
    expect(glideTime(of(2), 1500, 1)).toBe(300);
    expect(glideTime(of(5), 1500, 1)).toBe(680);
    expect(glideTime(of(5), 1500, 2)).toBe(340);
    expect(glideTime(of(40), 1500, 1)).toBe(1200);
  });
});
