/** No bare desk: a sheet brought into sight stops where its edge meets the window's. */
import { expect, test } from "vitest";
import { about, within } from "../src/ui/board/camera";

test("a large sheet never leaves its edge inside the window", () => {
  expect(within(-300, 1000, 3000)).toBe(-300);
  expect(within(200, 1000, 3000)).toBe(0);
  expect(within(-2500, 1000, 3000)).toBe(-2000);
});

test("a small sheet lies in the middle", () => {
  expect(within(-700, 1000, 400)).toBe(300);
});

test("the first look is at where most pieces stand, not at the few far ones", () => {
  const front = Array.from({ length: 30 }, (_, i) => ({ x: 1000 + i * 10, y: 500 }));
  const seen = about([...front, { x: 9000, y: 4000 }]);
  expect(seen.x).toBeGreaterThan(1000);
  expect(seen.x).toBeLessThan(1300);
  expect(seen.y).toBe(500);
  expect(seen.width).toBeLessThan(400);
});
