/** Reading odds: fractions as text ("5/36"), decimals, laws and tallies of modifiers, whatever a game answers. Pure. */

export interface Bar {
  readonly label: string;
  readonly share: number;
}

export interface TallyLine {
  readonly rule: string;
  readonly amount: number;
  readonly label: string;
}

export type Shown =
  | { readonly kind: "bars"; readonly title: string; readonly bars: readonly Bar[]; readonly of?: string }
  | { readonly kind: "tally"; readonly title: string; readonly lines: readonly TallyLine[] }
  | { readonly kind: "table"; readonly title: string; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "fact"; readonly title: string; readonly value: string }
  | { readonly kind: "group"; readonly title: string; readonly parts: readonly Shown[] };

type Name = (key: string) => string;
type Facts = { readonly [key: string]: unknown };

/** Fractions that are no chances: odds columns, ratios of strength, averages. */
const RATIOS = /^(ratio|column|odds)$/;
const AVERAGES = /^(mean|average|expected)/;
const MOST_ROWS = 60;
const AMOUNT_AT_END = /\s*[(,:]?\s*[+−-]\d+\)?$/; // titles of modifiers often end with what is told before them

/** A chance between 0 and 1, or null if this is not one. */
export function chance(value: unknown): number | null {
  if (typeof value === "number") return value >= 0 && value <= 1 && !Number.isInteger(value) ? value : null;
  if (typeof value !== "string") return null;
  const share = fraction(value);
  return share !== null && value.includes("/") && share <= 1 ? share : null;
}

function fraction(text: string): number | null {
  const parts = /^(\d+)(?:\/(\d+))?$/.exec(text);
  if (!parts) return null;
  const below = parts[2] === undefined ? 1 : Number(parts[2]);
  return below > 0 ? Number(parts[1]) / below : null;
}

/** Never 0 % or 100 % unless certain. */
export function percent(share: number): string {
  if (share <= 0) return "0 %";
  if (share >= 1) return "100 %";
  const whole = share * 100;
  if (whole < 0.1) return "< 0.1 %";
  if (whole > 99.9) return "> 99.9 %";
  return `${whole.toFixed(whole < 10 || whole > 90 ? 1 : 0)} %`;
}

export function readOdds(answer: Facts, name: Name): Shown[] {
  return Object.entries(answer).flatMap(([key, value]) => readOne(key, value, name));
}

function readOne(key: string, value: unknown, name: Name): Shown[] {
  const title = name(key);
  if (value === null || value === undefined || value === "" || value === false) return [];
  if (Array.isArray(value)) return fromList(key, title, value, name);
  if (typeof value === "object") return fromFacts(key, title, value as Facts, name);
  if (RATIOS.test(key)) return [{ kind: "fact", title, value: String(value).replace("/", " : ") }];
  const share = chance(value);
  return [{ kind: "fact", title, value: share === null ? name(String(value)) : percent(share) }];
}

/** Named chances become bars, even where they exclude nothing and do not add up to one. */
function fromFacts(key: string, title: string, facts: Facts, name: Name): Shown[] {
  const entries = Object.entries(facts);
  if (AVERAGES.test(key)) {
    const said = entries.map(([label, v]) => `${name(label)} ${typeof v === "string" ? (fraction(v) ?? 0).toFixed(2) : String(v)}`);
    return [{ kind: "fact", title, value: said.join(", ") }];
  }
  const shares = entries.map(([label, v]) => [label, shareOf(v)] as const);
  const certain = shares.some(([, s]) => s !== null && s > 0 && s < 1) || entries.some(([, v]) => typeof v === "object");
  if (entries.length > 1 && certain && shares.every(([, s]) => s !== null))
    return [{ kind: "bars", title, of: key, bars: shares.map(([label, share]) => ({ label: name(label), share: share! })) }];
  const parts = entries.flatMap(([k, v]) => readOne(k, v, name));
  return parts.length ? [{ kind: "group", title, parts }] : [];
}

function shareOf(value: unknown): number | null {
  if (value && typeof value === "object") return shareOf((value as Facts)["chance"] ?? (value as Facts)["p"]);
  if (value === 1 || value === "1") return 1;
  if (value === 0 || value === "0") return 0;
  return chance(value);
}

function fromList(key: string, title: string, list: readonly unknown[], name: Name): Shown[] {
  if (!list.length) return [];
  const lines = list.map((item) => tallyLine(item, name));
  if (lines.every((line) => line !== null)) return [{ kind: "tally", title, lines: lines as TallyLine[] }];
  const shares = list.map((value) => (typeof value === "object" ? null : shareOf(value)));
  if (list.length > 1 && shares.every((s) => s !== null) && shares.some((s) => s! > 0 && s! < 1))
    return [{ kind: "bars", title, of: key, bars: shares.map((share, i) => ({ label: String(i), share: share! })) }];
  if (list.every((v) => typeof v !== "object")) return [{ kind: "fact", title, value: list.map((v) => name(String(v))).join(", ") }];
  return fromRows(title, list as Facts[], name);
}

/** A modifier with the rule that gives it: `["5.3b", 2, "hq"]` or `{rule, drm}`. */
function tallyLine(item: unknown, name: Name): TallyLine | null {
  if (Array.isArray(item) && typeof item[0] === "string" && typeof item[1] === "number") {
    return { rule: item[0], amount: item[1], label: typeof item[2] === "string" ? name(item[2]) : "" };
  }
  if (item && typeof item === "object" && !Array.isArray(item)) {
    const facts = item as Facts;
    const amount = facts["drm"] ?? facts["amount"] ?? facts["shift"];
    const title = typeof facts["title"] === "string" ? facts["title"].replace(AMOUNT_AT_END, "") : "";
    if (typeof facts["rule"] === "string" && typeof amount === "number") return { rule: facts["rule"], amount, label: title };
  }
  return null;
}

/** A law told row by row; columns that are always the same or only repeat the chance are left out. */
function fromRows(title: string, rows: readonly Facts[], name: Name): Shown[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((k) => k !== "percent");
  const told = keys.filter((k) => k === "chance" || new Set(rows.map((row) => JSON.stringify(row[k]))).size > 1);
  const cell = (row: Facts, key: string): string => {
    const share = key === "chance" ? shareOf(row[key]) : null;
    return share === null ? String(row[key] ?? "") : percent(share);
  };
  return [{ kind: "table", title, heads: told.map(name), rows: rows.slice(0, MOST_ROWS).map((row) => told.map((k) => cell(row, k))) }];
}

/** One chance to decide by: what it is of, and how likely; `mean` instead where an amount is what matters. */
export interface Headline {
  readonly key: string;
  readonly share: number;
  readonly mean?: number;
}

/** Where games keep the chances that matter most, best first. */
const HEADS: readonly (readonly string[])[] = [["chances"], ["outcome", "results"], ["effects"], ["results"]];
const AMOUNTS = ["hits_taken", "hits", "losses"];

/** The few chances of an answer that one decides by. */
export function headlines(answer: Facts): Headline[] {
  for (const path of HEADS) {
    const facts = path.reduce<unknown>((found, key) => (found && typeof found === "object" ? (found as Facts)[key] : undefined), answer);
    if (!facts || typeof facts !== "object" || Array.isArray(facts)) continue;
    const found = Object.entries(facts).flatMap(([key, value]) => {
      const share = shareOf(value);
      return share === null ? [] : [{ key, share }];
    });
    const nothing = found.find(({ key }) => key === "none");
    if (nothing && found.length > 1) found.push({ key: "effect", share: 1 - nothing.share });
    if (found.length > 1) return found;
  }
  const hit = shareOf(answer["p_hit"]);
  if (hit !== null) return [{ key: "p_hit", share: hit }];
  for (const key of AMOUNTS) {
    const laws = answer[key];
    if (laws && typeof laws === "object") return Object.entries(laws as Facts).map(([who, law]) => amount(who, law));
  }
  return [];
}

/** The mean of a law by numbers. */
function amount(key: string, law: unknown): Headline {
  const entries = Array.isArray(law) ? law.map((p, n) => [n, shareOf(p) ?? 0] as const) : Object.entries((law ?? {}) as Facts).map(([n, p]) => [Number(n), shareOf(p) ?? 0] as const);
  const mean = entries.reduce((sum, [n, p]) => sum + n * p, 0);
  return { key, share: 1 - (entries.find(([n]) => n === 0)?.[1] ?? 0), mean };
}

/** What says least: it only tells what is left over. */
const LEFT_OVER = new Set(["nothing", "none", "effect", "NE", "undecided"]);
/** What only somebody who knows the markers understands: it stands in the whole answer. */
const SMALL_PRINT = new Set(["no_ezoc", "attacker_activation_ends"]);

/** What is part of something else, and need not be said where it is all of it. */
const PART_OF: { readonly [key: string]: string } = { retreat: "gives_way" };

/** The chances to put beside several choices: those that differ between the choices first, then the likeliest. */
export function compared(answers: readonly (readonly Headline[])[], most = 4): string[] {
  const keys = [...new Set(answers.flatMap((list) => list.map((h) => h.key)))];
  const values = (key: string): number[] => answers.map((list) => list.find((h) => h.key === key)).map((h) => h?.mean ?? h?.share ?? 0);
  const weight = (key: string): number => {
    const found = values(key);
    const [least, largest] = [Math.min(...found), Math.max(...found)];
    return (SMALL_PRINT.has(key) ? -9 : LEFT_OVER.has(key) ? 0 : 2) + (largest - least > 1e-9 ? 2 : 0) + largest;
  };
  const decides = DECIDES.find((key) => keys.includes(key)); // told even where it cannot happen: that is what one must know
  const living = keys.filter((key) => key !== "effect" && (key === decides || values(key).some((v) => v > 0))); // what is left of "none" is told by the others
  const said = living.filter((key) => !keys.includes(PART_OF[key] ?? "") || values(key).join() !== values(PART_OF[key]!).join());
  const chosen = [...said].sort((a, b) => weight(b) - weight(a)).slice(0, most);
  const told = keys.filter((key) => chosen.includes(key));
  return [...told.filter((key) => !LEFT_OVER.has(key)), ...told.filter((key) => LEFT_OVER.has(key))];
}

/** What one decides by, best first, as the games name it. */
const DECIDES = ["hex_emptied", "gives_way", "attacker_wins", "gets_through", "cleared_first", "defender_eliminated", "destroyed", "eliminated", "disordered", "infiltrates", "passed", "safe", "unhurt", "effect", "p_hit"];

/** One way to decide, in a few words, with its chances. */
export interface Way {
  readonly label: string;
  readonly heads: readonly Headline[];
}

export interface Weighing {
  readonly key: string;
  /** All ways come to the same. */
  readonly same: boolean;
  readonly parts: readonly { readonly label: string; readonly head: Headline }[];
}

/** The one chance in which several ways of deciding can be compared; null if there is none. */
export function weighing(ways: readonly Way[], most = 4): Weighing | null {
  if (ways.length < 2) return null;
  const heads = (key: string): Headline[] => ways.flatMap((way) => way.heads.find((head) => head.key === key) ?? []);
  const worth = (head: Headline): number => head.mean ?? head.share;
  const shared = [...new Set([...DECIDES, ...compared(ways.map((way) => way.heads))])].filter((key) => !SMALL_PRINT.has(key) && heads(key).length > 1);
  const common = shared.sort((a, b) => heads(b).length - heads(a).length); // what most ways have; of these what decides
  const differs = (key: string): boolean => new Set(heads(key).map((head) => worth(head).toFixed(6))).size > 1;
  const key = common.find(differs) ?? common.find((one) => heads(one).some((head) => worth(head) > 0));
  if (key === undefined) return null;
  const all = ways.flatMap((way) => {
    const head = way.heads.find((one) => one.key === key);
    return head ? [{ label: way.label, head }] : [];
  });
  const [first, ...others] = all; // what comes first is what one has; of the others the best are told
  const best = others.length < most ? others : [...others].sort((a, b) => worth(b.head) - worth(a.head)).slice(0, most - 1);
  return { key, same: !differs(key), parts: [first!, ...others.filter((part) => best.includes(part))] };
}

/** The chances of an answer without what would join, where the game tells them. */
export function withoutIt(answer: Facts): Headline[] {
  const alone = answer["without"];
  return alone && typeof alone === "object" ? headlines({ results: alone }) : [];
}

/** The chances of an answer if everything joined that can, where the game tells them. */
export function withAll(answer: Facts): Headline[] {
  const all = answer["together"];
  return all && typeof all === "object" ? headlines({ results: all }) : [];
}
