import { describe, expect, it } from "vitest";
import { changedOptions, chosenWith, optionFound, optionGroups, optionLabel, ruleNumber, scenarioTitle, usualOptions } from "../src/model/options";
import type { GameCard, OptionCard } from "../src/wire";

const one = (name: string, tier: string, chapter = ""): OptionCard => ({ name, rule: `${name}a`, choices: ["on", "off"], default: "off", title: `Rule ${name}`, tier, chapter });

describe("options in groups", () => {
  it("puts what everybody chooses first, chapters that are worth it next, doubtful readings last", () => {
    const list = [one("doubt", ""), ...["1", "2", "3"].map((n) => one(n, "proposal", "Infantry")), ...["4", "5", "6"].map((n) => one(n, "proposal", "Guns")), one("fog", "basic")];
    expect(optionGroups(list).map((group) => [group.kind, group.title, group.options.length])).toEqual([["first", "", 1], ["chapter", "Infantry", 3], ["chapter", "Guns", 3], ["readings", "", 1]]);
  });

  it("makes one group where each chapter would hold an option or two", () => {
    expect(optionGroups([one("1", "optional", "A"), one("2", "optional", "B"), one("3", "optional", "B")]).map((group) => [group.kind, group.options.length])).toEqual([["rules", 3]]);
  });

  it("finds by word, number and chapter, without accents", () => {
    const smoke = { ...one("107", "proposal", "L’infanterie"), title: "Fumigènes de section" };
    expect(["fumigenes", "107a", "infanterie section"].map((typed) => optionFound(smoke, typed))).toEqual([true, true, true]);
    expect(optionFound(smoke, "fumigenes canon")).toBe(false);
  });

  it("switches on what is needed, and off what cannot stand without it", () => {
    const list = [one("advanced", "advanced"), { ...one("recon", "optional"), needs: ["advanced"] }, { ...one("stukas", "optional"), needs: ["recon"] }, { ...one("calm", "optional"), excludes: ["stukas"] }];
    const none = { advanced: "off", recon: "off", stukas: "off", calm: "on" };
    const stukas = chosenWith(list, none, "stukas", "on");
    expect(stukas).toEqual({ advanced: "on", recon: "on", stukas: "on", calm: "off" });
    expect(chosenWith(list, stukas, "advanced", "off")).toEqual({ advanced: "off", recon: "off", stukas: "off", calm: "off" });
  });

  it("takes the scenario's value before the game's", () => {
    const card = { options: [one("advanced", "advanced"), one("fog", "basic")], scenarios: [{ name: "long", title: "", options: { advanced: "on" } }, { name: "short", title: "" }] } as unknown as GameCard;
    expect([usualOptions(card, "long"), usualOptions(card, "short")]).toEqual([{ advanced: "on", fog: "off" }, { advanced: "off", fog: "off" }]);
  });
});

describe("the options of a table", () => {
  const fog = { ...one("fog", "basic"), title: "Fog of war", rule: "1.3" };
  const sea = { ...one("sea", "optional"), title: "Naval movement (18.0)", rule: "18.0a" };
  const card = { game: "x", title: "X", scenarios: [{ name: "A", title: "A", options: { sea: "on" } }], options: [fog, sea] } as unknown as GameCard;

  it("are told where they are not those of the scenario", () => {
    expect(changedOptions(card, "A", { fog: "on", sea: "on" }).map((each) => each.name)).toEqual(["fog"]);
    expect(changedOptions(card, "A", { fog: "off", sea: "off" }).map((each) => each.name)).toEqual(["sea"]);
    expect(changedOptions(card, "A", {})).toEqual([]);
  });

  it("say their rule once, and no name that only the code has", () => {
    expect(optionLabel(sea)).toEqual({ title: "Naval movement", rule: "18.0a" });
    expect(optionLabel({ ...sea, title: "Both (6.3, 8)", rule: "6.3" })).toEqual({ title: "Both", rule: "6.3, 8" });
    expect(optionLabel({ ...sea, title: "Whose flak (A17)", rule: "6.5c" })).toEqual({ title: "Whose flak (A17)", rule: "6.5c" });
    expect(["0-tiers", "34.0-cash", "13.8.1.2-radar-c", "guide-ports", "24.5-sub", "107a"].map(ruleNumber)).toEqual(["", "34.0", "13.8.1.2", "", "24.5", "107a"]);
  });

  it("belong to a scenario that the owner of the box finds by its number", () => {
    expect(scenarioTitle({ name: "SBW6", title: "Victory in the West" })).toBe("SBW6 · Victory in the West");
    expect(scenarioTitle({ name: "fall-gelb", title: "Fall Gelb" })).toBe("Fall Gelb");
  });
});
