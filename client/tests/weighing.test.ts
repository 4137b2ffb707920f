import { describe, expect, it } from "vitest";
import { compared, headlines, weighing, withAll, withoutIt } from "../src/model/chances";

const way = (label: string, share: number, more: Record<string, number> = {}) => ({ label, heads: [...Object.entries(more), ["gives_way", share] as const].map(([key, p]) => ({ key, share: p as number })) });

describe("one sentence for several ways", () => {
  it("compares in the chance that decides, not in any that differs", () => {
    const found = weighing([way("with", 0.44, { attacker_loses_a_step: 0.2 }), way("without", 0.31, { attacker_loses_a_step: 0.9 })])!;
    expect(found.key).toBe("gives_way");
    expect(found.same).toBe(false);
    expect(found.parts.map((part) => [part.label, part.head.share])).toEqual([["with", 0.44], ["without", 0.31]]);
  });

  it("takes another chance where the first is the same for all, and says so where all are", () => {
    expect(weighing([way("a", 1, { attacker_loses_a_step: 0.2 }), way("b", 1, { attacker_loses_a_step: 0.3 })])!.key).toBe("attacker_loses_a_step");
    expect(weighing([way("a", 0.5), way("b", 0.5)])!.same).toBe(true);
  });

  it("never speaks of small print", () => {
    const assault = (label: string, no_ezoc: number) => ({ label, heads: [{ key: "attacker_reduced", share: 0.2 }, { key: "no_ezoc", share: no_ezoc }] });
    expect(weighing([assault("a", 0.1), assault("b", 0)])).toMatchObject({ key: "attacker_reduced", same: true });
    const better = (label: string, share: number) => ({ label, heads: [{ key: "no_ezoc", share }, { key: "attacker_reduced", share }, { key: "nothing", share: 1 - share }] });
    expect(weighing([better("a", 0.1), better("b", 0.2)])!.key).toBe("attacker_reduced");
  });

  it("leaves out a way that has nothing in common with the others", () => {
    const shot = (label: string, none: string) => ({ label, heads: headlines({ results: { none, destroyed: "1/9" } }) });
    const found = weighing([{ label: "smoke", heads: headlines({ p_hit: "1/2" }) }, shot("at a", "8/9"), shot("at b", "7/9")])!;
    expect([found.key, found.parts.map((part) => part.label)]).toEqual(["effect", ["at a", "at b"]]);
  });

  it("says that what decides cannot happen, and not twice the same", () => {
    const one = headlines({ chances: { gives_way: { chance: "0" }, retreat: { chance: "0" }, attacker_loses_a_step: { chance: "1/2" } } });
    expect(compared([one])).toEqual(["gives_way", "attacker_loses_a_step"]);
    const other = headlines({ chances: { gives_way: { chance: "1/2" }, retreat: { chance: "1/3" }, attacker_loses_a_step: { chance: "1/2" } } });
    expect(compared([one, other])).toEqual(["gives_way", "retreat", "attacker_loses_a_step"]);
  });

  it("reads the chances with all who can join", () => {
    expect(withAll({ chances: {}, together: { gives_way: { chance: "5/6" }, retreat: { chance: "1/6" } } }).map((head) => head.share)).toEqual([5 / 6, 1 / 6]);
    expect(withAll({})).toEqual([]);
  });

  it("needs two ways, and keeps what one has and the best of many", () => {
    expect(weighing([way("a", 0.5)])).toBeNull();
    const many = [0.1, 0.2, 0.9, 0.3, 0.8, 0.7].map((p, i) => way(String(i), p));
    expect(weighing(many)!.parts.map((part) => part.label)).toEqual(["0", "2", "4", "5"]);
  });

  it("reads what a game tells of the battle without who joins, and a lone chance to hit", () => {
    const shares = { attacker_wins: { p: "1/4" }, undecided: { p: "3/4" } };
    expect(withoutIt({ without: shares }).map((head) => head.share)).toEqual([0.25, 0.75]);
    expect(withoutIt({})).toEqual([]);
    expect(headlines({ needed: 5, p_hit: "1/3" })).toEqual([{ key: "p_hit", share: 1 / 3 }]);
  });
});
