/** Finding a rule by its id. Pure. */
import type { RuleText } from "../wire";

/** A rule by its id; ids of rows carry letters after the rule's own number (5.3a of rule 5.3). */
export function findRule(rules: ReadonlyMap<string, RuleText> | undefined, id: string): RuleText | undefined {
  for (let name = id; rules && name; name = name.slice(0, -1)) {
    const found = rules.get(name);
    if (found) return found;
    if (!/[a-z]$/.test(name)) return undefined;
  }
  return undefined;
}
