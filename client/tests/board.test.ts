/** Boxes: those that the drawn map has, those on a sheet beside it, and those that nobody drew. */
import { describe, expect, it } from "vitest";
import { Board } from "../src/model/board";
import type { MapFile } from "../src/model/mapfile";
import { board as picket, recorded } from "./fixture";

const named = (word: string) => ({ name: { en: word }, kind: "box" });
const file: MapFile = {
  format: 1, name: "test", title: { en: "Test" }, terrain: { clear: { en: "Clear" } },
  grid: { orientation: "flat", rows: 1, cols: 1, shifted: "even", shift: "south", numbering: { order: "col-row", digits: [2, 2], rows_grow: "south", cols_grow: "east" } },
  hexes: { "0101": { terrain: "clear" } },
  areas: { usa: named("United States"), atlantic: { name: { en: "Atlantic" }, kind: "sea" } },
};
const beside = { name: "boxes", areas: { paris: { ...named("Paris"), at: [100, 80] as const } }, size: [300, 200] as const, box: [150, 96] as const };

describe("boxes", () => {
  const board = new Board("map", file, beside, { usa: [40, 50, 140, 98] });
  it("finds a box on the map where the drawing has it", () => {
    expect(board.boxAt("usa")).toEqual({ x: 40, y: 50, width: 140, height: 98 });
  });
  it("finds a box on the sheet beside the map", () => {
    expect(board.boxAt("paris")).toEqual({ x: board.besideX + 25, y: 32, width: 150, height: 96 });
  });
  it("lays pieces inside the box, below its name", () => {
    const centre = board.centre({ kind: "area", key: "usa" })!;
    expect(centre.x).toBe(110);
    expect(centre.y).toBeGreaterThan(50 + 98 / 2);
    expect(centre.y).toBeLessThan(50 + 98 - 25);
  });
  it("lists only what is drawn nowhere", () => {
    expect(board.boxes().map(([key]) => key)).toEqual(["atlantic"]);
    expect(board.drawnBoxes().map(([key]) => key)).toEqual(["usa", "paris"]);
  });
  it("tells directions clockwise from the north, and the towns that a text speaks of", () => {
    const [x, y] = [(hex: string) => picket.sheet.centre(hex).x, (hex: string) => picket.sheet.centre(hex).y];
    const around = picket.sheet.neighbours("0405");
    expect(picket.bearings("0405", around)).toEqual(["ne", "e", "se", "sw", "w", "nw"]);
    const north = around.filter((next) => y(next) < y("0405") && x(next) > x("0405"));
    expect(picket.bearings("0405", north)).toEqual(["ne"]);
    expect(picket.placesIn("Tenez Clary, ou Aubry ; Pontoise ne compte pas.", "fr")).toEqual([["Clary", "0607"], ["Aubry", "0205"]]);
  });
  it("finds a town by its name as people type it", () => {
    expect(picket.named("AUBRY", "fr")).toEqual({ kind: "hex", key: "0205" });
    expect(picket.named("clar", "fr")).toEqual({ kind: "hex", key: "0607" });
    expect(picket.named("Paris", "fr")).toBeNull();
  });
  it("says what a hex has on its sides and in it", () => {
    const sides = Object.entries(recorded.map.sides ?? {}).filter(([, side]) => side.river);
    const [hex] = sides[0]![0].split("|") as [string, string];
    const wet = sides.filter(([pair]) => pair.split("|").includes(hex)).length;
    expect(new Map(picket.features(hex)).get("rivers")).toHaveLength(wet);
    for (const next of new Map(picket.features(hex)).get("rivers")!) expect(picket.sheet.neighbours(hex)).toContain(next);
    expect(picket.features("0103").filter(([name]) => name === "port")).toEqual([]);
    const port = new Board("map", { ...recorded.map, hexes: { ...recorded.map.hexes, "0103": { terrain: "clear", tags: ["port"] } } });
    expect(port.features("0103").map(([name]) => name)).toContain("port");
  });
});

describe("names of hexes", () => {
  const place = (word: string, facts: object) => ({ name: { en: word }, hexes: ["0101"], ...facts });
  const called = (places: { [key: string]: ReturnType<typeof place> }) => new Board("map", { ...file, places }).placeIn("0101")?.name.en;

  it("are those that the map prints, where it prints one", () => {
    const places = { paris: place("Paris", { class: "capital" }), issy: place("Issy", { class: "site" }) };
    expect(called(places)).toBe("Paris");
    const printed = new Board("map", { ...file, places, hexes: { ...file.hexes, "0101": { ...file.hexes["0101"]!, place: "issy" } } });
    expect(printed.placeIn("0101")?.name.en).toBe("Issy");
  });
  it("are those of the first place by rank, not by the alphabet", () => {
    expect(called({ bochum: place("Bochum", { class: "minor" }), essen: place("Essen", { class: "major" }) })).toBe("Essen");
    expect(called({ bochum: place("Bochum", { class: "major" }), ruhr: place("Ruhr (Essen)", { class: "major", population: 3 }) })).toBe("Ruhr (Essen)");
    expect(called({ heilbronn: place("Heilbronn", { class: "major" }), stuttgart: place("Stuttgart", { class: "major", src: "proposed" }) })).toBe("Stuttgart");
    expect(called({ a: place("Nowhere", { class: "odd" }), b: place("Hamlet", { class: "hamlet" }) })).toBe("Hamlet");
  });
});
