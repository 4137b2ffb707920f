import { describe, expect, it } from "vitest";
import { HIGH, namesBeside, untold, type Pile } from "../src/model/naming";

const pile = (key: string, x: number, y: number, name: string, large = false): Pile => ({ key, x, y, wide: 28, high: 28, name, large });

describe("names of places that pieces hide", () => {
  it("stand to the right of their pile, over what is left of the printed name", () => {
    const [one] = namesBeside([pile("a", 100, 100, "Genova")]);
    expect(one!.x - one!.width / 2).toBeCloseTo(126);
    expect(one!.y).toBe(100);
  });

  it("never lie on a pile or on each other", () => {
    const piles = Array.from({ length: 30 }, (_, i) => pile(String(i), 60 + (i % 6) * 87 + (Math.floor(i / 6) % 2) * 43, 60 + Math.floor(i / 6) * 75, `Villers ${i}`));
    const names = namesBeside(piles);
    expect(names.length).toBeGreaterThan(3);
    for (const one of names) {
      for (const other of names) if (one !== other) expect(Math.abs(one.x - other.x) >= (one.width + other.width) / 2 || Math.abs(one.y - other.y) >= HIGH).toBe(true);
      for (const p of piles) if (p.key !== one.key) expect(Math.abs(one.x - p.x) >= one.width / 2 + 28 || Math.abs(one.y - p.y) >= HIGH / 2 + 28).toBe(true);
    }
  });

  it("of a town of two hexes is told once", () => {
    expect(namesBeside([pile("a", 100, 100, "Caen", true), pile("b", 300, 100, "Caen", true)]).length).toBe(1);
  });

  it("of a town is told even without room, of a village not", () => {
    const crowd = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => ({ x: 100 + dx * 57, y: 100 + dy * 57, wide: 28, high: 28 }))).filter(({ x, y }) => x !== 100 || y !== 100);
    expect(namesBeside([pile("a", 100, 100, "Caen", true)], crowd).map((one) => one.y > 100)).toEqual([true]);
    expect(namesBeside([pile("a", 100, 100, "Cheux")], crowd)).toEqual([]);
  });

  it("of a hamlet, and of a village without room, are known to stand nowhere", () => {
    const crowd = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => pile(`${dx} ${dy}`, 100 + dx * 57, 100 + dy * 57, dx === 1 && dy === 1 ? "Brix" : ""))).filter(({ x, y }) => x !== 100 || y !== 100);
    const piles = [pile("a", 100, 100, "Cheux"), pile("b", 600, 600, "Caen", true)];
    expect(untold([...piles, ...crowd], namesBeside(piles, crowd)).map(({ name }) => name)).toEqual(["Cheux", "Brix"]);
  });
});
