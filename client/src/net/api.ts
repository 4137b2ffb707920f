/** Plain requests to the server. Errors are the server's own sentences, in the reader's language. */
import { lang } from "../text";
import type { Action, ErrorBody, Figure, Foreseen, GameCard, GameReport, Hint, Refusal, RuleText, Side, StateMessage, TableCard, Terms, Verification } from "../wire";
import type { DrawnBoxes } from "../model/board";
import type { LessonWords } from "../model/coach";
import type { MapFile } from "../model/mapfile";
import type { TextTable } from "../model/words";

export class ServerError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const url = new URL(path, location.origin);
  url.searchParams.set("lang", lang.peek());
  const response = await fetch(url, { credentials: "same-origin", ...init });
  const body: unknown = await response.json().catch(() => undefined); // undefined: the line was cut before its end
  if (response.ok && (body !== undefined || response.status === 204)) return body as T;
  const error = (body as { error?: ErrorBody } | null | undefined)?.error;
  throw new ServerError(response.status, error ?? { code: "unreachable", message: `${response.status} ${response.statusText}` });
}

const send = <T>(method: string, path: string, body: unknown): Promise<T> =>
  ask<T>(path, { method, headers: { "Content-Type": "application/json", "X-Grognard": "1" }, body: JSON.stringify(body) });

const words = (facts: { readonly [key: string]: string | number | undefined }): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) query.set(key, String(value));
  return query.toString();
};

export interface NewTable {
  readonly game: string;
  readonly scenario: string;
  readonly options: { readonly [name: string]: string };
  readonly title: string;
  readonly seats: { readonly [side: Side]: string };
  readonly entropy?: string;
  readonly terms?: Partial<Terms>;
  readonly dice?: "own" | "all";
  readonly time?: { readonly bank_s: number; readonly per_action_s: number };
}

/** Somebody's strength in a title, give or take. */
export interface RatingRow {
  readonly kind: "human" | "ai";
  readonly name: string;
  readonly rating: number;
  readonly deviation: number;
  readonly games: number;
}

export interface Opened {
  readonly id: string;
  readonly invitations: { readonly [side: Side]: string };
}

/** What an invitation is to, before it is taken up. */
export interface Invitation {
  readonly game: string;
  readonly scenario: string;
  readonly options?: { readonly [name: string]: string };
  readonly title: string;
  readonly titles?: { readonly [lang: string]: string };
  readonly side: Side;
  readonly host: string;
  readonly mark?: string;
}

export interface Me {
  readonly name: string;
  readonly guest: boolean;
  readonly notices: { readonly email: string; readonly webhook: string; readonly language: string; readonly confirmed?: boolean };
  readonly sent: readonly { readonly table_id: string; readonly how: string; readonly status: string; readonly at: number }[];
}

/** What every run of the designer's page has. */
export interface Run {
  readonly run: string;
  readonly game: string;
  readonly scenario: string;
  readonly title: string;
  readonly running: boolean;
  readonly verdict: string;
  readonly most: number;
  readonly course?: readonly (readonly [number, number, number, number])[];
  readonly pictures?: readonly { readonly name: string; readonly title: string }[];
  readonly games_list?: readonly { readonly pair: number; readonly place: number; readonly arm: string; readonly ended: string; readonly turns: number }[];
}

/** A scenario counted between equals. */
export interface Balance extends Run {
  readonly kind: "balance";
  readonly level: string;
  readonly games: number;
  readonly drawn: string;
  readonly shares: readonly { readonly side: string; readonly share: number; readonly low: number; readonly high: number }[];
  readonly length?: readonly (readonly string[])[];
  readonly luck_rows?: readonly (readonly string[])[];
  readonly history?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** A data set in the laboratory's folder. */
export interface DataFile {
  readonly name: string;
  readonly bytes: number;
  readonly running: boolean;
  readonly done?: number;
  readonly most?: number;
}

/** A rule tried both ways. */
export interface Experiment extends Run {
  readonly kind: "ab";
  readonly sentence: string;
  readonly what: string;
  readonly side: string;
  readonly first: { readonly [option: string]: string };
  readonly second: { readonly [option: string]: string };
  readonly pairs: number;
  readonly touched: number;
  readonly unequal: number;
  readonly mean: number;
  readonly worth: number;
  readonly interval: readonly [number, number];
}

export const api = {
  games: () => ask<GameCard[]>("/api/games"),
  maps: (game: string) => ask<{ maps: { [name: string]: MapFile } }>(`/api/games/${game}/map`),
  sight: (game: string, map: string, from: string, up: number) => ask<{ runs: number[] }>(`/api/games/${game}/sight?${words({ map, from, up })}`),
  art: (game: string) => ask<string[]>(`/api/games/${game}/art`),
  artIndex: (game: string, file: string) =>
    ask<{ size?: [number, number]; box?: [number, number]; boxes?: DrawnBoxes }>(`/api/games/${game}/art/${file}`),
  seats: (game: string, scenario: string, options: { readonly [name: string]: string }) =>
    ask<{ sides: Side[] }>(`/api/games/${game}/seats?${new URLSearchParams({ ...options, scenario }).toString()}`),
  rules: (game: string) => ask<RuleText[]>(`/api/games/${game}/rules`),
  figures: (game: string) => ask<Figure[]>(`/api/games/${game}/figures`),
  texts: (game: string) => ask<TextTable>(`/api/games/${game}/texts`),
  lesson: (game: string, name: string) => ask<LessonWords>(`/api/games/${game}/lessons/${name}`),
  learn: (game: string, lesson: string, step = 0) => send<{ id: string }>("POST", "/api/learn", { game, lesson, step, language: lang.peek() }),
  tables: (list: "mine" | "open" | "recent") => ask<TableCard[]>(`/api/tables?list=${list}`),
  table: (id: string) => ask<TableCard>(`/api/tables/${id}`),
  create: (order: NewTable) => send<Opened>("POST", "/api/tables", { ...order, language: lang.peek() }),
  invitation: (token: string) => send<Invitation>("POST", "/api/invitation", { token }),
  join: (token: string) => send<{ id: string; side: Side }>("POST", "/api/join", { token }),
  sit: (id: string, side: Side) => send<{ id: string }>("POST", `/api/tables/${id}/sit`, { side }),
  invite: (id: string, side: Side, open: boolean) => send<{ invitation: string | null }>("POST", `/api/tables/${id}/invite`, { side, open }),
  ratings: (game: string) => ask<readonly RatingRow[]>(`/api/ratings/${game}`),
  terms: (id: string, terms: Partial<Terms>) => send<Terms>("PUT", `/api/tables/${id}/terms`, terms),
  file: async (id: string): Promise<string> => (await fetch(`/g/${id}.txt`, { credentials: "same-origin" })).text(),
  view: (id: string, as: Side | undefined, at: number | undefined) =>
    ask<StateMessage>(`/api/tables/${id}/view?${words({ as, at })}`),
  why: (id: string, side: Side, verb: string, target: string) =>
    ask<{ refusal: Refusal | null }>(`/api/tables/${id}/why?${words({ side, verb, target })}`),
  odds: (id: string, side: Side, [verb, target]: Action, after: readonly Action[] = []) =>
    ask<Record<string, unknown> | null>(`/api/tables/${id}/odds?${new URLSearchParams([["side", side], ["verb", verb], ["target", target], ...after.map((order) => ["after", order.join(" ").trim()])]).toString()}`),
  foresee: (id: string, side: Side, orders: readonly Action[]) =>
    ask<Foreseen>(`/api/tables/${id}/foresee?${new URLSearchParams([["side", side], ...orders.map((order) => ["do", order.join(" ").trim()])]).toString()}`),
  report: (id: string) => ask<GameReport | { done: number; total: number }>(`/api/tables/${id}/report`),
  hint: (id: string, side: Side) => ask<Hint>(`/api/tables/${id}/hint?${words({ side })}`),
  note: (id: string) => ask<{ text: string }>(`/api/tables/${id}/note`),
  setNote: (id: string, text: string) => send<unknown>("PUT", `/api/tables/${id}/note`, { text }),
  rematch: (id: string) => send<{ id: string }>("POST", `/api/tables/${id}/rematch`, {}),
  verify: (id: string) => ask<Verification>(`/api/tables/${id}/verify`),
  goOn: (id: string, agree: boolean) => send<{ id: string | null; agreed: readonly Side[] }>("POST", `/api/tables/${id}/continue`, { agree }),
  importFile: (text: string, seats: { readonly [side: Side]: string } = {}) =>
    ask<Opened>(`/api/import?${words(seats)}`, { method: "POST", headers: { "Content-Type": "text/plain", "X-Grognard": "1" }, body: text }),
  hasLab: () => ask<{ there: boolean }>("/api/lab?there=1"),
  experiments: () => ask<{ runs: (Experiment | Balance)[]; busy: boolean; files: DataFile[]; formats: string[] }>("/api/lab"),
  experiment: (run: string) => ask<Experiment | Balance>(`/api/lab/${run}`),
  begin: (wish: object) => send<{ run: string }>("POST", "/api/lab", wish),
  count: (wish: object) => send<{ run: string }>("POST", "/api/lab/balance", wish),
  write: (wish: object) => send<{ name: string }>("POST", "/api/lab/files", wish),
  dataFile: (name: string): string => `/api/lab/files/${name}`,
  labReport: (run: string): string => `/api/lab/${run}/report?lang=${lang.value}`,
  labPicture: (run: string, name: string): string => `/api/lab/${run}/pictures/${name}?lang=${lang.value}`,
  labRows: (run: string, name: string): string => `/api/lab/${run}/rows/${name}`,
  rest: (run: string) => send<unknown>("POST", `/api/lab/${run}/stop`, {}),
  openGame: (run: string, pair: number, place: number) => send<{ id: string }>("POST", `/api/lab/${run}/open`, { pair, place }),
  me: () => ask<Me>("/api/me"),
  account: (name: string, password: string) => send<{ name: string }>("POST", "/api/account", { name, password }),
  login: (name: string, password: string) => send<{ name: string }>("POST", "/api/login", { name, password }),
  forgot: (name: string) => send<unknown>("POST", "/api/reset", { name }),
  resetPassword: (token: string, password: string) => send<unknown>("POST", "/api/reset/password", { token, password }),
  deleteAccount: (password: string) => send<unknown>("POST", "/api/account/delete", { password }),
  logout: () => send<unknown>("POST", "/api/logout", {}),
  notices: (email: string, webhook: string) =>
    send<unknown>("PUT", "/api/me/notices", { email, webhook, language: lang.peek() }),
};

const kept = new Map<string, Promise<unknown>>();

/** The same question in the same language is asked once; maps and pictures have no language. */
export function once<T>(key: string, question: () => Promise<T>): Promise<T> {
  const name = /^(map|art) /.test(key) ? key : `${lang.peek()} ${key}`;
  const known = kept.get(name) as Promise<T> | undefined;
  if (known) return known;
  const answer = question();
  kept.set(name, answer);
  answer.catch(() => kept.delete(name));
  return answer;
}
