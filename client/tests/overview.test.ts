import { describe, expect, it } from "vitest";
import { overviewOf } from "../src/model/overview";

describe("the situation in sentences", () => {
  const stacks = new Map([
    ["0101", [{ id: "a", side: "red" }, { id: "b", side: "red", cut_off: true }]],
    ["0102", [{ id: "#1", side: "blue", known: false }]],
    ["0105", [{ id: "#2", side: "blue", known: false }]],
    ["0109", [{ id: "mark" }]],
  ]);
  const beside = (key: string): string[] => [`010${Number(key[3]) - 1}`, `010${Number(key[3]) + 1}`];
  const found = overviewOf(stacks, (piece) => (piece.side === undefined ? null : piece.side === "red"), beside);

  it("counts one's own, the enemies, and who is near", () => {
    expect(found).toEqual({ own: 2, places: 1, enemies: 2, near: ["0102"], front: [["0101", 2]], hungry: ["b"] });
  });

  it("takes for hungry whom a layer marks as cut off, and whose supply is told as low", () => {
    const more = new Map([["0101", [{ id: "a", side: "red" }]], ["0102", [{ id: "b", side: "red", supply: "low" }, { id: "c", side: "red", supply: "full" }]], ["0103", [{ id: "d", side: "blue" }]]]);
    expect(overviewOf(more, (piece) => piece.side === "red", beside, new Set(["0101", "0103"])).hungry).toEqual(["a", "b"]);
  });
});
