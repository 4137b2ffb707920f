/** Surrender: armies and fleets of 1940-45 as counters in national colours; weather, points and markers by faction. */
import type { Piece, Side } from "../../wire";
import { generic } from "../generic";
import { colourOf, monthName, NATIONS, two } from "../nations";
import type { Context, Face, Fact, HexMark, Mark, Skin } from "../skin";
import { branchOf } from "../symbols";

const COUNTRIES: { readonly [country: string]: string } = { usa: "us", "united-states": "us", "united-kingdom": "uk" };
const SIDES: { readonly [side: string]: string } = { axis: "germany", western: "us", soviet: "ussr" };

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function marks(piece: Piece, lang: string): Mark[] {
  const found: Mark[] = [];
  if (piece["supply"] === "low") found.push({ text: "½", title: two(lang, "low supply", "mal ravitaillé"), tone: "warn" });
  if (piece["supply"] === "none") found.push({ text: "!", title: two(lang, "unsupplied", "sans ravitaillement"), tone: "warn" });
  if (typeof piece["sorties"] === "number" && piece["sorties"] > 0) found.push({ text: String(piece["sorties"]), title: two(lang, `sorties flown: ${piece["sorties"]}`, `sorties effectuées : ${piece["sorties"]}`) });
  return found;
}

export const skin: Skin = {
  ...generic,
  name: "surrender",

  colours: (side: Side) => colourOf(SIDES[side] ?? side),

  face(piece: Piece, context: Context): Face {
    const country = text(piece["country"]);
    const nation = COUNTRIES[country] ?? country;
    const colours = nation in NATIONS ? NATIONS[nation]! : this.colours(this.sideOf(piece, context.sides) ?? "", context.sides);
    const branch = branchOf(text(piece["kind"])) ?? "infantry";
    const ground = ["infantry", "motorised", "armour", "cavalry", "mechanised"].includes(branch);
    const shock = piece["kind"] === "shock";
    return {
      ...colours,
      shape: "counter",
      branch,
      ...(ground ? { echelon: "army" } : {}),
      top: "",
      bottom: short(context.words.find(`name.${piece.id}`) ?? (text(piece["name"]) || piece.id)),
      ...(piece["elite"] || shock ? { stripe: "#d9b23c" } : {}),
      ...(piece["reduced"] ? { middle: "–" } : {}),
      spent: Boolean(piece["done"]),
      marks: [...(piece["reduced"] ? [{ text: "–", title: two(context.words.lang, "reduced", "réduite") }] : []), ...marks(piece, context.words.lang)],
    };
  },

  control(context: Context) {
    const held = context.view["held"];
    const found = new Map<string, Side>();
    for (const [hex, side] of Object.entries((held ?? {}) as Record<string, Side>)) if (context.board.sheet.has(hex)) found.set(hex, side);
    return found;
  },

  holder(context: Context, hex: string): Side | null {
    return ((context.view["towns"] ?? {}) as Record<string, Side>)[hex] ?? null;
  },

  hexMarks(context: Context): HexMark[] {
    const lang = context.words.lang;
    const list = (key: string): string[] => (Array.isArray(context.view[key]) ? (context.view[key] as unknown[]).filter((h): h is string => typeof h === "string" && context.board.sheet.has(h)) : []);
    return [
      ...list("bombed_hexes").map((hex) => ({ hex, text: "×", title: two(lang, "bombed factory", "usine bombardée"), tone: "warn" as const })),
      ...list("no_ezoc").map((hex) => ({ hex, text: "Z", title: two(lang, "zone of control cancelled", "zone de contrôle annulée") })),
    ];
  },

  banner(context: Context): string {
    const { view, words } = context;
    const skies = [...new Set(pairs(view["weather"]).map(([, weather]) => words.find(`weather.${weather}`) ?? weather))];
    const date = text(view["date"]);
    const sky = skies.length ? two(words.lang, `${skies.join(" / ")} weather`, `météo ${skies.join(" / ")}`) : "";
    return [date ? monthName(date, words.lang) : "", sky].filter(Boolean).join(" · ");
  },

  status(context: Context): readonly Fact[] {
    const { view, words } = context;
    const lang = words.lang;
    const facts: Fact[] = [];
    const date = text(view["date"]);
    if (date) facts.push({ label: two(lang, "Date", "Date"), value: monthName(date, lang), rule: "turn-month" });
    facts.push({ label: two(lang, "Turn", "Tour"), value: `${String(view["turn"])} / ${String(view["turns"])}`, rule: "victory-check" });
    for (const [zone, weather] of pairs(view["weather"])) facts.push({ label: `${two(lang, "Weather", "Météo")}, ${words.find(`zone.${zone}`) ?? zone}`, value: words.find(`weather.${weather}`) ?? weather, rule: "weather-roll" });
    for (const [country, lost] of pairs(view["fac_lost"])) facts.push({ label: `${two(lang, "Factories lost", "Usines perdues")}, ${words.name(country)}`, value: lost, rule: "factory-germany" });
    for (const [country, points] of pairs(view["points"])) facts.push({ label: `${two(lang, "Points", "Points")}, ${words.name(country)}`, value: points, rule: "economy-pp" });
    for (const [side, hand] of Object.entries((view["markers"] ?? {}) as Record<string, Record<string, number>>))
      for (const [marker, count] of Object.entries(hand)) facts.push({ label: words.name(marker), value: String(count), side, rule: "event-hand" });
    return facts;
  },
};

const pairs = (value: unknown): [string, string][] => (value && typeof value === "object" ? Object.entries(value).map(([k, v]) => [k, String(v)]) : []);

/** "XVI. Pz.K. Hoepner" becomes "Hoepner", "1re Armée" stays: the word that players use. */
function short(name: string): string {
  const numbered = /^(\S{4})\S*\s+(\d+)$/.exec(name); // of several alike the number tells which
  if (numbered && name.length > 10) return `${numbered[1]}. ${numbered[2]}`;
  if (name.length <= 10) return name;
  const words = name.split(/\s+/);
  const last = words[words.length - 1]!;
  if (!/^\p{Lu}/u.test(last) || /^[dl][’']/.test(last)) return words.slice(0, 2).join(" ").slice(0, 10);
  return last.length >= 4 && last.length <= 11 ? last : `${name.slice(0, 9)}…`;
}
