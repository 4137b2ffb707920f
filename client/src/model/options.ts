/** The options of a game in groups: what everybody chooses first, then the chapters of the rulebook, doubtful readings last. Pure. */
import type { GameCard, OptionCard } from "../wire";
import { plain } from "./rulebook";

export interface OptionGroup {
  readonly kind: "first" | "chapter" | "rules" | "readings";
  /** The heading of a chapter; the others are called by the page. */
  readonly title: string;
  readonly options: readonly OptionCard[];
}

const FIRST = /^(basic|advanced)$/;
const RULES = /^(optional|proposal)$/;
const FULL = 3; // options a chapter, on an average, that are worth a heading each

export function optionGroups(options: readonly OptionCard[]): OptionGroup[] {
  const first = options.filter((one) => FIRST.test(one.tier ?? ""));
  const rules = options.filter((one) => RULES.test(one.tier ?? ""));
  const readings = options.filter((one) => !first.includes(one) && !rules.includes(one));
  const chapters = [...new Set(rules.map((one) => one.chapter ?? ""))];
  const apart = rules.length >= FULL * chapters.length;
  const groups: OptionGroup[] = [
    { kind: "first", title: "", options: first },
    ...(apart ? chapters.map((title): OptionGroup => ({ kind: "chapter", title, options: rules.filter((one) => (one.chapter ?? "") === title) })) : [{ kind: "rules" as const, title: "", options: rules }]),
    { kind: "readings", title: "", options: readings },
  ];
  return groups.filter((group) => group.options.length);
}

/** Whether an option answers to what was typed: its title, its rule, its chapter. */
export function optionFound(option: OptionCard, typed: string): boolean {
  const text = plain(`${option.title} ${option.rule} ${option.chapter ?? ""}`);
  return plain(typed).split(/\s+/).every((word) => text.includes(word));
}

/** What the options of a scenario are as long as nobody chooses. */
export function usualOptions(card: GameCard, scenario: string): Record<string, string> {
  const own = card.scenarios?.find((one) => one.name === scenario)?.options ?? {};
  return Object.fromEntries((card.options ?? []).map((one) => [one.name, own[one.name] ?? one.default]));
}

/** The options that a table has otherwise than its scenario. */
export function changedOptions(card: GameCard, scenario: string, options: Values): readonly OptionCard[] {
  const usual = usualOptions(card, scenario);
  return (card.options ?? []).filter((one) => (options[one.name] ?? usual[one.name]) !== usual[one.name]);
}

/** The number under which one looks an option up; names that only the code has are none. */
export function ruleNumber(rule: string): string {
  if (!rule.includes("-")) return rule;
  return /^[1-9][\d.]*[a-z]?(?=-)/.exec(rule)?.[0] ?? "";
}

/** What an option is called, and its rule once: many titles have the chapter behind them. */
export function optionLabel(option: OptionCard): { readonly title: string; readonly rule: string } {
  const [, title, said] = /^(.*?)(?: \((\d[\d., ]*)\))?$/s.exec(option.title) ?? [];
  const rule = ruleNumber(option.rule);
  return { title: title ?? option.title, rule: said && !rule.startsWith(said.replace(/\.0$/, "")) ? said : rule };
}

/** The title of a scenario, behind the letters and number that the printed game has for it. */
export const scenarioTitle = (one: { readonly name: string; readonly title: string }): string => (/^[A-Z]{2,}\d+$/.test(one.name) ? `${one.name} · ${one.title}` : one.title);

type Values = { readonly [name: string]: string };
const OFF = "off";

/** The values after a choice: what it needs is switched on with it, what does not go with it off, and what needed it goes off with it. */
export function chosenWith(options: readonly OptionCard[], values: Values, name: string, value: string): Values {
  const found: Record<string, string> = { ...values, [name]: value };
  const card = (one: string): OptionCard | undefined => options.find((option) => option.name === one);
  const on = (one: string): void => {
    for (const need of card(one)?.needs ?? []) {
      if (found[need] !== OFF) continue;
      found[need] = card(need)?.choices.find((choice) => choice !== OFF) ?? OFF;
      on(need);
    }
    for (const other of options) if (found[other.name] !== OFF && other.name !== one && (card(one)?.excludes?.includes(other.name) || other.excludes?.includes(one))) off(other.name);
  };
  const off = (one: string): void => {
    found[one] = OFF;
    for (const other of options) if (other.needs?.includes(one) && found[other.name] !== OFF) off(other.name);
  };
  if (value === OFF) off(name);
  else on(name);
  return found;
}
