import { describe, expect, it } from "vitest";
import { bearing, byDistance, centimetres, cloudsOf, degrees, EDGE, FACING_NAMES, FACINGS, facingActions, facingOf, gapBetween, inCentimetres, isTable, meetsCloud, quarter, roofPath, TableBoard, unrolled, wayTo, wedge, type Standing, type TableFile } from "../src/model/tabletop";
import { matchTargets } from "../src/model/targets";
import { lookOf } from "../src/ui/tabletop/models";

const file: TableFile = {
  kind: "table",
  name: "small",
  title: { en: "Small", fr: "Petite" },
  size: [60, 40],
  lattice: 10,
  facings: FACING_NAMES,
  features: [["wood", "area", "light-wood"], ["street", "road", "road"], ["farm", "section", "building"]],
  document: {
    ground: "open",
    area: [
      { id: "wood", kind: "light-wood", outline: [[0, 0], [10, 0], [10, 10], [0, 10]] },
      { id: "height", kind: "hill", outline: [[0, 0], [60, 0], [60, 15], [0, 15]] },
    ],
    road: [{ id: "street", kind: "road", width: 5, path: [[0, 30], [60, 30]] }],
    building: [{ id: "farm", section: [{ id: "farm", outline: [[20, 10], [30, 10], [30, 20], [20, 20]] }] }],
    objective: [{ id: "farm", vp: 3, section: "farm" }, { id: "crossing", vp: 1, at: [40, 30], radius: 5 }],
  },
};
const board = new TableBoard("small", file);
const { sheet } = board;
const words = { lang: "en", find: () => undefined };

describe("points of a table", () => {
  it("have the names that the server gives them", () => {
    expect(sheet.names().slice(0, 4)).toEqual(["001-001", "003-001", "006-001", "008-001"]);
    expect(sheet.names()).toHaveLength(24 * 16);
    expect(sheet.centre("031-011")).toEqual({ x: 312.5 + EDGE, y: 112.5 + EDGE });
    for (const name of sheet.names()) expect(sheet.at(sheet.centre(name))).toBe(name);
    expect(sheet.has("032-011")).toBe(false);
    expect(sheet.has("0617")).toBe(false);
    expect(sheet.at({ x: 2, y: 2 })).toBeNull();
    expect(sheet.number("003-003")).toBe(25);
  });

  it("are walked by sixteen steps, and not over the edge", () => {
    expect(sheet.go("031-011", 4)).toBe("033-011");
    expect(sheet.go("031-011", 1)).toBe("033-006");
    expect(sheet.go("001-001", 0)).toBe("001-001");
    for (let f = 0; f < 16; f++) expect(sheet.go(sheet.go("031-021", f), (f + 8) % 16)).toBe("031-021");
    expect(sheet.step("031-011", "down")).toBe("031-013");
  });

  it("say what lies there", () => {
    expect(board.describe("006-006", words)).toBe("006-006, light wood, hill");
    expect(board.describe("031-031", words)).toBe("031-031, road");
    expect(board.describe("023-013", words)).toBe("023-013, building");
    expect(board.describe("051-021", words)).toBe("051-021, open");
  });

  it("are targets of verbs that point at points, and of no others", () => {
    const choices = matchTargets([["to", "031-011"], ["to", "999-999"], ["wait", ""]], { to: "point", wait: "none" }, board, []);
    expect([...choices.hexes.keys()]).toEqual(["031-011"]);
    expect(choices.buttons).toHaveLength(2);
    expect(matchTargets([["to", "031-011"]], { to: "number" }, board, []).hexes.size).toBe(0);
  });
});

describe("measuring", () => {
  it("rounds up to the centimetre and names the bearing", () => {
    expect(centimetres({ x: 0, y: 0 }, { x: 30, y: 40 })).toBe(5);
    expect(centimetres({ x: 0, y: 0 }, { x: 31, y: 40 })).toBe(6);
    expect(bearing({ x: 0, y: 0 }, { x: 10, y: -20 })).toBe("NNE");
    expect(FACINGS.map(([dx, dy]) => facingOf(dx, dy))).toEqual([...FACINGS.keys()]);
    expect(degrees(4)).toBe(90);
  });

  it("goes from edge to edge of bases", () => {
    const stand = (x: number): Standing => ({ at: { x, y: 0 }, facing: 0, radius: 1.5, half: 0 });
    const tank = (x: number, facing: number): Standing => ({ at: { x, y: 0 }, facing, radius: 1.5, half: 1.5 });
    expect(gapBetween(stand(0), stand(200))).toBe(17);
    expect(gapBetween(stand(0), tank(200, 4))).toBe(16); // it points at the stand: the server says 62 quarters
    expect(gapBetween(stand(0), tank(200, 0))).toBe(17);
    expect(gapBetween(tank(0, 4), tank(50, 4))).toBe(0);
  });

  it("lists targets by distance", () => {
    const found = byDistance(["051-011", "033-011", "nowhere"], "031-011", sheet);
    expect(found).toEqual([{ point: "033-011", cm: 3, bearing: "E" }, { point: "051-011", cm: 20, bearing: "E" }]);
  });

  it("unrolls what is seen", () => {
    expect(unrolled([2, 0, 3, 7])).toEqual([0, 0, 7, 7, 7]);
  });

  it("draws arcs", () => {
    expect(wedge({ x: 0, y: 0 }, 0, 90, 100)).toMatch(/^M-70\.7 -70\.7A100 100 0 0 1 70\.7 -70\.7L0\.0 0\.0Z$/);
    expect(wedge({ x: 0, y: 0 }, 0, 360, 100)).toContain("a100 100 0 1 0 200 0");
  });
});

describe("ways", () => {
  it("are walked back over the facings of arrival", () => {
    const ways = { start: "031-011", came: { "033-011": [4, 3], "036-011": [4, 5], "038-006": [1, 11] } };
    expect(wayTo("038-006", ways, board)).toEqual({ points: ["031-011", "033-011", "036-011", "038-006"], cm: 11 });
    expect(wayTo("051-011", ways, board)).toBeNull();
    expect(wayTo("036-011", null, board)).toBeNull();
    expect(wayTo("036-011", { start: "001-001", came: ways.came }, board)).toBeNull();
  });

  it("turn a verb of facings into a rose, and no other", () => {
    const found = facingActions([["face", "N"], ["face", "NNE"], ["load", "AP"], ["load", "E"], ["done", ""]]);
    expect([...found.keys()]).toEqual(["face"]);
  });
});

describe("scenery and models", () => {
  it("takes the roof off where somebody stands", () => {
    const closed = roofPath(board, ["051-011"]);
    expect(roofPath(board, ["023-013", "026-013"])).toBe(`${closed}M200 100L300 100L300 200L200 200Z`);
    expect(board.objectiveAt("farm")).toEqual({ x: 250 + EDGE, y: 150 + EDGE });
    expect(board.objectiveAt("crossing")).toEqual({ x: 400 + EDGE, y: 300 + EDGE });
    expect(board.objectiveAt("nothing")).toBeNull();
  });

  it("draws a model from what the view says, and guesses the rest", () => {
    expect(lookOf({ id: "fr-b1-1", class: "tank", size: 4, army: "FR" }, "allies")).toMatchObject({ base: "vehicle", army: "FR", turreted: true, size: 1.1 });
    expect(lookOf({ id: "de-x", class: "assault-gun" }, "axis")).toMatchObject({ base: "vehicle", army: "DE", turreted: false });
    expect(lookOf({ id: "de-pak-1", class: "at-gun" }, "axis").base).toBe("gun");
    expect(lookOf({ id: "su-rifle-1", class: "rifle" }, "allies")).toMatchObject({ base: "stand", army: "SU", figures: 5 });
    expect(lookOf({ id: "x", class: "strange", base: "gun" }, null).base).toBe("gun");
  });

  it("knows a table from a map", () => {
    expect(isTable(file)).toBe(true);
    expect(isTable({ hexes: {} })).toBe(false);
  });
});

describe("smoke", () => {
  const cloud = { box: [40, 40, 20, 20] as const };
  const at = (x: number, y: number) => quarter(x, y);

  it("stops a line that goes through it or ends in it, and no other", () => {
    expect(meetsCloud(at(0, 50), at(100, 50), cloud)).toBe(true);
    expect(meetsCloud(at(100, 50), at(0, 50), cloud)).toBe(true);
    expect(meetsCloud(at(50, 50), at(50, 100), cloud)).toBe(true);
    expect(meetsCloud(at(0, 50), at(30, 50), cloud)).toBe(false);
    expect(meetsCloud(at(0, 0), at(100, 30), cloud)).toBe(false);
    expect(meetsCloud(at(70, 0), at(70, 100), cloud)).toBe(false);
    expect(meetsCloud(at(0, 85), at(85, 0), cloud)).toBe(true);
    expect(meetsCloud(at(0, 75), at(75, 0), cloud)).toBe(false);
  });

  it("is read from the markers of a view", () => {
    expect(cloudsOf([{ kind: "smoke", box: [0, 0, 20, 20] }, { kind: "mines", x: 1, y: 1 }])).toHaveLength(1);
    expect(cloudsOf(undefined)).toHaveLength(0);
  });
  it("tell movement left in whole centimetres, never more than there is", () => {
    expect([592, 47, 48].map(inCentimetres)).toEqual(["12 cm", "0 cm", "1 cm"]);
  });
});
