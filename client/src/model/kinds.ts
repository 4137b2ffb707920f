/** Kinds of nouns, as a view declares them for the verbs of the present decision. Pure. */
import type { Action } from "../wire";

/** `hex`, `side`, `area`, `unit`, `point`, `number`, `word`, `none`; or two, of which the first is what one points at. */
export type Kind = string | Pair;

export interface Pair {
  readonly first: Kind;
  readonly second: Kind;
  readonly mark: string;
}

export type Verbs = { readonly [verb: string]: Kind };

/** A noun in one word, with what kind of thing it names. */
export interface Noun {
  readonly word: string;
  readonly kind: Kind;
}

const isPair = (kind: Kind | undefined): kind is Pair => typeof kind === "object" && kind !== null;

/** The nouns of an action, the one pointed at first: two of a pair, else one. A verb that nobody declared has a plain word. */
export function nounsOf([verb, target]: Action, verbs: Verbs): readonly [Noun, Noun?] {
  const kind = verbs[verb] ?? "word";
  if (!isPair(kind)) return [{ word: target, kind }];
  const at = target.indexOf(kind.mark);
  if (at < 0) return [{ word: target, kind: kind.first }];
  const [first] = nounsOf([verb, target.slice(0, at)], { [verb]: kind.first });
  return [first, { word: target.slice(at + kind.mark.length), kind: kind.second }];
}

/** The kind of thing that a verb points at. */
export const pointedKind = (verb: string, verbs: Verbs): string => {
  let kind = verbs[verb] ?? "word";
  while (isPair(kind)) kind = kind.first;
  return kind;
};
