import { describe, expect, it } from "vitest";
import { chosenWith, optionFound, optionGroups, usualOptions } from "../src/model/options";
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
