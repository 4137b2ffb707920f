/** The legal list, matched against the board: what glows where, and what becomes a button. Pure. */
import type { Action, Piece } from "../wire";
import type { Board, Spot } from "./board";

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

/** What a target points at: an exact name first, then the last of its words that names something. */
export function spotOf(target: string, board: Board | null, pieces: ReadonlySet<string>): Spot | null {
  const one = (word: string): Spot | null =>
    pieces.has(word) ? { kind: "piece", key: word } : (board?.spot(word) ?? null);
  if (!target) return null;
  const exact = one(target);
  if (exact) return exact;
  const words = target.split(/[\s,:;>/]+/).filter(Boolean);
  for (const word of words.reverse()) {
    const spot = one(word);
    if (spot) return spot;
  }
  return null;
}

export function matchTargets(legal: readonly Action[], board: Board | null, pieces: Iterable<string>): Choices {
  const ids = new Set(pieces);
  const maps = { hex: new Map(), area: new Map(), side: new Map(), piece: new Map() } as Record<
    Spot["kind"],
    Map<string, Action[]>
  >;
  const buttons: Action[] = [];
  for (const action of legal) {
    const spot = isCount(action[1]) ? null : spotOf(action[1], board, ids);
    if (!spot) buttons.push(action);
    else {
      const list = maps[spot.kind].get(spot.key);
      if (list) list.push(action);
      else maps[spot.kind].set(spot.key, [action]);
    }
  }
  return { hexes: maps.hex, areas: maps.area, sides: maps.side, pieces: maps.piece, buttons };
}

/** Small plain numbers are amounts, never hexes. */
const isCount = (target: string): boolean => /^-?\d{1,2}$/.test(target);

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
