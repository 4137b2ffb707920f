/** No bare desk: a sheet brought into sight stops where its edge meets the window's. */
import { expect, test } from "vitest";
import { about, taken, within } from "../src/ui/board/camera";

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

test("a row of tools takes the edge at which it stands, a column takes nothing", () => {
  const frame = { top: 100, bottom: 440 };
  expect(taken(frame, { top: 388, bottom: 432, width: 190, height: 44 })).toEqual({ top: 0, foot: 52 });
  expect(taken(frame, { top: 108, bottom: 152, width: 330, height: 44 })).toEqual({ top: 52, foot: 0 });
  expect(taken(frame, { top: 108, bottom: 300, width: 44, height: 192 })).toEqual({ top: 0, foot: 0 });
  expect(taken(frame, null)).toEqual({ top: 0, foot: 0 });
});
