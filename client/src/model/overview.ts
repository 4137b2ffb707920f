/** The situation in a few sentences, for who cannot see it at a glance: what one has, who is near, who lacks supply. Pure. */
import type { Piece } from "../wire";
import type { Stacks } from "./targets";

export interface Overview {
  readonly own: number;
  readonly places: number;
  readonly enemies: number;
  /** Places of enemies beside one's own units, or in the same place. */
  readonly near: readonly string[];
  /** Places of one's own units beside an enemy, with how many stand there: the front. */
  readonly front: readonly (readonly [string, number])[];
  /** Ids of one's own pieces that are cut off. */
  readonly hungry: readonly string[];
}

const HUNGRY = ["cut_off", "unsupplied", "isolated", "out_of_supply"] as const;

export function overviewOf(stacks: Stacks, mine: (piece: Piece) => boolean | null, neighbours: (key: string) => readonly string[], cut: ReadonlySet<string> = new Set()): Overview {
  const own = new Map<string, number>();
  const theirs = new Set<string>();
  let [count, enemies] = [0, 0];
  const hungry: string[] = [];
  for (const [key, stack] of stacks)
    for (const piece of stack) {
      const ours = mine(piece);
      if (ours === null) continue;
      if (ours) {
        own.set(key, (own.get(key) ?? 0) + 1);
        count++;
        const lacking = HUNGRY.some((fact) => piece[fact] === true || (typeof piece[fact] === "number" && (piece[fact] as number) > 0));
        if (lacking || cut.has(key) || piece["supply"] === "none" || piece["supply"] === "low") hungry.push(piece.id);
      } else {
        theirs.add(key);
        enemies++;
      }
    }
  const near = [...theirs].filter((key) => own.has(key) || neighbours(key).some((next) => own.has(next))).sort();
  const front = [...own].filter(([key]) => theirs.has(key) || neighbours(key).some((next) => theirs.has(next))).sort();
  return { own: count, places: own.size, enemies, near, front, hungry };
}
