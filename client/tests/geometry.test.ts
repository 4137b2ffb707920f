/** Where hexes lie, for the two numberings that the maps use, and how the cursor walks. */
import { describe, expect, it } from "vitest";
import { arrowPath, MARGIN, RADIUS, Sheet } from "../src/model/geometry";
import type { Grid } from "../src/model/mapfile";

const pointy: Grid = {
  orientation: "pointy", rows: 3, cols: 4, shifted: "even", shift: "east",
  numbering: { order: "row-col", digits: [2, 2], first: [1, 1], rows_grow: "south", cols_grow: "east" },
};
/** Rows from the north, columns growing to the west: the Normandy sheet. */
const westward: Grid = {
  orientation: "pointy", rows: 21, cols: 26, shifted: "odd", shift: "west",
  numbering: { order: "row-col", digits: [2, 2], first: [1, 1], rows_grow: "south", cols_grow: "west" },
};
const flat: Grid = {
  orientation: "flat", rows: 48, cols: 40, shifted: "even", shift: "south",
  numbering: { order: "col-row", digits: [2, 2], first: [1, 1], rows_grow: "south", cols_grow: "east" },
};

function all(grid: Grid): string[] {
  const two = (n: number): string => String(n).padStart(2, "0");
  const found: string[] = [];
  for (let row = 1; row <= grid.rows; row++)
    for (let col = 1; col <= grid.cols; col++) found.push(grid.numbering.order === "row-col" ? two(row) + two(col) : two(col) + two(row));
  return found;
}

describe("centres", () => {
  it("puts the first hex of a sheet in its corner", () => {
    const c = new Sheet(pointy, all(pointy)).centre("0101");
    expect(c.x).toBeCloseTo(MARGIN + (RADIUS * Math.sqrt(3)) / 2);
    expect(c.y).toBeCloseTo(MARGIN + RADIUS);
  });
  it("shifts even rows to the east by half a hex", () => {
    const sheet = new Sheet(pointy, all(pointy));
    expect(sheet.centre("0201").x - sheet.centre("0101").x).toBeCloseTo((RADIUS * Math.sqrt(3)) / 2);
  });
  it("counts columns from the east where the numbering grows to the west", () => {
    const sheet = new Sheet(westward, all(westward));
    expect(sheet.centre("0201").x).toBeGreaterThan(sheet.centre("0202").x);
    expect(sheet.centre("0101").x).toBeLessThan(sheet.centre("0201").x);
  });
  it("gives the size that the drawn maps have", () => {
    const sheet = new Sheet(westward, all(westward));
    expect(Math.round(sheet.width)).toBe(2355);
    expect(Math.round(sheet.height)).toBe(1660);
  });
});

describe.each([["pointy", pointy], ["westward", westward], ["flat", flat]] as const)("neighbours on %s", (_, grid) => {
  const sheet = new Sheet(grid, all(grid));
  it("are mutual and share a side", () => {
    for (const hex of all(grid).slice(0, 200))
      for (const next of sheet.neighbours(hex)) {
        expect(sheet.neighbours(next)).toContain(hex);
        expect(sheet.side(hex, next)).not.toBeNull();
      }
  });
  it("number six inside the sheet", () => {
    const middle = all(grid).find((h) => sheet.neighbours(h).length === 6);
    expect(middle).toBeDefined();
  });
  it("are found again by a point inside them", () => {
    for (const hex of all(grid).slice(0, 60)) {
      const { x, y } = sheet.centre(hex);
      expect(sheet.at({ x: x + 20, y: y - 15 })).toBe(hex);
    }
  });
});

describe("the cursor", () => {
  const sheet = new Sheet(pointy, all(pointy));
  it("walks along a row", () => {
    expect(sheet.step("0102", "right")).toBe("0103");
    expect(sheet.step("0102", "left")).toBe("0101");
  });
  it("goes straight down by swinging to and fro", () => {
    const home = sheet.centre("0102");
    const second = sheet.step("0102", "down", home);
    expect(["0201", "0202"]).toContain(second);
    expect(sheet.step(second, "down", home)).toBe("0302");
  });
  it("stays at the edge of the sheet", () => {
    expect(sheet.step("0101", "up")).toBe("0101");
    expect(sheet.step("0101", "left")).toBe("0101");
  });
});

describe("arrows", () => {
  it("stop short of the last hex", () => {
    expect(arrowPath([{ x: 0, y: 0 }, { x: 100, y: 0 }], 30)).toBe("M0.0 0.0L70.0 0.0");
  });
  it("leave the piece that they come from in sight", () => {
    expect(arrowPath([{ x: 0, y: 0 }, { x: 0, y: 100 }], 30, 20)).toBe("M0.0 20.0L0.0 70.0");
  });
  it("need two points", () => {
    expect(arrowPath([{ x: 0, y: 0 }])).toBe("");
  });
});
