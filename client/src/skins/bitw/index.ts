/** Blocks in the West: wooden blocks in national colours, strength in the corner, steps as dots, aircraft and forts apart. */
import { hidesNothing } from "../open";
import type { Piece, Side } from "../../wire";
import { generic, markWords } from "../generic";
import { colourOf, monthName, two } from "../nations";
import type { Context, Face, Fact, HexMark, Mark, Overlay, Skin } from "../skin";
import { branchOf } from "../symbols";
import { seaOverlays } from "./seas";

const NATION: { readonly [code: string]: string } = {
  DE: "germany", IT: "italy", RSI: "rsi", UK: "uk", US: "us", FR: "france", NL: "netherlands", BE: "belgium", NO: "norway", DK: "denmark", FF: "free-france",
};
/** In the order in which the views list the powers. */
const POWERS = ["DE", "IT", "RSI", "UK", "US", "FR", "NL", "BE", "NO", "DK", "FF"] as const;
const AXIS = new Set(["DE", "IT", "RSI"]);
/** Who holds a country when nothing has been conquered. */
const HOME: { readonly [country: string]: Side } = { GER: "axis", ITA: "axis", FRA: "allies", GBR: "allies", NED: "allies", BEL: "allies", LUX: "allies", NOR: "allies", DEN: "allies" };
const BRANCH: { readonly [kind: string]: string } = { static: "infantry", tankette: "light_armour", motorised: "motorised", strategic_bomber: "strategic_bomber" };
const ECHELON: { readonly [kind: string]: string } = { tank: "corps", infantry: "corps", motorised: "corps", mountain: "corps", artillery: "army" };
const MIDDLE: { readonly [kind: string]: string } = { fort: "Fort", leader: "★", strategic_hq: "HQ", armour_hq: "HQ", air_hq: "HQ", mulberry: "Port" };
const [OUT_OF_SUPPLY, MOVED, FOUGHT, , , GROUNDED] = [1, 2, 4, 8, 16, 32];
/** Marks of the owner in `orders`: ashore, waiting for the second wave, in reserve, by parachute. */
const ORDERS: readonly (readonly [number, string, string, string])[] = [
  [1024, "⌄", "landed this turn", "débarqué ce tour"],
  [2048, "⚓", "waits for the second wave", "attend la seconde vague"],
  [8192 | 16384, "R", "in reserve", "en réserve"],
  [32768, "☂", "dropped this turn", "parachuté ce tour"],
];
/** The points of the Advanced game in the order of the columns; what they look like without colour is their word. */
const POINTS: readonly (readonly [string, string, string])[] = [["pp", "yellow", "jaune"], ["red", "red", "rouge"], ["blue", "blue", "bleu"], ["black", "black", "noir"]];
const NOBODY = 255;
/** Who is in range of an active HQ stands out from the dark blocks, the rivers and the gold of who can be chosen. */
const FUEL = "#c2006b";

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.filter((v): v is number => typeof v === "number") : []);

function coloursOf(piece: Piece): { fill: string; ink: string } {
  const traits = Array.isArray(piece["traits"]) ? (piece["traits"] as string[]) : [];
  if (traits.includes("ss") || /\bSS\b/.test(text(piece["name"]))) return colourOf("ss");
  if (piece["nation"] === "DE" && (piece["shape"] === "air" || traits.includes("luftwaffe"))) return colourOf("luftwaffe");
  return colourOf(NATION[text(piece["nation"])] ?? "neutral");
}

function marksOf(piece: Piece, lang: string): Mark[] {
  const flags = typeof piece["flags"] === "number" ? piece["flags"] : 0;
  const marks: Mark[] = [];
  if (flags & OUT_OF_SUPPLY!) marks.push({ text: "!", title: two(lang, "out of supply", "hors ravitaillement"), tone: "warn" });
  if (flags & FOUGHT!) marks.push({ text: "×", title: two(lang, "has fought", "a combattu") });
  if (flags & GROUNDED!) marks.push({ text: "▼", title: two(lang, "grounded", "cloué au sol") });
  if (piece["active"]) {
    const left = typeof piece["fuel"] === "number" ? piece["fuel"] : null;
    marks.push({ text: `★${left ?? ""}`, tone: "good", title: left === null ? two(lang, "active", "actif") : two(lang, `active, action points left: ${left}`, `actif, points d'action restants : ${left}`) });
  }
  const orders = typeof piece["orders"] === "number" ? piece["orders"] : 0;
  for (const [bits, sign, en, fr] of ORDERS) if (orders & bits) marks.push({ text: sign, title: two(lang, en, fr) });
  return marks;
}

export const skin: Skin = {
  ...generic,
  name: "bitw",

  colours: (side: Side) => colourOf(side === "axis" ? "germany" : "us"),

  open: (state) => hidesNothing(state.game, state.options),

  face(piece: Piece, context: Context): Face {
    const colours = coloursOf(piece);
    const shape = piece["shape"] === "air" ? "round" : "block";
    const marks = marksOf(piece, context.words.lang);
    const flags = typeof piece["flags"] === "number" ? piece["flags"] : 0;
    if (piece.known === false) {
      const seen = text(piece["remembered"]);
      return { ...colours, shape, hidden: true, marks, ...(seen ? { ghost: short(context.words.name(seen)) } : {}) };
    }
    const kind = text(piece["kind"]);
    const pattern = numbers(piece["pattern"]).filter((n) => n > 0);
    const strength = typeof piece["steps"] === "number" ? piece["steps"] : 0;
    const branch = BRANCH[kind] ?? branchOf(kind);
    return {
      ...colours,
      shape,
      ...(branch ? { branch } : { middle: MIDDLE[kind] ?? short(kind) }),
      ...(ECHELON[kind] ? { echelon: ECHELON[kind] } : {}),
      top: branch && ECHELON[kind] ? "" : short(text(piece["name"])),
      side: branch && ECHELON[kind] ? short(text(piece["name"]), 10) : "",
      corner: String(strength) + (piece["half"] ? "½" : ""),
      steps: pattern.filter((n) => n <= strength).length,
      full: pattern.length,
      spent: Boolean(flags & MOVED!),
      marks,
    };
  },

  describe(piece: Piece, context: Context): string {
    if (piece.known !== false) {
      const word = two(context.words.lang, "strength", "force");
      return `${text(piece["name"]) || piece.id} (${text(piece["nation"])}), ${word} ${[String(piece["steps"]) + staff(piece, context), ...markWords(this.face(piece, context)), ...price(piece, context)].join(", ")}`;
    }
    const back = generic.describe(piece, context);
    const nation = text(piece["nation"]);
    return `${back}, ${context.words.find(`name.${nation}`) ?? nation}`;
  },

  /** Only what players mark on a printed map: places that their enemy has taken. */
  control(context: Context): ReadonlyMap<string, Side> {
    const owner = numbers(context.view["owner"]);
    const found = new Map<string, Side>();
    if (!owner.length) return found;
    context.board.numbers.forEach((hex, i) => {
      const power = owner[i] ?? NOBODY;
      if (power === NOBODY || !context.board.placeIn(hex)) return;
      const side = AXIS.has(POWERS[power] ?? "") ? "axis" : "allies";
      if (HOME[String(context.board.file.hexes[hex]?.["country"])] !== side) found.set(hex, side);
    });
    return found;
  },

  holder(context: Context, hex: string): Side | null {
    const power = numbers(context.view["owner"])[context.board.numbers.indexOf(hex)] ?? NOBODY;
    return power === NOBODY ? null : AXIS.has(POWERS[power] ?? "") ? "axis" : "allies";
  },

  hexMarks(context: Context): HexMark[] {
    const lang = context.words.lang;
    const marks: HexMark[] = [];
    const [works, burnt] = [numbers(context.view["works"]), numbers(context.view["burnt"])];
    context.board.numbers.forEach((hex, i) => {
      if (works[i]) marks.push({ hex, text: works[i] === 2 ? "F" : "B", title: works[i] === 2 ? two(lang, "fortress", "forteresse") : two(lang, "bunker", "bunker") });
      if (burnt[i]) marks.push({ hex, text: "×", title: two(lang, "factories destroyed", "usines détruites"), tone: "warn" });
    });
    for (const hex of words(context.view["seen_hexes"])) marks.push({ hex, text: "◉", title: two(lang, "looked into: bombs and guns at full strength", "reconnu : bombes et canons à pleine force"), tone: "good" });
    for (const [hex, discs] of Object.entries((context.view["partisan_discs"] ?? {}) as { [hex: string]: number })) marks.push({ hex, text: `P${discs}`, title: two(lang, "partisans", "partisans") });
    const hits = numbers(context.view["harbour_hits"]);
    (Array.isArray(context.view["harbour"]) ? context.view["harbour"] : []).forEach((hex: unknown, i: number) => {
      if (typeof hex === "string") marks.push({ hex, text: "M", title: `Mulberry ${i ? "B" : "A"}${hits[i] ? `, ${two(lang, "hits", "coups")} ${hits[i]}` : ""}`, tone: hits[i] ? "warn" : "good" });
    });
    return marks;
  },

  overlays: (context: Context): readonly Overlay[] => [...generic.overlays(context).map((o) => (o.key === "fuelled" ? { ...o, colour: FUEL } : o)), ...seaOverlays(context)],

  banner(context: Context): string {
    const { view, words: said } = context;
    const skies = view["weather"] as { map?: string; mediterranean?: string } | undefined;
    const kinds = skies ? [...new Set([skies.map, skies.mediterranean])].map((kind) => said.find(`name.${kind}`) ?? kind) : [];
    return [monthName(text(view["month"]), said.lang), ...(kinds.length ? [kinds.join(" / ")] : []), ...purse(context)].join(" · ");
  },

  status(context: Context): readonly Fact[] {
    const { view, words } = context;
    const lang = words.lang;
    const facts: Fact[] = [
      { label: two(lang, "Month", "Mois"), value: monthName(text(view["month"]), lang), rule: "7.0a" },
      { label: two(lang, "Turn", "Tour"), value: String(view["turn"]), rule: "7.0a" },
    ];
    const standing = view["standing"] as { winner?: Side | null; level?: string } | undefined;
    if (standing?.level) facts.push({ label: two(lang, "As things stand", "En l'état"), value: [...(standing.winner ? [words.side(standing.winner)] : []), words.find(`level.${standing.level}`) ?? standing.level].join(", "), rule: "7.11a" });
    if (view["tier"] === "advanced") facts.push(...skies(context));
    const columns = POINTS.map(([key]) => numbers(view[key]));
    POWERS.forEach((power, i) => {
      if (!columns.some((column) => column[i])) return;
      const value = held(context, i);
      facts.push({ label: `${two(lang, "Production", "Production")}, ${words.name(power)}`, value, rule: "7.3a" });
    });
    const submarines = numbers(view["submarines"]);
    if (submarines.some((n) => n)) facts.push({ label: two(lang, "Submarines (North, Central, South Atlantic)", "Sous-marins (Atlantique nord, centre, sud)"), value: submarines.join(", "), rule: "35.2a" });
    if (view["convoy_loss"]) facts.push({ label: two(lang, "Sunk in convoy this turn", "Coulé en convoi ce tour"), value: String(view["convoy_loss"]), rule: "35.2b" });
    if (view["us_losses"]) facts.push({ label: two(lang, "American morale, boxes lost", "Moral américain, cases perdues"), value: String(view["us_losses"]), rule: "18.1b" });
    const out = Array.isArray(view["out"]) ? (view["out"] as string[]) : [];
    if (out.length) facts.push({ label: two(lang, "Out of the war", "Hors de la guerre"), value: out.map((p) => words.name(p)).join(", ") });
    return facts;
  },
};

/** The points of a power: one number, or in the Advanced game one for each colour. */
function held({ view, words: said }: Context, power: number): string {
  const points = POINTS.map(([key, en, fr]) => [numbers(view[key])[power] ?? 0, two(said.lang, en, fr)] as const);
  if (view["tier"] !== "advanced") return String(points[0]![0]);
  return points.filter(([n], at) => n || !at).map(([n, colour]) => `${colour} ${n}`).join(", ");
}

/** What one's own powers can spend. */
function purse(context: Context): string[] {
  const { view, words: said } = context;
  const columns = POINTS.map(([key]) => numbers(view[key]));
  const own = POWERS.flatMap((power, i) => (columns.some((column) => (column[i] ?? 0) > 0) && (AXIS.has(power) ? "axis" : "allies") === view["side"] ? [`${said.name(power)} ${held(context, i)}`] : []));
  return own.length ? [`${two(said.lang, "points:", "points :")} ${own.join("; ")}`] : [];
}

/** 7.3b, 11.0b In the Production Phase: what the next step of a worn or lost unit costs. */
function price(piece: Piece, { view, words: said }: Context): string[] {
  const found = ((view["prices"] ?? {}) as { [unit: string]: [number, string, number] })[piece.id];
  if (!found) return [];
  const [yellow, colour, paired] = found;
  const word = (key: string): string => { const entry = POINTS.find(([, en]) => en === key); return entry ? two(said.lang, entry[1], entry[2]) : key; };
  const points = view["tier"] === "advanced" ? [[yellow, "yellow"] as const, [paired, colour] as const].filter(([n]) => n).map(([n, key]) => `${n} ${word(key)}`) : [String(yellow)];
  return [`${two(said.lang, "next step costs", "le pas suivant coûte")} ${points.join(" + ")}`];
}

/** 9 The weather of the map and of the Mediterranean, as the table has agreed to call it. */
function skies({ view, words: said }: Context): Fact[] {
  const sky = view["weather"] as { map?: string; mediterranean?: string } | undefined;
  const word = (kind: string | undefined): string => (kind ? (said.find(`name.${kind}`) ?? kind.replace("_", " ")) : "–");
  return [
    { label: two(said.lang, "Weather", "Temps"), value: word(sky?.map) },
    { label: two(said.lang, "Weather, Mediterranean", "Temps, Méditerranée"), value: word(sky?.mediterranean) },
  ];
}

/** 13 What an HQ can do: the orders that it gives, and when it is activated. */
function staff(piece: Piece, { words: said }: Context): string {
  const keys = words(piece["staff"]);
  if (!keys.length) return "";
  const told = (head: string): string => keys.filter((key) => key.startsWith(head) && key !== "hq-anywhere").map((key) => said.find(`view.${key}`) ?? key).join(", ");
  const reach = keys.includes("hq-anywhere") ? two(said.lang, "everywhere", "partout") : two(said.lang, "in its radius", "dans son rayon");
  return two(said.lang, `. Orders ${reach}: ${told("order-")}. Activated in: ${told("hq-")}`, `. Ordres ${reach} : ${told("order-")}. S'active en : ${told("hq-")}`);
}

const words = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : []);

const short = (name: string, most = 8): string => (name.length <= most ? name : `${name.slice(0, most - 1)}…`);
