/** What a browser keeps of a table's dice, and what it then makes of the server's words. */
import { beforeEach, describe, expect, it } from "vitest";
import { keeper } from "../src/table/keeper";
import type { DiceState } from "../src/wire";

const memory = new Map<string, string>();
beforeEach(() => memory.clear());
globalThis.localStorage = { getItem: (name: string) => memory.get(name) ?? null, setItem: (name: string, text: string) => void memory.set(name, text) } as unknown as Storage;

const word = "a".repeat(64);
const other = "b".repeat(64);
const dice = (step: DiceState["step"], more: Partial<DiceState> = {}): DiceState => ({ step, id: "g", commitment: word, shares: [], ...more });
const keys = (told: Parameters<typeof keeper.hear>[1]): string[] => keeper.hear("t", told).map((lie) => lie.key);
const made = (red: string, entropy: string): DiceState => dice("made", { shares: [{ side: "red", commitment: red, entropy }, { side: "blue", commitment: "blue", entropy: "theirs" }] });

describe("what this browser heard of the dice", () => {
  it("keeps the host's first word, also where nobody else plays", () => {
    expect(keys({ commitment: word })).toEqual([]);
    expect(keeper.kept("t")?.commitment).toBe(word);
    expect(keys({ commitment: word, dice: dice("made") })).toEqual([]);
    expect(keys({ commitment: other, dice: dice("made", { commitment: other }) })).toEqual(["kept-seed"]);
    expect(keys({ commitment: word, dice: dice("made", { commitment: other }) })).toEqual(["kept-seed"]);
    expect(keeper.kept("t")?.commitment, "and goes on keeping it").toBe(word);
    expect(keeper.hear("another", { commitment: other })).toEqual([]);
  });

  it("keeps the word that came before it was asked for a share", () => {
    keeper.hear("t", { commitment: word, dice: dice("seats") });
    keeper.keepSecret("t", "red", "secret", dice("commit", { commitment: other }));
    expect(keeper.kept("t")?.commitment).toBe(word);
  });

  it("finds other commitments and another share of ours as soon as they are told", () => {
    const shown = dice("show", { shares: [{ side: "red", commitment: "red", shown: false }, { side: "blue", commitment: "blue", shown: false }] });
    keeper.hear("t", { commitment: word, dice: dice("commit") });
    keeper.keepSecret("t", "red", "secret", dice("commit"));
    keeper.keepShares("t", "red", "ours", shown);
    expect(keys({ commitment: word, dice: shown })).toEqual([]);
    expect(keys({ commitment: word, dice: made("red", "ours") })).toEqual([]);
    expect(keys({ commitment: word, dice: made("red", "forged") })).toEqual(["kept-own"]);
    expect(keys({ commitment: word, dice: made("forged", "ours") })).toEqual(["kept-share"]);
    expect(keys({ commitment: word, dice: dice("made", { shares: [] }) })).toEqual(["kept-share", "kept-share", "kept-own"]);
  });

  it("does not call a share of ours a lie that was left out for all to see", () => {
    keeper.keepSecret("t", "red", "secret", dice("commit"));
    keeper.keepShares("t", "red", "ours", dice("show", { shares: [{ side: "red", commitment: "red" }] }));
    expect(keys({ commitment: word, dice: made("red", "") })).toEqual([]);
  });
});
