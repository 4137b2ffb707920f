/** The command box: `verb target`, `why verb target`, `odds verb target`, and a few words for the table itself. Pure. */
import type { Action } from "../wire";

/** What the reader's language calls verbs and commands; the English words are understood as well. */
export interface Speech {
  readonly order: (verb: string) => string;
  readonly commands: Readonly<Record<string, string>>;
  /** An action as the page says it: what people read there they also type. */
  readonly says?: (action: Action) => string;
}

export const ENGLISH: Speech = { order: (verb) => verb.replace(/_/g, "-"), commands: {} };

/** A word as people type it in haste: small letters, no accents, no underscores. */
export const plain = (word: string): string => word.toLowerCase().replace(/_/g, "-").normalize("NFD").replace(/\p{M}/gu, "");

export type Command =
  | { readonly kind: "act"; readonly action: Action }
  | { readonly kind: "why"; readonly action: Action }
  | { readonly kind: "odds"; readonly action: Action }
  | { readonly kind: "go"; readonly hex: string }
  | { readonly kind: "rule"; readonly id: string }
  | { readonly kind: "table"; readonly word: "undo" | "redo" | "resign" | "draw" | "help" }
  | { readonly kind: "ambiguous"; readonly actions: readonly Action[] }
  | { readonly kind: "nothing" };

const TABLE_WORDS = ["undo", "redo", "resign", "draw", "help"] as const;

export function parseCommand(text: string, legal: readonly Action[], speech: Speech = ENGLISH): Command {
  const typed = text.trim().split(/\s+/).filter(Boolean);
  const words = inEnglish(typed, legal, speech);
  const [first, ...rest] = words;
  if (first === undefined) return { kind: "nothing" };
  const exactly = legal.some(([verb, target]) => same(`${verb} ${target}`.trim(), words.join(" ")));
  const head = exactly ? plain(first) : commandOf(typed[0] ?? "", speech);
  if ((head === "why" || head === "odds") && rest.length) {
    const asked = inEnglish(rest, legal, speech);
    const one = called(asked, legal, speech);
    return { kind: head, action: one.length === 1 ? one[0]! : pair(asked) };
  }
  if (head === "go" && rest[0]) return { kind: "go", hex: rest.join(" ") };
  if ((head === "rule" || head === "rules") && rest[0]) return { kind: "rule", id: rest[0] };
  const exact = legal.find(([verb, target]) => same(`${verb} ${target}`.trim(), words.join(" ")));
  if (exact) return { kind: "act", action: exact };
  const word = TABLE_WORDS.find((w) => w === head);
  if (word && !rest.length) return { kind: "table", word };
  if (/^\d+$/.test(head) && !rest.length) {
    const numbered = legal[Number(head) - 1];
    if (numbered) return { kind: "act", action: numbered };
  }
  const begun = legal.filter(([verb, target]) => starts(`${verb} ${target}`.trim(), words.join(" ")));
  if (begun.length === 1) return { kind: "act", action: begun[0]! };
  const byTarget = legal.filter(([, target]) => same(target, words.join(" ")));
  if (byTarget.length === 1) return { kind: "act", action: byTarget[0]! };
  if (begun.length > 1 && rest.length === 0) return { kind: "ambiguous", actions: begun };
  const named = called(words, legal, speech);
  if (named.length === 1) return { kind: "act", action: named[0]! };
  if (named.length > 1) return { kind: "ambiguous", actions: named };
  return { kind: "act", action: pair(words) };
}

/** The actions that are meant by words of their names: whole words first, else beginnings of words. */
function called(words: readonly string[], legal: readonly Action[], speech: Speech): readonly Action[] {
  const { says } = speech;
  const verb = legal.some(([v]) => v === words[0]) ? words[0] : undefined;
  const asked = tokens(words.slice(verb === undefined ? 0 : 1).join(" "));
  if (!says || !asked.length) return [];
  const known = legal.filter(([v]) => verb === undefined || v === verb).map((action) => ({ action, said: tokens(`${says(action)} ${action[1]}`) }));
  const whole = known.filter(({ said }) => asked.every((word) => said.includes(word)));
  return (whole.length ? whole : known.filter(({ said }) => asked.every((word) => said.some((one) => one.startsWith(word))))).map(({ action }) => action);
}

/** The words of a name, as people type them in haste; a place by its two numbers is one word, never its numbers the other way round. */
export const tokens = (text: string): string[] => plain(text).match(/\d+-\d+(?![\p{L}\p{N}-])|[\p{L}\p{N}]+/gu) ?? [];

/** What could follow what is typed so far, best first. */
export function completions(text: string, legal: readonly Action[], most = 12, speech: Speech = ENGLISH): string[] {
  const typed = text.trimStart();
  const asked = /^(\S+)\s+/.exec(typed);
  const prefix = asked && ["why", "odds"].includes(commandOf(asked[1] ?? "", speech)) ? asked[0] : "";
  const rest = plain(typed.slice(prefix.length));
  const all = legal.map(([verb, target]) => ({ said: `${speech.order(verb)} ${target}`.trim(), raw: `${verb} ${target}`.trim() }));
  const fit = all.filter(({ said, raw }) => plain(said).startsWith(rest) || plain(raw).startsWith(rest));
  const inside = rest ? all.filter((line) => !fit.includes(line) && plain(line.said).includes(rest)) : [];
  const words = inEnglish(rest.split(/\s+/).filter(Boolean), legal, speech);
  const named = called(words, legal, speech).map(([verb, target]) => `${speech.order(verb)} ${target}`.trim());
  return [...new Set([...fit, ...inside].map(({ said }) => said).concat(named))].slice(0, most).map((said) => prefix + said);
}

/** The command that a word names, in English; other words stay as they are. */
function commandOf(word: string, speech: Speech): string {
  const typed = plain(word);
  return Object.keys(speech.commands).find((name) => plain(speech.commands[name] ?? "") === typed) ?? typed;
}

/** The same words with the verb that its word in the reader's language stands for. */
function inEnglish(words: readonly string[], legal: readonly Action[], speech: Speech): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const verb = legal.map(([v]) => v).find((v) => plain(v) === plain(first) || plain(speech.order(v)) === plain(first));
  return [verb ?? first, ...rest];
}

const pair = (words: readonly string[]): Action => [words[0] ?? "", words.slice(1).join(" ")];
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const starts = (a: string, b: string): boolean => a.toLowerCase().startsWith(b.toLowerCase());
