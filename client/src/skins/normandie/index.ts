/** Normandie 1944: cardboard counters with attack, defence and movement; disorder, supply and reserve as marks. */
import { hidesNothing } from "../open";
import type { Piece, Side } from "../../wire";
import { generic } from "../generic";
import { colourOf, dayNames, two } from "../nations";
import { t } from "../../text";
import type { Context, Face, Fact, HexMark, Mark, Skin } from "../skin";

const KINDS: readonly (readonly [RegExp, string, string?])[] = [
  [/para|glider|_fj$/, "para", "regiment"],
  [/_td$/, "antitank", "battalion"],
  [/ranger|cdo/, "ranger", "battalion"],
  [/heavy/, "heavy_armour", "battalion"],
  [/_tk$|pzabt|armreg/, "armour", "battalion"],
  [/pzgr/, "mechanised", "regiment"],
  [/_cc|_ccr|_arm$|armbde|_79/, "armour", "brigade"],
  [/_pz$|sspz$/, "armour", "regiment"],
  [/lorried/, "motorised", "brigade"],
  [/flak/, "flak", "regiment"],
  [/cycle/, "cyclist", "brigade"],
  [/battery/, "artillery"],
  [/div|_lw$/, "infantry", "division"],
  [/uk_inf/, "infantry", "brigade"],
  [/inf|static|kg/, "infantry", "regiment"],
];
const GROUPS: { readonly [group: string]: string } = { american: "us", anglo_canadian: "uk", german: "germany" };
const FORT = /garrison|festung/;
const ALLIED = 1;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const days = (view: Context["view"], lang: string): string => {
  const [first, last] = Array.isArray(view["dates"]) ? (view["dates"] as string[]) : [];
  return first && last ? dayNames(first, last, lang) : "";
};
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.filter((v): v is number => typeof v === "number") : []);

function marksOf(piece: Piece, lang: string): Mark[] {
  const marks: Mark[] = [];
  if (number(piece["disorder"])) marks.push({ text: `D${number(piece["disorder"]) > 1 ? "2" : ""}`, title: two(lang, "disordered", "désorganisée"), tone: "warn" });
  if (number(piece["unsupplied"])) marks.push({ text: "!", title: two(lang, "unsupplied", "sans ravitaillement"), tone: "warn" });
  if (number(piece["reserve"])) marks.push({ text: "R", title: two(lang, "in reserve", "en réserve"), tone: "good" });
  if (number(piece["resting"])) marks.push({ text: "z", title: two(lang, "resting", "au repos") });
  if (number(piece["affected"])) marks.push({ text: "A", title: two(lang, "affected", "affectée") });
  return marks;
}

/** The rule by which a scenario counts its points or is won. */
const POINTS_OF: { readonly [scenario: string]: string } = { cherbourg: "11.1-vic-us", cobra: "11.2-victory" };

export const skin: Skin = {
  ...generic,
  inside: { "f-paris": "paris", "f-brest": "brest", "f-lorient": "rennes", "f-stnazaire": "rennes" },
  name: "normandie",
  open: (state) => hidesNothing(state.game, state.options),

  colours: (side: Side) => colourOf(side === "german" ? "germany" : "us"),

  face(piece: Piece, context: Context): Face {
    const kind = text(piece["kind"]);
    const colours = kind.startsWith("ger_ss") ? colourOf("ss") : kind === "ger_fj" || kind === "ger_lw" || kind === "ger_flak" ? colourOf("luftwaffe") : colourOf(GROUPS[text(piece["group"])] ?? (piece.side === "german" ? "germany" : "us"));
    const [, branch, echelon] = KINDS.find(([pattern]) => pattern.test(kind)) ?? [null, null, undefined];
    const hq = kind === "hq";
    const values = hq ? `+${number(piece["bonus"])}   ${number(piece["move"])}` : FORT.test(kind) ? String(number(piece["defence"])) : `${number(piece["attack"])}-${number(piece["defence"])}-${number(piece["move"])}`;
    return {
      ...colours,
      shape: "counter",
      ...(branch ? { branch } : { middle: hq ? short(text(piece["name"])) : FORT.test(kind) ? "Fort" : kind === "ffi" ? "FFI" : kind.slice(0, 4) }),
      ...(echelon ? { echelon } : {}),
      top: hq ? "XXX" : echelon ? "" : short(text(piece["name"])),
      bottom: values,
      side: echelon ? short(text(piece["name"]), 9) : "",
      ...(number(piece["full"]) > 1 && number(piece["steps"]) < number(piece["full"]) ? { stripe: "#f3efe2" } : {}),
      spent: Boolean(piece["moved"] || piece["finished"]),
      marks: marksOf(piece, context.words.lang),
    };
  },

  control(context: Context): ReadonlyMap<string, Side> {
    const control = numbers(context.view["control"]);
    const found = new Map<string, Side>();
    context.board.numbers.forEach((hex, i) => {
      const place = context.board.placeIn(hex);
      const town = place !== undefined && ["city", "town", "major", "port", "village"].includes(place.class ?? "");
      if (!town) return;
      if (control[i] === ALLIED) found.set(hex, "allied"); // the rest is German, as it was
    });
    return found;
  },

  holder(context: Context, hex: string): Side | null {
    const held = numbers(context.view["control"])[context.board.numbers.indexOf(hex)];
    return held === undefined || context.board.file.hexes[hex]?.terrain === "sea" ? null : held === ALLIED ? "allied" : "german";
  },

  hexMarks(context: Context): HexMark[] {
    const lang = context.words.lang;
    const [offensive, rubble, confusion, depots] = ["offensive", "rubble", "confusion", "german_depot"].map((key) => numbers(context.view[key])) as [number[], number[], number[], number[]];
    const marks: HexMark[] = [];
    context.board.numbers.forEach((hex, i) => {
      if (offensive[i]) marks.push({ hex, text: `O${offensive[i]! > 1 ? offensive[i] : ""}`, title: two(lang, `Offensive markers: ${offensive[i]}`, `marqueurs Offensive : ${offensive[i]}`), tone: "good" });
      if (rubble[i]) marks.push({ hex, text: "×", title: two(lang, "rubble", "ruines") });
      if (confusion[i]) marks.push({ hex, text: "?", title: two(lang, "confusion", "confusion"), tone: "warn" });
      if (depots[i]) marks.push({ hex, text: `S${depots[i]! - 1}`, title: two(lang, `German depot, ${depots[i]! - 1}`, `dépôt allemand, ${depots[i]! - 1}`) });
    });
    return [...marks, ...patrols(context)];
  },

  banner(context: Context): string {
    const { view, words } = context;
    const sky = view["storm"] ? two(words.lang, "storm", "tempête") : view["weather"] ? two(words.lang, "overcast", "couvert") : two(words.lang, "clear", "beau");
    const phase = text(view["phase"]) ? t("phase.ofTurn", { turn: number(view["turn"]), phase: text(view["phase"]) }) : "";
    return [phase, days(view, words.lang), sky].filter(Boolean).join(" · ");
  },

  status(context: Context): readonly Fact[] {
    const { view, words } = context;
    const lang = words.lang;
    const [points, got, replacements] = ["points", "got", "replacements"].map((key) => numbers(view[key])) as [number[], number[], number[]];
    const facts: Fact[] = [
      { label: two(lang, "Turn", "Tour"), value: `${String(view["turn"])} ${text(view["phase"])}`, rule: "1.1.5c" },
      ...(days(view, lang) ? [{ label: two(lang, "Dates", "Dates"), value: days(view, lang) }] : []),
      { label: two(lang, "Weather", "Météo"), value: view["weather"] ? two(lang, "overcast", "couvert") : two(lang, "clear", "beau"), rule: "1.1.1.1a" },
    ];
    if (view["storm"]) facts.push({ label: two(lang, "Storm", "Tempête"), value: "✓", rule: "1.1.1.1g" });
    if (number(view["allied_markers"])) facts.push({ label: two(lang, "Allied Offensive markers in reserve", "Marqueurs Offensive alliés en réserve"), value: String(view["allied_markers"]), rule: "1.1.1.2e" });
    if (replacements.some(Boolean)) facts.push({ label: two(lang, "German replacements, infantry / armour", "Remplacements allemands, infanterie / blindés"), value: replacements.join(" / "), rule: "1.1.1.3d" });
    context.sides.slice(0, points.length).forEach((side, i) => {
      facts.push({ label: two(lang, "Victory points", "Points de victoire"), value: String(points[i] ?? 0), side, rule: POINTS_OF[text(view["scenario"])] ?? "11.3-vp-step" });
      facts.push({ label: two(lang, "Offensive markers received", "Marqueurs Offensive reçus"), value: String(got[i] ?? 0), side, rule: "1.1.1.2d" });
    });
    return facts;
  },
};

/** 9.2 Aircraft over a zone: a mark in its middle. */
function patrols({ view, board, words }: Context): HexMark[] {
  const zones = (view["aids"] as { interdicted?: unknown } | undefined)?.interdicted;
  return (Array.isArray(zones) ? zones : []).flatMap((zone: unknown): HexMark[] => {
    const middle = typeof zone === "string" ? board.centre({ kind: "area", key: zone }) : null;
    const hexes = typeof zone === "string" ? (board.area(zone)?.hexes ?? []) : [];
    if (!middle || !hexes.length) return [];
    const far = (hex: string): number => {
      const at = board.centre({ kind: "hex", key: hex });
      return at ? Math.hypot(at.x - middle.x, at.y - middle.y) : Infinity;
    };
    const hex = [...hexes].sort((a, b) => far(a) - far(b))[0]!;
    return [{ hex, text: "✈", title: two(words.lang, "fighter-bombers over the zone", "chasseurs-bombardiers sur la zone"), tone: "warn" }];
  });
}

const short = (name: string, most = 8): string => (name.length <= most ? name : `${name.slice(0, most - 1)}…`);
