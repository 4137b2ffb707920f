import { describe, expect, it } from "vitest";
import { aimsOf, firstBefore, stepToShow, type LessonStep } from "../src/model/coach";

const step = (action: string | null, point: string[] = []): LessonStep => ({ say: "x", do: action ? ([action.split(" ")[0]!, action.split(" ").slice(1).join(" ")] as const) : null, also: [], other: "", point, rule: "1" });
const steps = [step(null), step(null), step("pledge 1"), step(null), step("move a"), step("to 0102"), step(null)];

describe("what the coach shows", () => {
  it("begins with the words before the first question", () => {
    expect(firstBefore(steps, 2)).toBe(0);
    expect(stepToShow(steps, 2, null, null)).toBe(0);
    expect(stepToShow(steps, 2, 1, 2)).toBe(1);
  });
  it("goes on with the words that follow what was done", () => {
    expect(stepToShow(steps, 4, 2, 2)).toBe(3);
    expect(stepToShow(steps, 5, 4, 4)).toBe(5);
  });
  it("shows the question again that was taken back", () => {
    expect(stepToShow(steps, 2, 3, 4)).toBe(2);
  });
  it("ends with the last words", () => {
    expect(firstBefore(steps, 7)).toBe(6);
    expect(stepToShow(steps, 7, 5, 5)).toBe(6);
  });
});

describe("what the coach points at", () => {
  it("names pieces, places, parts and buttons", () => {
    const aims = aimsOf(step(null, ["piece a", "hex 0102", "part log", "action pledge 1"]), {}, null, new Set(["a"]));
    expect(aims).toEqual({ pieces: ["a"], places: ["0102"], parts: ["log"], actions: ["pledge 1"] });
  });
  it("finds the noun of what it asks for", () => {
    expect(aimsOf(step("move a"), { move: "unit" }, null, new Set(["a"])).pieces).toEqual(["a"]);
    expect(aimsOf(step("done"), { done: "none" }, null, new Set()).actions).toEqual(["done"]);
  });
});
