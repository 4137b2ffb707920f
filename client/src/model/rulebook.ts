/** Finding a rule by its id, its chapter, and what its text refers to. Pure. */
import type { RuleText } from "../wire";

/** A rule by its id; ids of rows carry letters after the rule's own number (5.3a of rule 5.3, base-fire-a of base-fire). */
export function findRule(rules: ReadonlyMap<string, RuleText> | undefined, id: string): RuleText | undefined {
  for (let name = id; rules && name; name = name.slice(0, -1)) {
    const found = rules.get(name);
    if (found) return found;
    if (!/[a-z-]$/.test(name)) return undefined;
  }
  return undefined;
}

export interface Chapter {
  readonly title: string;
  readonly rules: readonly RuleText[];
}

/** The chapters in their order, each with its rules. */
export function chaptersOf(rules: readonly RuleText[]): Chapter[] {
  const found = new Map<string, RuleText[]>();
  for (const rule of rules) found.set(rule.chapter ?? "", [...(found.get(rule.chapter ?? "") ?? []), rule]);
  return [...found].map(([title, under]) => ({ title, rules: under }));
}

/** Letters without accents, small: who searches "depot" finds « dépôt ». Keeps its length, so that places can be compared. */
export const plain = (text: string): string => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/’/g, "'");

const NUMBER = /\d+(?:\.\d+)+[a-z]?|(?<=\()\d+[a-z]?(?=\))/g;

/** A text with the numbers of other rules as links. */
export function withLinks(text: string, rules: ReadonlyMap<string, RuleText>, own: string): (string | RuleText)[] {
  const parts: (string | RuleText)[] = [];
  let last = 0;
  for (const match of text.matchAll(NUMBER)) {
    const rule = rules.get(match[0]);
    if (!rule || rule.id === own) continue;
    parts.push(text.slice(last, match.index), rule);
    last = match.index + match[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}
