/** Words of a game in one language: flat keys from the server (`verb.move`, `name.red-foot-1`), filled with facts. */
import type { Action } from "../wire";

export type TextTable = { readonly [key: string]: string };

export class Words {
  constructor(
    readonly lang: string,
    private readonly table: TextTable,
  ) {}

  has(key: string): boolean {
    return key in this.table;
  }

  find(key: string): string | undefined {
    return this.table[key];
  }

  /** A thing's name, if it has one. */
  name(id: string): string {
    return this.table[`name.${id}`] ?? this.table[`place.${id}`] ?? this.table[`unit.${id}`] ?? id;
  }

  side(name: string): string {
    return this.table[`side.${name}`] ?? capital(name);
  }

  /** Facts of a view have keys of their own; a readable name for one of them. */
  fact(key: string): string {
    return this.table[`field.${key}`] ?? this.table[`fact.${key}`] ?? capital(key.replace(/[_-]/g, " "));
  }

  /** An action as a person would say it. */
  action(action: Action, named: (target: string) => string = (t) => this.name(t)): string {
    const [verb, target] = action;
    const sentence = this.table[`verb.${verb}`] ?? (target ? `${verb} {target}` : verb);
    const name = this.table[`called.${verb}.${target}`] ?? (target ? named(target) : ""); // a verb may have its own word for it
    const said = sentence.replace("{target}", name).trim();
    return capital(said);
  }

  /** A verb as a heading over its targets. */
  verb(verb: string): string {
    const sentence = this.table[`verb.${verb}`] ?? verb;
    return capital(sentence.replace("{target}", "…").trim());
  }
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence of an event for the eye: without the rule at its end, which is linked, and without modifiers that are none. */
export const sentence = (text: string): string => capital(text.replace(/\s*\([^()]*\)$/, "").replace(/\s*\([^():]*\s?: [-–]\)/, ""));

/** What is said several times is said once, with its count. */
export function alike(said: readonly string[]): (readonly [string, number])[] {
  const found = new Map<string, number>();
  for (const one of said) found.set(one, (found.get(one) ?? 0) + 1);
  return [...found];
}
