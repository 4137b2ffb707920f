/** What to ask the rules when somebody points at something that does not glow. Pure. */
import type { Action, Refusal } from "../wire";
import type { Spot } from "./board";
import { nounsOf, pointedKind, type Verbs } from "./kinds";

/** What was pointed at: itself, the hex or area it lies in, and a piece there to ask about. */
export interface Pointed {
  readonly spot: Spot;
  readonly place: string | null;
  readonly piece: string | null;
}

const MOST = 4;

/** One action a verb that could have pointed there. Of a pair the second noun is the piece's in hand, else any that the list knows. */
export function questionsAt({ spot, place, piece }: Pointed, verbs: Verbs, legal: readonly Action[], hand: string | null): Action[] {
  const found: Action[] = [];
  for (const verb of Object.keys(verbs)) {
    const word = wordFor(pointedKind(verb, verbs), spot, place, piece);
    const kind = verbs[verb]!;
    if (word === null) continue;
    if (typeof kind === "string") found.push([verb, word]);
    else {
      const second = hand ?? legal.filter((action) => action[0] === verb).map((action) => nounsOf(action, verbs)[1]?.word)[0];
      if (second) found.push([verb, word + kind.mark + second]);
    }
  }
  return found.slice(0, MOST);
}

function wordFor(kind: string, spot: Spot, place: string | null, piece: string | null): string | null {
  if (kind === "unit") return piece;
  if (kind === "side") return spot.kind === "side" ? spot.key : null;
  return (kind === "hex" || kind === "area") && spot.kind !== "side" ? place : null;
}

/** Refusals that say nothing of the rules: the thing is no noun of that verb at all. */
const EMPTY = new Set(["unknown-target", "unknown-verb", "not-a-choice"]);

/** The refusals worth reading: each sentence once, and those without content only if there are no others. */
export function tellingRefusals<T extends { readonly refusal: Refusal }>(answers: readonly T[]): T[] {
  const once = answers.filter((a, i) => answers.findIndex((b) => b.refusal.message === a.refusal.message) === i);
  const telling = once.filter((a) => !EMPTY.has(a.refusal.reason));
  return telling.length ? telling : once.slice(0, 1);
}
