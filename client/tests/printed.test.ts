import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coveredOf, labelsOf, printedAs } from "../src/model/printed";

const drawing = readFileSync(new URL("../../src/grognard/games/bitw/data/art/labels.classic.en.svg", import.meta.url), "utf-8");

describe("the names that a drawn map prints", () => {
  const labels = labelsOf(drawing)!;

  it("are taken out of the drawing, and everything else stays", () => {
    expect(labels.printed.length).toBeGreaterThan(250);
    expect(labels.others).not.toContain(">Düsseldorf<");
    expect(labels.others).toContain("layer-legend");
    expect(labels.places).toContain(">Düsseldorf<");
    expect(labels.places).not.toContain("layer-legend");
    expect((labels.others.match(/<text /g) ?? []).length + labels.printed.length).toBe((drawing.match(/<text /g) ?? []).length);
    for (const part of [labels.others, labels.places]) expect((part.match(/<g[ >]/g) ?? []).length).toBe((part.match(/<\/g>/g) ?? []).length);
  });

  it("are found by the place near which they stand, in one line or in two", () => {
    const essen = labels.printed.find((one) => one.text === "(Essen)")!;
    const found = printedAs("Ruhr (Essen)", essen, labels.printed, 175);
    expect(found.map((one) => one.text)).toEqual(["Ruhr", "(Essen)"]);
    expect(printedAs("Ruhr (Essen)", { x: essen.x + 900, y: essen.y }, labels.printed, 175)).toEqual([]);
    expect(printedAs("Essen-Nord", essen, labels.printed, 175).map((one) => one.text)).toEqual(["(Essen)"]);
  });

  it("are not taken for a name that only begins alike", () => {
    const lyon = labels.printed.find((one) => one.text === "Lyon")!;
    expect(printedAs("Lyonnais", lyon, labels.printed, 175)).toEqual([]);
  });

  it("are left away where a pile covers a part of them, and not where it stands beside them", () => {
    const lyon = labels.printed.find((one) => one.text === "Lyon")!;
    const pile = (x: number) => ({ x, y: lyon.y + lyon.height / 2, wide: 28, high: 28 });
    expect(coveredOf("Lyon", pile(lyon.x - 20), labels.printed, 175).map((one) => one.text)).toEqual(["Lyon"]);
    expect(coveredOf("Lyon", pile(lyon.x - 30), labels.printed, 175)).toEqual([]);
    expect(coveredOf("Nice", pile(lyon.x - 20), labels.printed, 175)).toEqual([]);
  });

  it("are none in a drawing without them", () => {
    expect(labelsOf("<svg><g id='layer-x'></g></svg>")).toBeNull();
  });
});
