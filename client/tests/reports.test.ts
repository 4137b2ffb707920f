/** Battles told from the log. */
import { describe, expect, it } from "vitest";
import { apart, bySide, counted, dealt, mattered, noneLost, reportsOf, summaryOf, theirLines, turnBegan } from "../src/model/reports";
import type { TableStore } from "../src/table/store";
import { newestReport } from "../src/ui/panels/newest";
import type { GameEvent, Line } from "../src/wire";
import { board } from "./fixture";

const event = (kind: string, facts: object = {}): GameEvent => ({ kind, rule: "1", text: kind, ...facts });
const roll = (...dice: number[]) => event("roll", { dice, faces: 6, side: 0 });
const line = (n: number, side: string, ...events: GameEvent[]): Line => ({ n, side, events });
const sides = ["red", "blue"];

describe("reports of battles", () => {
  it("hold dice, losses and ground of one battle over several entries", () => {
    const log = [
      line(1, "red", event("moved", { hex: "0103" })),
      line(2, "red", event("battle", { hex: "0405" }), roll(3, 4)),
      line(3, "blue", event("loss", { unit: "a" }), roll(6), event("lost", { unit: "a" })),
      line(4, "red", event("battle-over", { hex: "0405" }), event("village", { hex: "0405" })),
      line(5, "red", event("loss", { unit: "b" })),
    ];
    const [report, ...more] = reportsOf(log, board, sides);
    expect(more).toEqual([]);
    expect([report!.from, report!.to, report!.side, report!.place, report!.open]).toEqual([2, 4, "red", "0405", false]);
    expect(report!.rolls.map((r) => r.dice)).toEqual([[3, 4], [6]]);
    expect(report!.losses.map((e) => e.kind)).toEqual(["loss", "lost"]);
    expect(report!.ground.map((e) => e.kind)).toEqual(["village"]);
  });
  it("take the dice that fell just before the event that names the battle", () => {
    const [report] = reportsOf([line(1, "red", roll(5), event("bombarded", { place: "0405" }), event("affected"))], board, sides);
    expect(report!.rolls).toHaveLength(1);
    expect(report!.losses).toHaveLength(1);
  });
  it("keep a combat in the same place together, and another place apart", () => {
    const log = [line(1, "red", event("ground-combat", { hex: "0405" }), event("air-combat", { hex: "0405" }), roll(1), event("result"), roll(2), event("outcome")), line(2, "red", event("ground-combat", { hex: "0205" }), roll(3))];
    const found = reportsOf(log, board, sides);
    expect(found.map((r) => [r.heads.length, r.rolls.length, r.results.length])).toEqual([[2, 2, 2], [1, 1, 0]]);
  });
  it("leave to the ear what was lost and taken, else the newest", () => {
    const quiet = [line(1, "blue", event("moved"), event("roll", { said: true })), line(2, "blue", event("railed"), event("sailed"))];
    expect(mattered(quiet, 2).map((e) => e.kind)).toEqual(["railed", "sailed"]);
    expect(mattered([...quiet, line(3, "blue", event("eliminated"), event("moved"))], 6).map((e) => e.kind)).toEqual(["eliminated"]);
  });
  it("tell what was committed, and how it came to the result", () => {
    const log = [line(1, "red", event("ground-combat", { hex: "0405" })), line(2, "blue", event("commitments"), event("modifiers"), roll(1), event("die"), event("result"))];
    const [report] = reportsOf(log, board, sides);
    expect(report!.heads.map((e) => e.kind)).toEqual(["ground-combat", "commitments"]);
    expect(report!.reasons.map((e) => e.kind)).toEqual(["modifiers", "die"]);
  });
  it("are made of shots at a unit, one card a target, and of raids and voyages", () => {
    const where = (id: string): string | null => (id === "tank" ? "0405" : null);
    const log = [
      line(1, "red", roll(5, 5), event("shoots", { unit: "gun", target: "tank" }), roll(2), event("immobilised", { unit: "tank" })),
      line(2, "red", event("sets-out", { unit: "foot" }), roll(6), event("fires", { unit: "tank", target: "foot" }), event("unharmed")),
      line(3, "red", event("raid", { hex: "0205" }), roll(4), event("flak"), event("eliminated", { unit: "bomber" })),
      line(4, "blue", event("shipped", { unit: "a", hex: "0405" }), roll(1), event("sunk", { unit: "a" })),
    ];
    const found = reportsOf(log, board, sides, where);
    expect(found.map((r) => [r.about, r.place, r.losses.length, r.results.length])).toEqual([["tank", "0405", 1, 0], ["foot", null, 0, 1], [null, "0205", 1, 1], ["a", "0405", 1, 0]]);
  });
  it("do not last on by what is none of their business", () => {
    const log = [line(1, "blue", roll(4), event("bombarded", { place: "0405" }), event("affected")), line(2, "red", event("marker-spent"), event("activated"))];
    expect(reportsOf(log, board, sides)[0]!.to).toBe(1);
  });
  it("draw so many dice throw by throw, and count the others", () => {
    const [report] = reportsOf([line(1, "red", event("battle", { hex: "0405" }), roll(1, 2, 3), event("fire"), roll(4, 5, 6), event("fire"))], board, sides);
    const { shown, left } = dealt(report!.rolls, 4);
    expect(shown.map((one) => one.dice)).toEqual([[1, 2, 3], [4]]);
    expect(left).toBe(2);
    expect(dealt(report!.rolls, 24).left).toBe(0);
  });
  it("stay in sight after a choice that nobody was asked for", () => {
    const log = [line(1, "red", event("battle", { hex: "0405" }), roll(1), event("battle-over")), line(2, "red", event("held-fire"))];
    const store = (unasked: number[]) => ({
      replay: { value: null }, battle: { value: null }, reportSeen: { value: 0 }, reports: { value: reportsOf(log, board, sides) },
      state: { value: { log } }, mine: { value: ["red"] }, unasked: { value: new Set(unasked) },
    }) as unknown as TableStore;
    expect(newestReport(store([]))).toBeNull();
    expect(newestReport(store([2]))?.from).toBe(1);
  });
  it("are not made of attacks that came to nothing, nor of dice for the weather", () => {
    expect(reportsOf([line(1, "red", event("attack-declared", { place: "0405" }), event("called-off")), line(2, "red", roll(3), event("weather"))], board, sides)).toEqual([]);
  });
  it("do not take aircraft on their way for a battle", () => {
    expect(reportsOf([line(1, "red", event("air-mission", { where: "0405" })), line(2, "red", roll(4, 4), event("landed"))], board, sides).filter((report) => report.fought)).toEqual([]);
  });
  it("are made of dice outside battles too: convoys, journeys, tests; one card an entry, of a place if it has but one", () => {
    const log = [
      line(1, "red", event("aims"), roll(3, 3), event("submarine", { hits: 0 }), roll(6), event("mine-dice", { hex: "0405" }), event("lost", { unit: "a" })),
      line(2, "blue", roll(2), event("travelled", { unit: "b", place: "0205" })),
      line(3, "blue", roll(1), event("blocked", { unit: "b", place: "0205" })),
      line(4, "blue", roll(5), event("weather"), event("moved")),
    ];
    const found = reportsOf(log, board, sides);
    expect(found.map((r) => [r.heads.map((e) => e.kind).join(), r.rolls.length, r.place, r.losses.length, r.fought, r.open])).toEqual([
      ["submarine,mine-dice", 2, null, 1, false, false],
      ["travelled", 1, "0205", 0, false, false],
      ["blocked", 1, "0205", 0, false, false],
    ]);
  });
  it("leave to a battle the dice that fall in it", () => {
    const found = reportsOf([line(1, "red", event("battle", { hex: "0405" }), roll(3), event("test-passed"), event("battle-over")), line(2, "red", roll(1), event("rallies", { unit: "a" }))], board, sides);
    expect(found.map((r) => [r.fought, r.rolls.length])).toEqual([[true, 1], [false, 1]]);
  });
  it("tell each loss once, and only the end of who is gone", () => {
    const hits = [event("hit", { unit: "a", steps: 3 }), event("hit", { unit: "a", steps: 2 }), event("hit", { unit: "b" }), event("eliminated", { unit: "b" })];
    expect(counted(hits).map(({ event: e, n }) => [e.kind, e["unit"], e["steps"], n])).toEqual([["hit", "a", 2, 2], ["eliminated", "b", undefined, 1]]);
  });
  it("know what the others did since our last act", () => {
    const log = [line(1, "blue", event("moved")), line(2, "red", event("moved")), line(3, "blue", event("moved")), line(4, "blue"), line(5, "blue", event("loss"))];
    expect(theirLines(log, ["red"]).map((l) => l.n)).toEqual([3, 5]);
    expect(theirLines(log.slice(0, 2), ["red"])).toEqual([]);
    expect(theirLines(log, [])).toEqual([]);
  });
  it("do not say that nobody was lost while a hit of the raid waits to be given", () => {
    const raid = { frames: [{ sequence: "player_turn", at: "32.0a" }, { sequence: "raid", at: "32.0f" }] };
    const found = reportsOf([line(1, "red", event("raid", { hex: "0205" }), roll(4), event("flak")), line(2, "red", event("raid", { hex: "0405" }), roll(4), event("flak"))], board, sides);
    expect(found.map((one) => noneLost(one, found, raid))).toEqual([true, false]);
    expect(found.map((one) => noneLost(one, found, { frames: raid.frames.slice(0, 1) }))).toEqual([true, true]);
  });
  it("keep apart what we gained by an answer of the others, and know whose each loss was", () => {
    const whose = (e: GameEvent): string | null => (typeof e["side"] === "string" ? e["side"] : typeof e["unit"] === "string" ? e["unit"].split("-")[0]! : null);
    const log = [line(1, "red", event("battle")), line(2, "blue", event("loss", { unit: "blue-1" }), event("loss", { unit: "red-1" }), event("retreat", { side: "red" }), event("conquered", { side: "red" }), event("captured", { side: "red" }), event("village", { side: "blue" }), event("captured", { unit: "red-2" }))];
    const { theirs, ours } = apart(theirLines(log, ["red"]), whose, ["red"]);
    expect(ours.map((e) => e.kind)).toEqual(["conquered", "captured"]);
    const { losses, ground } = summaryOf(theirs);
    expect(ground.map((e) => [e.kind, whose(e)])).toEqual([["retreat", "red"], ["village", "blue"]]);
    expect(bySide(losses, whose).map(([side, some]) => [side, some.length])).toEqual([["blue", 1], ["red", 2]]);
    expect(mattered(theirs, 9)).not.toContain(ours[0]);
    expect(summaryOf(log).ground.map((e) => e.kind)).toContain("captured"); // a place that changes hands is no loss of a unit
  });
  it("are of this turn only, where asked", () => {
    const log = [line(1, "red", event("loss")), line(2, "blue", event("turn", { turn: 2 }), event("village")), line(3, "red", event("moved"))];
    expect(turnBegan(log)).toBe(2);
    expect(turnBegan(log.slice(2))).toBe(0);
    const summary = summaryOf(log);
    expect([summary.losses.length, summary.ground.length, summary.moves]).toEqual([1, 1, 1]);
  });
});
