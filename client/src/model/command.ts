/** The command box: `verb target`, `why verb target`, `odds verb target`, and a few words for the table itself. Pure. */
import type { Action } from "../wire";

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

export function parseCommand(text: string, legal: readonly Action[]): Command {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const [first, ...rest] = words;
  if (first === undefined) return { kind: "nothing" };
  const head = first.toLowerCase();
  if (head === "why" && rest.length) return { kind: "why", action: pair(rest) };
  if (head === "odds" && rest.length) return { kind: "odds", action: pair(rest) };
  if (head === "go" && rest[0]) return { kind: "go", hex: rest[0] };
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
  return { kind: "act", action: pair(words) };
}

/** What could follow what is typed so far, best first. */
export function completions(text: string, legal: readonly Action[], most = 12): string[] {
  const typed = text.trimStart().toLowerCase();
  const prefix = /^(why|odds)\s+/.exec(typed)?.[0] ?? "";
  const rest = typed.slice(prefix.length);
  const all = legal.map(([verb, target]) => `${verb} ${target}`.trim());
  const fit = all.filter((line) => line.toLowerCase().startsWith(rest));
  const inside = rest ? all.filter((line) => !line.toLowerCase().startsWith(rest) && line.toLowerCase().includes(rest)) : [];
  return [...fit, ...inside].slice(0, most).map((line) => prefix + line);
}

const pair = (words: readonly string[]): Action => [words[0] ?? "", words.slice(1).join(" ")];
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const starts = (a: string, b: string): boolean => a.toLowerCase().startsWith(b.toLowerCase());
