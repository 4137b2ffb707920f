/** Clocks run on between messages, for the side that thinks only. */
import { describe, expect, it } from "vitest";
import { asTime, secondsLeft } from "../src/model/clock";

const clock = { bank: [300, 200], added: 5, thought: 10, heard: 1_000 };

describe("a time bank", () => {
  it("runs while its side owes a decision", () => {
    expect(secondsLeft(clock, 0, true, 1_000)).toBe(290);
    expect(secondsLeft(clock, 0, true, 21_000)).toBe(270);
    expect(secondsLeft(clock, 0, true, 9_000_000)).toBe(0);
  });
  it("stands still for the others", () => expect(secondsLeft(clock, 1, false, 21_000)).toBe(200));
  it("is nothing without a bank", () => expect(secondsLeft({}, 0, true, 0)).toBeNull());
  it("reads like a clock", () => {
    expect(asTime(59.6)).toBe("1:00");
    expect(asTime(3_725)).toBe("1:02:05");
    expect(asTime(90_000)).toBe("1 d 1 h");
  });
});
