/** No bare desk: a sheet brought into sight stops where its edge meets the window's. */
import { expect, test, vi } from "vitest";
import { about, Camera, taken, within } from "../src/ui/board/camera";

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

test("a question about something far brings it to sight, and the next about the front comes back to it", () => {
  const element = { addEventListener: () => undefined, getBoundingClientRect: () => ({ left: 0, top: 0, width: 1000, height: 600 }), parentElement: null, style: {} } as unknown as HTMLElement;
  vi.stubGlobal("ResizeObserver", class { observe = (): void => undefined; disconnect = (): void => undefined; });
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  const camera = new Camera();
  camera.attach(element, element, { width: 6000, height: 4000 }, () => ({ x: 1000, y: 1000, width: 600, height: 300 }));
  const start = camera.seen()!;
  const front = [{ x: 1000, y: 1000 }, { x: 1100, y: 1050 }];
  const far = { x: 4000, y: 3000 };
  camera.bringOne(front);
  expect(camera.seen()).toEqual(start);
  camera.bringOne([far]);
  expect(camera.seen()!.x).toBeGreaterThan(3000);
  camera.bringOne([...front, far]);
  expect(camera.seen()).toEqual(start);
  camera.bringOne([far]);
  camera.pan(10, 0); // who moves the map himself stays
  const own = camera.seen();
  camera.bringOne([...front, far]);
  expect(camera.seen()).toEqual(own);
  vi.unstubAllGlobals();
});

test("what does not fit into the window is looked at where most of it is, not at its empty middle", () => {
  const element = { addEventListener: () => undefined, getBoundingClientRect: () => ({ left: 0, top: 0, width: 1000, height: 600 }), parentElement: null, style: {} } as unknown as HTMLElement;
  vi.stubGlobal("ResizeObserver", class { observe = (): void => undefined; disconnect = (): void => undefined; });
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  const front = Array.from({ length: 20 }, (_, i) => ({ x: 3000 + 10 * i, y: 3000 + 10 * i }));
  const north = Array.from({ length: 5 }, (_, i) => ({ x: 3000, y: 300 + i }));
  const camera = new Camera();
  camera.attach(element, element, { width: 6000, height: 6000 }, () => about([...front, ...north]));
  const seen = camera.seen()!;
  const there = (p: { x: number; y: number }): boolean => p.x > seen.x && p.x < seen.x + seen.width && p.y > seen.y && p.y < seen.y + seen.height;
  expect(front.filter(there)).toHaveLength(20);
  vi.unstubAllGlobals();
});
