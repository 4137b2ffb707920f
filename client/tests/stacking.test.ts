import { describe, expect, it } from "vitest";
import { beside } from "../src/model/stacking";

const card = { wide: 100, tall: 40, foot: 36 };
const sheet = { width: 1000, height: 1000 };

describe("an opened pile", () => {
  it("lies above its hex where nothing is covered", () => {
    expect(beside({ x: 500, y: 500 }, card, sheet, 60, [])).toEqual({ x: 500, y: 404 });
  });

  it("makes room for targets, and takes the side that covers the fewest", () => {
    const above = [{ x: 480, y: 400 }, { x: 560, y: 400 }];
    expect(beside({ x: 500, y: 500 }, card, sheet, 60, above).y).toBeGreaterThan(500);
    const all = [...above, { x: 500, y: 600 }, { x: 600, y: 500 }];
    expect(beside({ x: 500, y: 500 }, card, sheet, 60, all).x).toBeLessThan(500);
  });

  it("never leaves the sheet for it", () => {
    expect(beside({ x: 500, y: 500 }, card, sheet, 60, [], { x: 300, y: 420, width: 500, height: 500 }).y).toBeGreaterThan(500); // above is off the screen
    const at = beside({ x: 500, y: 30 }, card, sheet, 60, [{ x: 500, y: 130 }]);
    expect(at.y - card.tall).toBeGreaterThanOrEqual(0);
  });

  it("is seen whole on a small screen, over its own hex if there is no room beside it", () => {
    const seen = { x: 400, y: 440, width: 220, height: 160 };
    const at = beside({ x: 500, y: 500 }, card, sheet, 60, [], seen);
    expect([at.x - card.wide >= seen.x, at.x + card.wide <= seen.x + seen.width]).toEqual([true, true]);
    expect([at.y - card.tall >= seen.y, at.y + card.foot <= seen.y + seen.height]).toEqual([true, true]);
  });
});
