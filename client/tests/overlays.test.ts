/** Overlays: what is shown at first, what a person wished, and updates by key. */
import { describe, expect, it } from "vitest";
import { isShown, lookOf, mergeOverlays } from "../src/model/overlays";

const reach = { key: "reach", title: "Reach", hexes: { "0101": 2 } };
const zone = { key: "zoc", title: "Zones of control", hexes: { "0102": "" } };
const lane = { key: "supply", title: "Supply", lines: [["0101", "0102"]] };

describe("overlays", () => {
  it("show what belongs to the decision, and the rest when asked for", () => {
    expect([reach, zone, lane].map((o) => isShown(o, {}))).toEqual([true, false, true]);
    expect([reach, zone, lane].map((o) => isShown(o, { reach: false, zoc: true }))).toEqual([false, true, true]);
  });
  it("are told apart by hatching too, not by colour alone", () => {
    const looks = [0, 1, 2, 3].map((i) => lookOf(i));
    expect(new Set(looks.map((l) => l.turn)).size).toBe(4);
    expect(new Set(looks.map((l) => l.colour)).size).toBe(4);
  });
  it("keep what an update does not mention, drop what it leaves out", () => {
    const wider = { ...reach, hexes: { "0101": 2, "0103": 3 } };
    expect(mergeOverlays([reach, zone], ["zoc", "reach"], [wider])).toEqual([zone, wider]);
    expect(mergeOverlays([reach, zone], ["zoc"], [])).toEqual([zone]);
  });
});
