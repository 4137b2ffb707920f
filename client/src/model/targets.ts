/** The legal list, matched against the board: what glows where, and what becomes a button. Pure. */
import type { Action, Piece } from "../wire";
import type { Board, Spot } from "./board";
import { nounsOf, type Noun, type Verbs } from "./kinds";

export interface Choices {
  /** Actions by hex number, area key, side key or piece id. */
  readonly hexes: ReadonlyMap<string, readonly Action[]>;
  readonly areas: ReadonlyMap<string, readonly Action[]>;
  readonly sides: ReadonlyMap<string, readonly Action[]>;
  readonly pieces: ReadonlyMap<string, readonly Action[]>;
  /** Actions that name nothing on the board. */
  readonly buttons: readonly Action[];
}

export const NO_CHOICES: Choices = {
  hexes: new Map(),
  areas: new Map(),
  sides: new Map(),
  pieces: new Map(),
  buttons: [],
};

/** What a noun names on the board, by its kind alone: a number is never a hex, a unit never a place. */
export function spotOf({ word, kind }: Noun, board: Board | null, pieces: ReadonlySet<string>): Spot | null {
  if (!word) return null;
  if (kind === "unit") return pieces.has(word) ? { kind: "piece", key: word } : null;
  return kind === "hex" || kind === "area" || kind === "side" || kind === "point" ? (board?.spot(word) ?? null) : null;
}

/** Pieces by the formation, battery or flight that they belong to: who names these means their pieces. */
export type Members = ReadonlyMap<string, readonly string[]>;

export function membersOf(pieces: readonly Piece[]): Members {
  const found = new Map<string, string[]>();
  for (const piece of pieces) {
    const name = piece["formation"];
    if (typeof name !== "string" || !name) continue;
    const list = found.get(name);
    if (list) list.push(piece.id);
    else found.set(name, [piece.id]);
  }
  return found;
}

export function matchTargets(legal: readonly Action[], verbs: Verbs, board: Board | null, pieces: Iterable<string>, members: Members = new Map()): Choices {
  const ids = new Set(pieces);
  const maps = { hex: new Map(), area: new Map(), side: new Map(), piece: new Map() } as Record<
    Spot["kind"],
    Map<string, Action[]>
  >;
  const buttons: Action[] = [];
  for (const action of legal) {
    const noun = nounsOf(action, verbs)[0];
    const spot = spotOf(noun, board, ids);
    if (!spot) {
      buttons.push(action);
      if (noun.kind === "formation") for (const id of members.get(noun.word) ?? []) maps.piece.set(id, [...(maps.piece.get(id) ?? []), action]); // a button, and its pieces on the table
    } else {
      const list = maps[spot.kind].get(spot.key);
      if (list) list.push(action);
      else maps[spot.kind].set(spot.key, [action]);
    }
  }
  return { hexes: maps.hex, areas: maps.area, sides: maps.side, pieces: maps.piece, buttons };
}

/** One of several actions that point at the same thing, and where its second noun lies. */
export interface Way {
  readonly spot: Spot;
  readonly action: Action;
}

/** The second nouns on the board, of actions that differ in nothing else: "attack this, but from where?" */
export function waysOf(actions: readonly Action[], verbs: Verbs, board: Board | null, pieces: ReadonlySet<string>): readonly Way[] {
  if (actions.length < 2 || new Set(actions.map(([verb]) => verb)).size > 1) return [];
  const ways = actions.flatMap((action): Way[] => {
    const second = nounsOf(action, verbs)[1];
    const spot = second ? spotOf(second, board, pieces) : null;
    return spot ? [{ spot, action }] : [];
  });
  return ways.length === actions.length ? ways : [];
}

/** Where a piece stands: the name of a hex, area or place; null if it is off the board. */
export function whereIs(piece: Piece): string | null {
  for (const key of ["at", "place", "hex", "box", "area"]) {
    const value = piece[key];
    if (typeof value === "string" && value) return value;
  }
  return null;
}

export type Stacks = ReadonlyMap<string, readonly Piece[]>;

/**
 * Pieces by the spot they stand on (`hex` and `area` keys share one map: they never collide on one board). `inside` says in
 * which box a place lies that the map does not draw.
 */
export function stacksOf(pieces: readonly Piece[], board: Board | null, inside: { readonly [place: string]: string } = {}): Stacks {
  const stacks = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const where = whereIs(piece);
    if (where === null) continue;
    const key = board?.spot(where)?.key ?? inside[where] ?? where;
    const stack = stacks.get(key);
    if (stack) stack.push(piece);
    else stacks.set(key, [piece]);
  }
  return stacks;
}

/** Hexes where pieces of more than one side stand. */
export function contested(stacks: Stacks, opposed: (a: unknown, b: unknown) => boolean = (a, b) => a !== b): string[] {
  const found: string[] = [];
  for (const [key, stack] of stacks) {
    const first = stack[0];
    if (first && stack.some((p) => opposed(p.side, first.side))) found.push(key);
  }
  return found;
}

/** Every action a click on this hex could mean: its own first, then those of the pieces in it. */
export function actionsAt(key: string, choices: Choices, stacks: Stacks): Action[] {
  const own = [...(choices.hexes.get(key) ?? choices.areas.get(key) ?? [])];
  for (const piece of stacks.get(key) ?? []) own.push(...(choices.pieces.get(piece.id) ?? []));
  return own;
}
