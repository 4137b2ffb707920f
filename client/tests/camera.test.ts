/** No bare desk: a sheet brought into sight stops where its edge meets the window's. */
import { expect, test } from "vitest";
import { within } from "../src/ui/board/camera";

test("a large sheet never leaves its edge inside the window", () => {
  expect(within(-300, 1000, 3000)).toBe(-300);
  expect(within(200, 1000, 3000)).toBe(0);
  expect(within(-2500, 1000, 3000)).toBe(-2000);
});

test("a small sheet lies in the middle", () => {
  expect(within(-700, 1000, 400)).toBe(300);
});
