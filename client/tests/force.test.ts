import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ordersFor, readForce, writeForce, type ForSale } from "../src/model/force";

const OFFERS: readonly ForSale[] = [
  { id: "panzers-pz4h", model: "pz4h", unit: "de-pz4h-1", quality: "regular", had: 1, most: 2 },
  { id: "tigers-pz6", model: "pz6", unit: "de-pz6-1", quality: "veteran", had: 0, most: 2 },
  { id: "axis-mines", model: "mines", quality: "regular", had: 2, most: 3 },
];

describe("forces in files", () => {
  it("reads the example that the command line reads", () => {
    const list = readForce(readFileSync("../examples/forces/grenadiers-1944.toml", "utf-8"));
    expect(list?.nation).toBe("DE");
    expect(list?.lines).toContainEqual({ sort: "unit", name: "rifle", quality: "regular", count: 5 });
    expect(list?.lines).toContainEqual({ sort: "support", name: "off_m81h", quality: "regular", count: 1 });
  });

  it("refuses what is no list", () => {
    for (const text of ["", "hello", 'nation = "DE"', '[[unit]]\ncount = 2', 'nation = "DE"\n[[unit]]\nmodel = "rifle"\ncount = 0']) {
      expect(readForce(text)).toBeNull();
    }
  });

  it("gives back what one has, supports first, and buys units before supports", () => {
    const list = readForce('nation = "DE"\n[[support]]\nid = "mines"\n[[unit]]\nmodel = "pz6"\nquality = "veteran"\ncount = 3\n');
    const { orders, missing } = ordersFor(OFFERS, list!.lines);
    expect(orders.map((order) => order.join(" "))).toEqual([
      "sell axis-mines", "sell axis-mines", "sell panzers-pz4h", "buy tigers-pz6", "buy tigers-pz6", "buy axis-mines",
    ]);
    expect(missing).toEqual(["pz6 (veteran)"]);
  });

  it("writes what it reads", () => {
    const text = writeForce("DE", 1944, 1000, OFFERS);
    expect(readForce(text)?.lines).toEqual([
      { sort: "unit", name: "pz4h", quality: "regular", count: 1 },
      { sort: "support", name: "mines", quality: "regular", count: 2 },
    ]);
  });
});
