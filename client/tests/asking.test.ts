/** Pointing at what does not glow. */
import { describe, expect, it } from "vitest";
import { questionsAt, tellingRefusals } from "../src/model/asking";
import { compared, headlines } from "../src/model/chances";
import type { Verbs } from "../src/model/kinds";
import { Forecast } from "../src/table/forecast";

const verbs: Verbs = { to: "hex", move: "unit", attack: { first: "hex", second: "hex", mark: "/" }, bridge: "side", pledge: "number", halt: "none" };

describe("what to ask the rules", () => {
  it("asks each verb that could have meant the thing, and no other", () => {
    const at = { spot: { kind: "hex", key: "0103" }, place: "0103", piece: "#4" } as const;
    expect(questionsAt(at, verbs, [], "0102")).toEqual([["to", "0103"], ["move", "#4"], ["attack", "0103/0102"]]);
  });
  it("takes the second noun of a pair from the list if nothing is in hand, else leaves the verb out", () => {
    const at = { spot: { kind: "hex", key: "0103" }, place: "0103", piece: null } as const;
    expect(questionsAt(at, verbs, [["attack", "0909/0808"]], null)).toEqual([["to", "0103"], ["attack", "0103/0808"]]);
    expect(questionsAt(at, verbs, [], null)).toEqual([["to", "0103"]]);
  });
  it("asks sides about sides only", () => {
    const at = { spot: { kind: "side", key: "0103|0104" }, place: null, piece: null } as const;
    expect(questionsAt(at, verbs, [], "0102")).toEqual([["bridge", "0103|0104"]]);
  });
  it("tells each sentence once, and empty ones only if there is nothing else", () => {
    const no = (reason: string, message: string) => ({ refusal: { rule: "1", reason, message } });
    const found = tellingRefusals([no("unknown-target", "what?"), no("full", "No room."), no("crowd", "No room."), no("far", "Too far.")]);
    expect(found.map((a) => a.refusal.message)).toEqual(["No room.", "Too far."]);
    expect(tellingRefusals([no("unknown-target", "what?")])).toHaveLength(1);
  });
});

describe("the chances beside a choice", () => {
  it("come from wherever a game keeps them, and are few", () => {
    expect(headlines({ method: "exact", chances: { gives_way: { chance: "1/3" }, eliminated: { chance: "0" } } })).toEqual([{ key: "gives_way", share: 1 / 3 }, { key: "eliminated", share: 0 }]);
    expect(headlines({ outcome: { results: { attacker_wins: { p: "1/4" }, undecided: { p: "3/4" } } } }).map((h) => h.key)).toEqual(["attacker_wins", "undecided"]);
    expect(headlines({ hits_taken: { red: { "0": "1/2", "2": "1/2" } } })[0]).toEqual({ key: "red", share: 0.5, mean: 1 });
    expect(headlines({ round: 1 })).toEqual([]);
  });
  it("that differ between the choices are told first, what is only left over last", () => {
    const without = [{ key: "nothing", share: 0.5 }, { key: "retreat", share: 0.3 }, { key: "loss", share: 0.9 }, { key: "never", share: 0 }];
    const air = [{ key: "nothing", share: 0.4 }, { key: "retreat", share: 0.4 }, { key: "loss", share: 0.9 }, { key: "never", share: 0 }];
    expect(compared([without, air], 1)).toEqual(["retreat"]);
    expect(compared([without, air])).toEqual(["retreat", "loss", "nothing"]);
  });
  it("are asked once a position, and not again for a verb on which no dice hang", async () => {
    const asked: string[] = [];
    const forecast = new Forecast(async (action) => (asked.push(action.join(" ")), action[0] === "fight" ? { chances: {} } : null));
    await forecast.look("Move", [["to", "1"], ["to", "2"], ["fight", "3"], ["fight", "3"]]);
    expect(asked).toEqual(["to 1", "fight 3"]);
    expect(forecast.of(["fight", "3"])).toEqual({ chances: {} });
    forecast.begin("Move", [], {});
    expect(forecast.of(["fight", "3"])).toBeUndefined();
    await forecast.look("Move", [["to", "1"], ["fight", "3"]]);
    expect(asked).toEqual(["to 1", "fight 3", "fight 3"]);
    forecast.stop();
  });
  it("after what is not yet said are no choices of the present decision", async () => {
    const asked: string[] = [];
    const forecast = new Forecast(async (action, after) => (asked.push([...after, action].map((one) => one.join(" ")).join(", ")), { chances: {} }));
    await forecast.look("Pick", [["fight", "3"]], [["move", "u"]]);
    expect(asked).toEqual(["move u, fight 3"]);
    expect(forecast.of(["fight", "3"], [["move", "u"]])).toEqual({ chances: {} });
    expect([forecast.of(["fight", "3"]), forecast.of(["fight", "3"], [["move", "v"]]), forecast.answers.value.size]).toEqual([undefined, undefined, 0]);
    forecast.begin("Pick", [], {});
    expect(forecast.of(["fight", "3"], [["move", "u"]])).toBeUndefined();
    forecast.stop();
  });
});
