/** The skin of every game that has none: reads what views commonly call things. Games override parts of it. */
import { t } from "../text";
import { capital } from "../model/words";
import type { Piece, Side } from "../wire";
import { branchOf } from "./symbols";
import type { Colours, Context, Face, Fact, Mark, Overlay, Skin } from "./skin";

const PALETTE: readonly Colours[] = [
  { fill: "#a23b33", ink: "#fff6e6" },
  { fill: "#35577f", ink: "#f3f6fa" },
  { fill: "#5f6f3a", ink: "#fbf8e8" },
  { fill: "#7a5a88", ink: "#fbf4ff" },
];
const NAMED: { readonly [name: string]: Colours } = {
  red: PALETTE[0]!, blue: PALETTE[1]!, green: PALETTE[2]!, axis: { fill: "#5b625e", ink: "#f6f4ea" },
  allied: { fill: "#6f6a3c", ink: "#fbf7e4" }, allies: { fill: "#6f6a3c", ink: "#fbf7e4" },
  western: { fill: "#6f6a3c", ink: "#fbf7e4" }, soviet: { fill: "#a4542f", ink: "#fff3e2" },
  german: { fill: "#5b625e", ink: "#f6f4ea" },
};

/** Keys of a view that are not facts of the situation. */
const PLUMBING = new Set([
  "game", "side", "pieces", "frames", "waiting", "decision", "scenario", "options", "seed", "loaded", "draws", "outcome",
  "token", "overlays", "control", "map", "holder", "pledge", "markers", "ways", "in_hand",
  // by battery, flight, work or section: two of them are not one for each side
  "available", "spent", "attempt", "mark", "mined", "built", "aloft", "planes", "back", "fausts", "grenades",
]);
const LABELS_OF_PIECE = new Set([
  "id", "known", "side", "at", "place", "kind", "steps", "full", "token", "name", "hex",
  "class", "base", "army", "model", "facing", "turret", "size", "barrel", "turreted", "open", "figures", "x", "y", // how a model looks
]);

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

export function shortName(piece: Piece, context: Context): string {
  const name = context.words.has(`name.${piece.id}`) ? context.words.name(piece.id) : (text(piece["name"]) ?? piece.id);
  return name;
}

export function marksOf(piece: Piece): Mark[] {
  const marks: Mark[] = [];
  if (piece["cut_off"] || piece["unsupplied"] || piece["oos"]) marks.push({ text: "!", title: t("piece.unsupplied"), tone: "warn" });
  return marks;
}

/** The marks of a face in words, for the ear and where the counter is small. */
export const markWords = (face: Face): string[] => (face.marks ?? []).map((mark) => mark.title);

export const generic: Skin = {
  name: "generic",

  colours(side: Side, sides: readonly Side[]): Colours {
    return NAMED[side] ?? PALETTE[Math.max(0, sides.indexOf(side)) % PALETTE.length]!;
  },

  sideOf(piece: Piece, sides: readonly Side[]): Side | null {
    const side = piece.side;
    if (typeof side === "number") return sides[side] ?? null;
    return side ?? null;
  },

  face(piece: Piece, context: Context): Face {
    const side = this.sideOf(piece, context.sides);
    const colours = this.colours(side ?? "", context.sides);
    const known = piece.known !== false;
    const steps = number(piece["steps"]);
    const full = number(piece["full"]) ?? number(piece["max"]);
    if (!known) {
      const seen = text(piece["remembered"]);
      return { ...colours, shape: "block", hidden: true, ...(seen ? { ghost: shorten(context.words.name(seen)) } : {}) };
    }
    const kind = text(piece["kind"]) ?? text(piece["type"]) ?? "";
    const branch = branchOf(kind);
    return {
      ...colours,
      shape: "block",
      ...(branch ? { branch } : { middle: shorten(capital(kind || shortName(piece, context))) }),
      ...(branch ? { top: shorten(serial(piece.id)) } : {}),
      ...(steps !== undefined ? { steps } : {}),
      ...(full !== undefined ? { full } : {}),
      spent: Boolean(piece["moved"] || piece["done"]),
      marks: marksOf(piece),
    };
  },

  describe(piece: Piece, context: Context): string {
    const side = this.sideOf(piece, context.sides);
    const sideName = side === null ? "" : context.words.side(side);
    if (piece.known === false) {
      const seen = text(piece["remembered"]);
      const back = t("piece.unknown", { side: sideName });
      return seen ? `${back} (${t("piece.remembered", { name: context.words.name(seen) })})` : back;
    }
    const steps = number(piece["steps"]);
    const full = number(piece["full"]);
    const parts = [shortName(piece, context)];
    if (steps !== undefined && full !== undefined) parts.push(t("piece.steps", { steps, full }));
    else if (steps !== undefined) parts.push(t("piece.stepsOnly", { steps }));
    return [...parts, ...markWords(this.face(piece, context))].join(", ");
  },

  control(context: Context): ReadonlyMap<string, Side> {
    const control = context.view["control"];
    const found = new Map<string, Side>();
    const name = (value: unknown): Side | null =>
      typeof value === "string" ? value : typeof value === "number" ? (context.sides[value] ?? null) : null;
    if (control && typeof control === "object" && !Array.isArray(control)) {
      for (const [hex, value] of Object.entries(control)) {
        const side = name(value);
        if (side !== null && hex in context.board.file.hexes) found.set(hex, side);
      }
    }
    const holder = context.view["holder"];
    const places = Object.values(context.board.file.places ?? {});
    if (Array.isArray(holder)) {
      const hexes = holder.length === places.length ? places.map((p) => p.hexes[0]) : [];
      holder.forEach((value, i) => {
        const side = name(value);
        if (side !== null && hexes[i] !== undefined) found.set(hexes[i], side);
      });
    } else if (holder && typeof holder === "object") {
      for (const [key, value] of Object.entries(holder)) {
        const side = name(value);
        const spot = context.board.spot(key);
        if (side !== null && spot?.kind === "hex") found.set(spot.key, side);
      }
    }
    return found;
  },

  hexMarks: () => [],

  /** The turn, and what one's own side has. */
  banner(context: Context): string {
    const { view } = context;
    const [turn, turns] = [number(view["turn"]), number(view["turns"])];
    const own = this.status(context).filter((fact) => fact.side !== undefined && fact.side === view["side"]);
    return [...(!turn ? [] : [turns === undefined ? t("lobby.turn", { turn }) : t("phase.turnOf", { turn, turns })]), ...own.map(({ label, value }) => `${label} ${value}`)].join(" · ");
  },

  status(context: Context): readonly Fact[] {
    const facts: Fact[] = [];
    for (const [key, value] of Object.entries(context.view)) {
      if (PLUMBING.has(key)) continue;
      const label = context.words.fact(key);
      const rule = context.words.find(`field-rule.${key}`);
      if (typeof value === "number" || (typeof value === "string" && value)) {
        const spoken = /^(first|phasing|active|attacker|defender)$/.test(key) ? sideWord(value, context) : String(value);
        facts.push({ label, value: spoken, rule });
      } else if (Array.isArray(value) && value.length === context.sides.length && value.every((v) => typeof v === "number")) {
        value.forEach((v, i) => facts.push({ label, value: String(v), side: context.sides[i]!, rule }));
      }
    }
    const held = this.control(context);
    const named = Object.values(context.board.file.places ?? {}).flatMap((place) => (held.has(place.hexes[0]!) ? [[held.get(place.hexes[0]!)!, place.hexes[0]!] as const] : []));
    if (named.length) context.sides.forEach((side) => facts.push({ label: t("status.held"), value: named.flatMap(([holder, hex]) => (holder === side ? [context.words.name(hex)] : [])).join(", ") || "–", side, rule: context.words.find("field-rule.held") }));
    return facts;
  },

  /** Games may put `overlays` into their views: supply lanes, zones of control, reach with costs. */
  overlays(context: Context): readonly Overlay[] {
    const given = context.view["overlays"];
    if (!Array.isArray(given)) return [];
    return (given as Overlay[]).map((o) => ({ ...o, title: o.title ?? context.words.find(`overlay.${o.key}`) ?? capital(o.key) }));
  },

  mapFor(state, maps) {
    const named = [state.view["map"], state.view["board"], state.scenario, "map"].find((n) => typeof n === "string" && n in maps);
    return (named as string | undefined) ?? Object.keys(maps)[0] ?? "";
  },
};

/** Facts that are so or not so, even where a game counts them as 1. */
const FLAGS = new Set(["moved", "finished", "reserve", "resting", "unsupplied"]);

/** Facts of a piece for the glass: everything the view tells about it that its name does not. */
export function factsOf(piece: Piece, context: Context): Fact[] {
  const facts: Fact[] = [];
  for (const [key, value] of Object.entries(piece)) {
    if (LABELS_OF_PIECE.has(key) || value === null || value === "" || value === false || value === 0) continue;
    if (typeof value === "object" && !Array.isArray(value)) continue;
    const word = (v: unknown): string => (key === "marks" ? context.words.find(`mark.${String(v)}`) : key === "state" ? context.words.find(`state.${String(v)}`) : undefined) ?? context.words.name(String(v));
    const flag = value === true || (value === 1 && FLAGS.has(key));
    const spoken = Array.isArray(value) ? value.map(word).join(", ") : word(value);
    if (spoken) facts.push({ label: context.words.fact(key), value: flag ? "✓" : spoken });
  }
  return facts;
}

function sideWord(value: string | number, context: Context): string {
  const side = typeof value === "number" ? context.sides[value] : value;
  return side === undefined ? String(value) : context.words.side(side);
}

const shorten = (name: string, most = 9): string => (name.length <= most ? name : `${name.slice(0, most - 1)}…`);
const serial = (id: string): string => /\d+[a-z]*$/i.exec(id)?.[0] ?? "";
