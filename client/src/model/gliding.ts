/** Which pieces go which way in a step of a playback: along the path that the events tell, else straight. Pure. */
import type { GameEvent } from "../wire";
import type { Board } from "./board";
import { pathOf } from "./happenings";

export interface Glide {
  readonly piece: string;
  readonly path: readonly string[];
}

/** Places of pieces by name, as far as they are on the map. */
export type Places = ReadonlyMap<string, string | null>;

function named(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) for (const one of value) named(one, found);
}

/** `before` is null where the position before this step is not known: then only events tell. */
export function glidesOf(events: readonly GameEvent[], board: Board, before: Places | null, after: Places): Glide[] {
  const paths = new Map<string, string[]>();
  for (const event of events) {
    const path = pathOf(event, board);
    if (path.length < 2) continue;
    const words = new Set<string>();
    for (const [key, value] of Object.entries(event)) if (!["kind", "rule", "text"].includes(key)) named(value, words);
    for (const id of words) {
      if (!after.has(id)) continue;
      const so_far = paths.get(id);
      paths.set(id, so_far && so_far[so_far.length - 1] === path[0] ? [...so_far, ...path.slice(1)] : path);
    }
  }
  const glides = [...paths].filter(([id, path]) => after.get(id) === path[path.length - 1]).map(([piece, path]) => ({ piece, path }));
  const told = new Set(glides.map((glide) => glide.piece));
  for (const [piece, at] of after) {
    const was = before?.get(piece);
    if (told.has(piece) || !was || !at || was === at || !board.sheet.has(was) || !board.sheet.has(at)) continue;
    glides.push({ piece, path: [was, at] });
  }
  return glides;
}

const LEG = 170; // ms from hex to hex at speed 1
const LEAST = 300;

/** How long the longest of them takes, within the time of a step. */
export function glideTime(glides: readonly Glide[], step: number, speed: number): number {
  const legs = Math.max(1, ...glides.map((glide) => glide.path.length - 1));
  return Math.min(step * 0.8, Math.max(LEAST, legs * LEG)) / speed;
}
