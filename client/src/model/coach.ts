/** A lesson as the server tells it, and what the coach shows of it when. Pure. */
import type { Action } from "../wire";
import type { Board } from "./board";
import { nounsOf, type Verbs } from "./kinds";
import { spotOf } from "./targets";

export interface LessonCard {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly minutes: number;
  readonly scenario: string;
  readonly side: string;
}

export interface LessonStep {
  readonly say: string;
  readonly do: Action | null;
  readonly also: readonly Action[];
  readonly other: string;
  readonly point: readonly string[];
  readonly rule: string;
}

export interface LessonWords extends LessonCard {
  readonly steps: readonly LessonStep[];
}

/** How far the learner is: the step that asks next; the entry that left the way, or 0, and at which step that was. */
export interface LessonState {
  readonly name: string;
  readonly step: number;
  readonly astray: number;
  readonly left_at: number;
}

/** What the coach points at. */
export interface Aims {
  readonly places: readonly string[];
  readonly pieces: readonly string[];
  readonly actions: readonly string[];
  readonly parts: readonly string[];
}

export const NO_AIMS: Aims = { places: [], pieces: [], actions: [], parts: [] };

/** The first step that is said before step `ask` is asked: what follows the last thing that was done. */
export function firstBefore(steps: readonly LessonStep[], ask: number): number {
  let first = Math.min(ask, steps.length - 1);
  while (first > 0 && !steps[first - 1]!.do) first--;
  return first;
}

/** Which step to show when the learner has come to `ask`; `shown` is the one on the screen, `before` where they were. */
export function stepToShow(steps: readonly LessonStep[], ask: number, shown: number | null, before: number | null): number {
  const [first, last] = [firstBefore(steps, ask), Math.min(ask, steps.length - 1)];
  if (before !== null && ask < before) return last; // taken back: the step that asks, not the words before it
  return shown !== null && shown >= first && shown <= last ? shown : first;
}

/** What a step points at: what it names, else the noun of what it asks for. */
export function aimsOf(step: LessonStep, verbs: Verbs, board: Board | null, pieces: ReadonlySet<string>): Aims {
  const aims = { places: [] as string[], pieces: [] as string[], actions: [] as string[], parts: [] as string[] };
  for (const point of step.point) {
    const [kind, noun] = [point.slice(0, point.indexOf(" ")), point.slice(point.indexOf(" ") + 1)];
    if (kind === "piece") aims.pieces.push(noun);
    else if (kind === "action") aims.actions.push(noun);
    else if (kind === "part") aims.parts.push(noun);
    else aims.places.push(board?.spot(noun)?.key ?? noun);
  }
  if (!step.do) return aims;
  aims.actions.push(step.do.join(" ").trim());
  for (const noun of nounsOf(step.do, verbs)) {
    const spot = noun ? spotOf(noun, board, pieces) : null;
    if (spot?.kind === "piece") aims.pieces.push(spot.key);
    else if (spot) aims.places.push(spot.key);
  }
  return aims;
}
