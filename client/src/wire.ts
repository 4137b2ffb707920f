/** The protocol between table and client, version 1, as types. The client holds no rules: this is all it knows. */

import type { LessonCard, LessonState } from "./model/coach";
import type { Verbs } from "./model/kinds";
import type { Overlay } from "./skins/skin";

export type Side = string;
export type Action = readonly [verb: string, target: string];
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };
export type Lang = "en" | "fr";

/** A counter or block as one side may see it. `id` is a name, or a token such as `#17` when it is not known. */
export interface Piece {
  readonly id: string;
  readonly known?: boolean;
  readonly side?: Side | number;
  readonly [fact: string]: unknown;
}

/** Where we are in the sequence of play: the stack of frames, outermost first. */
export interface Frame {
  readonly sequence: string;
  readonly at: string;
  readonly [fact: string]: unknown;
}

export interface View {
  readonly game?: string;
  readonly side?: Side;
  readonly pieces?: readonly Piece[];
  readonly frames?: readonly Frame[];
  readonly waiting?: readonly Side[];
  readonly decision?: string | null;
  /** The kind of the noun of each verb of the present decision. */
  readonly verbs?: Verbs;
  readonly [fact: string]: unknown;
}

export interface Prompt {
  readonly waiting: readonly Side[];
  readonly decision: string | null;
  readonly rule: string | null;
  readonly text: string;
}

export interface GameEvent {
  readonly kind: string;
  readonly rule: string;
  readonly text?: string;
  readonly [fact: string]: unknown;
}

/** One entry of the log. */
export interface Line {
  readonly n: number;
  readonly side: Side;
  readonly verb?: string;
  readonly target?: string;
  readonly text?: string;
  readonly events: readonly GameEvent[];
}

export interface Result {
  readonly winner: Side | null;
  readonly level: string;
  readonly rule: string;
  readonly text?: string;
}

/** `name` is the player's, or the level of the computer. */
export interface Seat {
  readonly side: Side;
  readonly kind: "open" | "invited" | "human" | "ai";
  readonly name: string;
  readonly online: boolean;
}

export interface ChatLine {
  readonly n?: number;
  readonly author: string;
  readonly text: string;
  readonly at?: number;
}

export interface Offer {
  readonly kind: "takeback" | "draw";
  readonly side: Side;
  readonly to?: number;
}

/** Seconds left by side, in the game's order; `thought` is for how long the waiting sides had been thinking when this was sent. */
export interface Clock {
  readonly bank?: readonly number[];
  readonly added?: number;
  readonly thought?: number;
  /** When this browser heard it; not sent. */
  readonly heard?: number;
}

/** How far the dice of a table are: docs/dice.md. */
export interface DiceState {
  readonly step: "seats" | "commit" | "show" | "made";
  readonly id: string;
  readonly commitment: string;
  readonly shares: readonly { readonly side: Side; readonly commitment: string; readonly shown?: boolean; readonly entropy?: string }[];
  readonly missing?: readonly Side[];
  readonly patience?: number;
  /** Every order that throws dice wants a link of every player. */
  readonly all?: boolean;
  readonly order?: AnnouncedOrder;
}

/** An order whose dice wait for the others: for each who is waited for, the number of the link and what binds the order. */
export interface AnnouncedOrder {
  readonly side: Side;
  readonly wanted: { readonly [side: Side]: { readonly number: number; readonly binding: string } };
  readonly patience: number;
}

/** Who may find the table, watch it, and speak. */
export interface Terms {
  readonly listed: boolean;
  readonly watchers: "anyone" | "nobody";
  readonly delay: number;
  readonly chat: "players" | "all";
  readonly patience: number;
  readonly rated?: boolean;
}

export interface StateMessage {
  readonly type: "state";
  readonly table: string;
  readonly as: Side;
  readonly version: number;
  readonly digest: string;
  readonly view: View;
  readonly legal: readonly Action[];
  readonly prompt: Prompt;
  readonly can_undo: boolean;
  readonly can_redo: boolean;
  /** How far a learner is, in a lesson. */
  readonly lesson?: LessonState | null;
  readonly result: Result | null;
  readonly log: readonly Line[];
  readonly opening?: readonly GameEvent[];
  readonly title: string;
  /** By language, where nobody typed it. */
  readonly titles?: { readonly [lang: string]: string };
  readonly game: string;
  readonly scenario: string;
  readonly options: { readonly [name: string]: string };
  readonly mine: readonly Side[];
  readonly chat: readonly ChatLine[];
  readonly seats: readonly Seat[];
  readonly clock?: Clock;
  readonly commitment: string;
  readonly offers?: readonly Offer[];
  readonly actions: number;
  readonly seed: string | null;
  readonly next_table?: string;
  readonly at?: number;
  readonly dice?: DiceState;
  readonly salted?: number;
  readonly mark?: string;
  readonly origin?: string;
  readonly terms?: Terms;
  readonly owner?: boolean;
  readonly old?: OldGame;
}

/** A game of earlier rules that cannot go on as it is. */
export interface OldGame {
  readonly theirs: number;
  readonly ours: number;
  readonly over: boolean;
  readonly views: boolean;
  readonly can_continue: boolean;
  readonly agreed: readonly Side[];
}

export interface UpdateMessage {
  readonly type: "update";
  readonly version: number;
  readonly digest: string;
  readonly log: readonly Line[];
  readonly set?: { readonly [key: string]: unknown };
  readonly pieces?: readonly Piece[];
  readonly gone?: readonly string[];
  readonly unset?: readonly string[];
  readonly overlays?: { readonly order: readonly string[]; readonly changed: readonly Overlay[] };
  readonly legal: readonly Action[];
  readonly prompt: Prompt;
  readonly can_undo: boolean;
  readonly can_redo: boolean;
  readonly lesson?: LessonState | null;
  readonly result: Result | null;
  readonly clock?: Clock;
  readonly seed?: string;
  readonly salted?: number;
}

export interface Refusal {
  readonly rule: string;
  readonly reason: string;
  readonly message: string;
  readonly rule_title?: string;
  readonly rule_text?: string;
}

/** Where some orders would lead: `ends` says why no further can be seen (dice, something revealed, another side). */
export interface Foreseen {
  readonly ends: "" | "dice" | "reveals" | "others";
  readonly told: readonly GameEvent[];
  readonly orders: readonly Action[];
  readonly verbs: Verbs;
  readonly reach: { readonly [place: string]: string | number };
  readonly about: string;
  /** What was in hand is laid down. */
  readonly back: boolean;
}

/** What the computer would do. */
export interface Hint {
  readonly orders: readonly Action[];
  readonly texts: readonly string[];
  readonly motive: string;
  readonly level: string;
  readonly chance: number | null;
}

/** The report after a game: docs/protocol.md. */
export interface GameReport {
  readonly result: Result | null;
  readonly measure: "chance" | "score";
  readonly sides: readonly Side[];
  readonly entries: number;
  readonly span: number;
  readonly curve: readonly { readonly n: number; readonly turn: number; readonly values: readonly number[] }[];
  readonly strength: readonly { readonly n: number; readonly turn: number; readonly sides: { readonly [side: Side]: number } }[];
  readonly luck: { readonly [side: Side]: number };
  readonly rolls: readonly { readonly n: number; readonly side: Side; readonly luck: number; readonly exact: boolean; readonly text: string; readonly came: string }[];
  readonly weighed: readonly [number, number, number];
  readonly dice: readonly { readonly side: Side; readonly faces: number; readonly n: number; readonly mean: number; readonly expected: number }[];
  readonly turning: readonly { readonly n: number; readonly side: Side; readonly moved: number; readonly dice: boolean; readonly text: string; readonly came: string }[];
  readonly costly: readonly { readonly n: number; readonly side: Side; readonly cost: number; readonly text: string; readonly came: string; readonly instead: string }[];
  readonly judged: number;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly rule?: string;
  readonly refusal?: Refusal;
}

export type ServerMessage =
  | StateMessage
  | UpdateMessage
  | ({ readonly type: "chat" } & ChatLine)
  | { readonly type: "presence"; readonly seats: readonly Seat[] }
  | { readonly type: "dice"; readonly seats: readonly Seat[]; readonly dice: DiceState }
  | ({ readonly type: "offer" } & Offer)
  | ({ readonly type: "error"; readonly reply_to?: string; readonly status?: number } & ErrorBody)
  | { readonly type: "done"; readonly reply_to: string; readonly version: number }
  | { readonly type: "thinking"; readonly side: Side; readonly done: number; readonly total: number }
  | { readonly type: "rematch"; readonly table: string }
  | { readonly type: "pong"; readonly version?: number };

export interface GameCard {
  readonly game: string;
  readonly title: string;
  readonly about: string;
  readonly playable: boolean;
  readonly rules?: number;
  readonly sides?: readonly { readonly name: Side; readonly title: string }[];
  readonly scenarios?: readonly { readonly name: string; readonly title: string; readonly about?: string; readonly levels?: readonly string[]; readonly options?: { readonly [name: string]: string } }[];
  readonly options?: readonly OptionCard[];
  readonly levels?: readonly string[];
  readonly lessons?: readonly LessonCard[];
  readonly picture?: string;
}

export interface OptionCard {
  readonly name: string;
  readonly rule: string;
  readonly choices: readonly string[];
  readonly words?: { readonly [choice: string]: string };
  readonly default: string;
  readonly title: string;
  /** The part of the rulebook, and the chapter under which its rule is read. */
  readonly tier?: string;
  readonly chapter?: string;
  /** Switched on it wants these on too, and those off. */
  readonly needs?: readonly string[];
  readonly excludes?: readonly string[];
}

export interface TableCard {
  readonly id: string;
  readonly title: string;
  readonly titles?: { readonly [lang: string]: string };
  readonly game: string;
  readonly scenario: string;
  readonly seats: readonly Seat[];
  readonly waiting: readonly Side[];
  readonly turn?: number | string | null;
  readonly mine: readonly Side[];
  readonly over: boolean;
  readonly updated?: number;
  readonly options?: { readonly [name: string]: string };
  readonly commitment?: string;
  readonly seed?: string | null;
  readonly result?: Result | null;
  readonly version?: number;
  readonly actions?: number;
  readonly stage?: string;
  readonly mark?: string;
  readonly admitted?: boolean;
}

export interface RuleText {
  readonly id: string;
  readonly tier?: string | number;
  readonly chapter?: string;
  /** The option that turns it on or off, in words. */
  readonly switch?: string | undefined;
  readonly title: string;
  readonly text: string;
}

/** A picture of a case in the rulebook: a position, the part of the board that is shown, and what is laid over it. */
export interface Figure {
  readonly name: string;
  readonly rules: readonly string[];
  readonly title: string;
  readonly says: string;
  readonly scenario: string;
  readonly middle: string;
  readonly reach: number;
  /** A kind and the way: `go 0404 0405`. */
  readonly arrows: readonly string[];
  /** A place, a kind, a word: `0405 mark 2`. */
  readonly signs: readonly string[];
  /** On a measured table: `point facing degrees cm`. */
  readonly arcs: readonly string[];
  readonly view: View;
}

export interface Verification {
  readonly ok: boolean;
  readonly actions: number;
  readonly rolls: number;
  readonly typed: number;
  readonly problems: readonly string[];
  readonly withheld?: readonly Side[];
  readonly unsalted?: { readonly [side: Side]: number };
  readonly mark?: string;
}
