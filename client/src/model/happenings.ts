/** What the log tells the eye: arrows of moves, dice, the battle being fought, what is new since the last look. Pure. */
import type { Frame, GameEvent, Line, Piece, Side, View } from "../wire";
import type { Board } from "./board";

export interface Arrow {
  readonly hexes: readonly string[];
  readonly side: Side;
  readonly n: number;
  readonly kind: string;
}

/** Hexes of a move: its path, or where it began and ended. */
export function pathOf(event: GameEvent, board: Board): string[] {
  const hex = (value: unknown): string | null => {
    const spot = typeof value === "string" ? board.spot(value) : null;
    return spot?.kind === "hex" ? spot.key : null;
  };
  const path = event["way"] ?? event["path"] ?? event["route"];
  if (Array.isArray(path)) {
    const hexes = path.map(hex).filter((h): h is string => h !== null);
    if (hexes.length > 1) return hexes;
  }
  const from = hex(event["from"] ?? event["start"] ?? event["whence"] ?? event["origin"]);
  const to = hex(event["to"] ?? event["hex"] ?? event["place"] ?? event["at"]);
  return from && to && from !== to ? [from, to] : [];
}

export function arrowsOf(lines: readonly Line[], board: Board): Arrow[] {
  return lines.flatMap((line) =>
    line.events.flatMap((event) => {
      const hexes = pathOf(event, board);
      return hexes.length ? [{ hexes, side: line.side, n: line.n, kind: event.kind }] : [];
    }),
  );
}

/** Every hex, area or piece that an event speaks of. */
export function mentions(event: GameEvent, board: Board, pieces: ReadonlyMap<string, string | null>): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === "string") {
      const spot = board.spot(value);
      const at = pieces.get(value);
      if (spot && spot.kind !== "side") found.add(spot.key);
      else if (at) found.add(board.spot(at)?.key ?? at);
    }
  };
  for (const [key, value] of Object.entries(event)) if (!["kind", "rule", "text"].includes(key)) look(value);
  return [...found];
}

export interface Roll {
  readonly dice: readonly number[];
  readonly faces: number;
  readonly side: Side | null;
  readonly rule: string;
  /** What came of it: the next event that tells hits or a result. */
  readonly outcome: GameEvent | null;
  readonly n: number;
}

export function rollsOf(lines: readonly Line[], sides: readonly Side[]): Roll[] {
  const rolls: Roll[] = [];
  for (const line of lines) {
    line.events.forEach((event, i) => {
      if (event.kind !== "roll" || !Array.isArray(event["dice"])) return;
      const next = line.events[i + 1];
      const side = event["side"];
      rolls.push({
        dice: event["dice"].filter((d): d is number => typeof d === "number"),
        faces: typeof event["faces"] === "number" ? event["faces"] : 6,
        side: typeof side === "number" ? (sides[side] ?? null) : typeof side === "string" ? side : null,
        rule: event.rule,
        outcome: next && next.kind !== "roll" ? next : null,
        n: line.n,
      });
    });
  }
  return rolls;
}

export interface Battle {
  readonly frame: Frame;
  readonly hex: string | null;
  readonly since: number;
}

const BARRAGE = /barrage|bombardment/i;
const FIGHTS = /battle|combat|fight|assault|duel|mission|invasion|overrun/i;

/** The innermost frame that looks like a fight, with where it is fought. */
export function battleOf(view: View, board: Board | null): Battle | null {
  const frames = view.frames ?? [];
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i]!;
    if (!FIGHTS.test(frame.sequence) || frame.sequence.toLowerCase().includes("plan")) continue;
    const place = [frame["hex"], frame["target"], frame["place"]].find((v) => typeof v === "string");
    const spot = typeof place === "string" ? board?.spot(place) : null;
    return { frame, hex: spot?.key ?? null, since: 0 };
  }
  return null;
}

/** Whether a fight or a raid is still going on: what is told of its losses may not be all. */
export const isFighting = (view: View): boolean => (view.frames ?? []).some(({ sequence }) => (FIGHTS.test(sequence) || /raid/i.test(sequence)) && !/plan/i.test(sequence));

/** The place that a fight being prepared is aimed at: the map shows it, though nobody fights yet. */
export function aimOf(view: View, board: Board | null): string | null {
  const top = view.frames?.[view.frames.length - 1];
  if (!top || !(BARRAGE.test(top.sequence) || (FIGHTS.test(top.sequence) && top.sequence.toLowerCase().includes("plan")))) return null;
  const place = [top["hex"], top["target"], top["place"], top["places"]].flat().find((v) => typeof v === "string");
  return typeof place === "string" ? (board?.spot(place)?.key ?? null) : null;
}

/** Events that begin a battle, by how games name them. */
export const BEGINS =
  /(^|-)(battle|combat|overrun|assault|invasion|bombing|bombarded|duel|fight|raid)$|^(attack-declared|counter-attack|shipped|goes-ashore|jumps|dropped|swam|recon|fires|shoots|bursts|shelled|lobs|rocket|strikes|dives|overruns|melee|storms|launches|sniped)$/;

/** Lines of the battle that is going on: back to the last event that began one in that hex, or with those ships; none if it is too long ago. */
export function battleLines(log: readonly Line[], battle: Battle, most = 60): Line[] {
  const recent = log.slice(-most);
  const named = new Set<unknown>(Object.values(battle.frame).flat(2).filter((v) => typeof v === "string")); // a mission has no place, but ships
  for (let i = recent.length - 1; i >= 0; i--) {
    const { events } = recent[i]!;
    const began = events.findIndex((e) => BEGINS.test(e.kind) && Object.values(e).flat().some((v) => (battle.hex ? v === battle.hex : named.has(v))));
    if (began >= 0) return [{ ...recent[i]!, events: events.slice(began) }, ...recent.slice(i + 1)]; // the weather fell before
  }
  return [];
}

/** The pieces that frames hold by name: a block in hand, the attackers of a combat. */
export function heldPieces(view: View): Set<string> {
  const ids = new Set((view.pieces ?? []).map((p: Piece) => p.id));
  const held = new Set<string>();
  const top = view.frames?.[view.frames.length - 1];
  for (const value of Object.values(top ?? {})) {
    for (const word of Array.isArray(value) ? value : [value]) if (typeof word === "string" && ids.has(word)) held.add(word);
  }
  return held;
}

/** Facts of a frame that say what a piece in hand can still do. */
const LEFT = ["left", "points", "spent"];

/** The piece or stack that the innermost frame has in hand, with what is left to it; null if there is none. */
export function handOf(view: View, byId: ReadonlyMap<string, Piece>): { readonly pieces: readonly Piece[]; readonly facts: readonly (readonly [string, number])[] } | null {
  const top = view.frames?.[view.frames.length - 1];
  const named = [top?.["unit"], top?.["units"], top?.["piece"]].flat();
  const pieces = named.flatMap((id) => (typeof id === "string" ? (byId.get(id) ?? []) : []));
  if (!top || !pieces.length) return null;
  return { pieces, facts: LEFT.flatMap((key) => (typeof top[key] === "number" && top[key] !== 0 ? [[key, top[key]] as const] : [])) };
}

/** The piece that the decision is about, where it is not on the board yet: its name in the game's words. */
export function unseenHand(view: View, byId: ReadonlyMap<string, Piece>): string | null {
  const unit = view.frames?.[view.frames.length - 1]?.["unit"];
  return typeof unit === "string" && unit && !byId.has(unit) ? unit : null;
}

/** Lines that somebody else made after the last one we saw. */
export function unseen(log: readonly Line[], seen: number, mine: readonly Side[]): Line[] {
  const fresh = log.filter((line) => line.n > seen);
  return fresh.some((line) => !mine.includes(line.side)) ? fresh.filter((line) => line.events.length) : [];
}
