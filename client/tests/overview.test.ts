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
    expect(found).toEqual({ own: 2, places: 1, enemies: 2, near: ["0102"], hungry: ["b"] });
  });
});
