/** Battles, and whatever else was diced for, told after the event from the log alone: who, where, dice, losses, ground. Knows no game, only how events are named. Pure. */
import type { GameEvent, Line, Side, View } from "../wire";
import type { Board } from "./board";
import { BEGINS, isFighting, rollsOf, type Roll } from "./happenings";

export interface Report {
  /** Entries of the log in which it began and ended. */
  readonly from: number;
  readonly to: number;
  readonly side: Side;
  readonly place: string | null;
  /** The piece that it was about, where the game says so. */
  readonly about: string | null;
  /** What began it, and what was fought out inside it (air over the battle, the column of a combat). */
  readonly heads: readonly GameEvent[];
  readonly rolls: readonly Roll[];
  readonly losses: readonly GameEvent[];
  readonly ground: readonly GameEvent[];
  /** How it came to that: what was committed, the modifiers, the dice with them. */
  readonly reasons: readonly GameEvent[];
  /** What the tables said. */
  readonly results: readonly GameEvent[];
  /** True while something may still follow. */
  readonly open: boolean;
  /** False for dice outside a battle: convoys, journeys, tests, rockets. */
  readonly fought: boolean;
}

const TURNS = /^(turn|month)$/;
const ENDS = /-over$|called-off$|-failed$|-stopped$/;
const CLOSES = /^(moved?|activated|pass|passes|rail|railed|transfer|arrives|phase|turn|month|player|wave|income|weather|initiative|begins|sets-out|marks|rallies|stays-shaken|digs-in|looks-out|shuts)$/;
const LOSSES = /loss|lost$|reduced|eliminated|destroyed|killed|^hit$|captured|surrendered|disorganised|affected|fell|evacuates|no-base|^(damaged-at-sea|sunk|damaged|immobilised|abandoned|shaken|bails-out|commander-lost|shot-down|flattened|thrown-out|knocked-out)$/;
const GROUND = /retreat|falls-back|ashore|^landed$|withdrawn|fled|advance|conquered|taken|village|follows|^held$|exploit|bombed$|no-ezoc/;
const RESULTS = /^(result|outcome|escort-result|saves|unharmed|holds|stopped|tested|flak|raid-fails|recon-sees|recon-fails|recon-stopped)$|-failed$|^interdicted$/;

const REASONS = /^(modifiers|die|die-halved)$/;

/** Dice that the bar tells of, and what would have come anyway. */
const QUIET = /^(weather|initiative|turn|month|phase|player|first)$/;

interface Draft {
  from: number;
  to: number;
  side: Side;
  place: string | null;
  about: string | null;
  heads: GameEvent[];
  rolls: Roll[];
  losses: GameEvent[];
  ground: GameEvent[];
  reasons: GameEvent[];
  results: GameEvent[];
  open: boolean;
  fought: boolean;
}

/** Where pieces stand now, by name. */
export type Where = (id: string) => string | null;

function aboutOf(event: GameEvent): string | null {
  const named = event["target"] ?? event["unit"];
  return typeof named === "string" ? named : null;
}

function placeOf(event: GameEvent, board: Board | null, where: Where): string | null {
  for (const key of ["hex", "place", "target", "where"]) {
    const value = event[key];
    const spot = typeof value === "string" ? board?.spot(value) : null;
    if (spot && spot.kind !== "side") return spot.key;
  }
  const about = aboutOf(event);
  return about === null ? null : where(about);
}

/** Whether something is fought out within the battle that is being told: the same place, else the same piece. */
function isSame(now: Draft, place: string | null, about: string | null): boolean {
  if (now.place !== null && place !== null) return now.place === place;
  if (now.about !== null && about !== null) return now.about === about;
  return place === null || now.about === null;
}

/** What an event adds to a card. */
function note(card: Draft, event: GameEvent): boolean {
  const list = LOSSES.test(event.kind) ? card.losses : GROUND.test(event.kind) ? card.ground : RESULTS.test(event.kind) ? card.results : event.kind === "commitments" ? card.heads : REASONS.test(event.kind) ? card.reasons : null;
  list?.push(event);
  return list !== null;
}

/** Dice that fell outside a battle: one card an entry, headed by what came of each throw. */
function thrown(card: Draft | null, line: Line, event: GameEvent, rolls: readonly Roll[], place: string | null): Draft {
  if (card) {
    card.rolls.push(...rolls);
    if (!note(card, event)) card.heads.push(event);
    if (card.place !== place) card.place = card.about = null; // of several places: a card of the side
    return card;
  }
  return { from: line.n, to: line.n, side: line.side, place, about: aboutOf(event), heads: [event], rolls: [...rolls], losses: [], ground: [], reasons: [], results: [], open: false, fought: false };
}

/** The battles of these lines in which dice fell, and the throws outside them, oldest first. */
export function reportsOf(lines: readonly Line[], board: Board | null, sides: readonly Side[], where: Where = () => null): Report[] {
  const found: Draft[] = [];
  let now: Draft | null = null;
  for (const line of lines) {
    const rolls = rollsOf([line], sides);
    let waiting: Roll[] = [];
    let card: Draft | null = null; // of throws outside battles
    let next = 0;
    for (const event of line.events) {
      if (event.kind === "roll" && Array.isArray(event["dice"])) {
        waiting.push(rolls[next++]!);
        continue;
      }
      if (BEGINS.test(event.kind)) {
        const [place, about] = [placeOf(event, board, where), aboutOf(event)];
        if (now?.open && isSame(now, place, about)) now.heads.push(event);
        else {
          now = { from: line.n, to: line.n, side: line.side, place, about, heads: [event], rolls: [], losses: [], ground: [], reasons: [], results: [], open: true, fought: true };
          found.push(now);
        }
      } else if (now?.open && CLOSES.test(event.kind)) now.open = false;
      if (now?.open) {
        now.rolls.push(...waiting);
        if (BEGINS.test(event.kind) || note(now, event) || waiting.length || ENDS.test(event.kind)) now.to = line.n; // what is none of it does not make it last
        if (ENDS.test(event.kind)) now.open = false;
      } else if (waiting.length && !QUIET.test(event.kind)) {
        const before: Draft | null = card;
        card = thrown(before, line, event, waiting, placeOf(event, board, where));
        if (!before) found.push(card);
      } else if (card) note(card, event);
      else if (now && GROUND.test(event.kind) && line.n <= now.to + 1) now.ground.push(event); // the village falls when the battle is over
      waiting = [];
    }
    if (now?.open) now.rolls.push(...waiting);
  }
  return found.filter((report) => report.rolls.length > 0);
}

/** The throws of a card as far as they are drawn, and how many dice are not. */
export function dealt(rolls: readonly Roll[], most: number): { readonly shown: readonly Roll[]; readonly left: number } {
  let left = most;
  const shown = rolls.flatMap((roll) => {
    const dice = roll.dice.slice(0, left);
    left -= dice.length;
    return dice.length ? [{ ...roll, dice }] : [];
  });
  return { shown, left: rolls.reduce((n, roll) => n + roll.dice.length, 0) - (most - left) };
}

const FATAL = /eliminated|destroyed|^lost$|captured|surrendered|no-base/;

/** Each loss once: of several like it the last, with their number; who is gone has no other losses worth telling. */
export function counted(events: readonly GameEvent[]): { readonly event: GameEvent; readonly n: number }[] {
  const unitOf = (event: GameEvent): string => JSON.stringify(event["unit"] ?? event["units"] ?? event.text ?? null);
  const dead = new Set(events.filter((event) => FATAL.test(event.kind) && event["unit"] !== undefined).map(unitOf));
  const found = new Map<string, { event: GameEvent; n: number }>();
  for (const event of events) {
    if (dead.has(unitOf(event)) && !FATAL.test(event.kind)) continue;
    const key = `${event.kind} ${unitOf(event)}`;
    const before = found.get(key);
    found.set(key, { event, n: (before?.n ?? 0) + 1 });
  }
  return [...found.values()];
}

/** Whether it may be said that nobody was lost: not while the newest fight goes on, where a hit may wait to be given. */
export function noneLost(report: Report, all: readonly Report[], view: View): boolean {
  const newest = !all.some((other) => other.fought && other.from > report.from);
  return report.fought && !(report.open && newest && isFighting(view));
}

/** The entry with which the present turn began. */
export function turnBegan(log: readonly Line[]): number {
  for (let i = log.length - 1; i >= 0; i--) if (log[i]!.events.some((event) => TURNS.test(event.kind))) return log[i]!.n;
  return 0;
}

/** What the others did since the last act of ours: lines in which something was seen to happen. */
export function theirLines(log: readonly Line[], mine: readonly Side[]): Line[] {
  let from = log.length;
  while (from > 0 && !mine.includes(log[from - 1]!.side)) from--;
  return mine.length ? log.slice(from).filter((line) => line.events.length > 0) : [];
}

const GAINS = /advance|conquered|taken|village|follows|ashore|^landed$|exploit/;

/** A place that a side captures; where a unit is named, that is lost. */
const isTaking = (event: GameEvent): boolean => event.kind === "captured" && event["side"] !== undefined && event["unit"] === undefined;

/** To whom an event happened, or who did it; null where it does not say. */
export type Whose = (event: GameEvent) => Side | null;

/** Whether we took ground with it: the enemy's answer may end our own battle, and what we gain by it stands in their entry. */
function isOurs(event: GameEvent, whose: Whose, mine: readonly Side[]): boolean {
  const gain = GAINS.test(event.kind) || isTaking(event);
  const side = gain ? whose(event) : null;
  return side !== null && mine.includes(side);
}

/** Entries of the others without what we gained in them, and those gains. */
export function apart(lines: readonly Line[], whose: Whose, mine: readonly Side[]): { readonly theirs: readonly Line[]; readonly ours: readonly GameEvent[] } {
  const ours = lines.flatMap((line) => line.events.filter((event) => isOurs(event, whose, mine)));
  const theirs = lines.map((line) => ({ ...line, events: line.events.filter((event) => !ours.includes(event)) }));
  return { theirs, ours };
}

/** Events by the side that they concern; those that name none last. */
export function bySide(events: readonly GameEvent[], whose: Whose): (readonly [Side | null, readonly GameEvent[]])[] {
  const sides = [...new Set(events.map(whose))].sort((a, b) => Number(a === null) - Number(b === null));
  return sides.map((side) => [side, events.filter((event) => whose(event) === side)] as const);
}

/** What to tell at last of what the others did: losses and ground if there were any, else the newest of the rest. */
export function mattered(lines: readonly Line[], most: number): GameEvent[] {
  const { losses, ground } = summaryOf(lines);
  const told = losses.length + ground.length ? [...losses, ...ground] : lines.flatMap((line) => line.events.filter((event) => event["said"] !== true));
  return told.slice(-most);
}

/** What matters of a stretch of the log: what was lost, and what changed hands; the rest is counted. */
export function summaryOf(lines: readonly Line[]): { readonly losses: readonly GameEvent[]; readonly ground: readonly GameEvent[]; readonly moves: number } {
  const events = lines.flatMap((line) => line.events);
  return {
    losses: events.filter((event) => LOSSES.test(event.kind) && !isTaking(event)),
    ground: events.filter((event) => GROUND.test(event.kind) || isTaking(event)),
    moves: events.filter((event) => /^moved?$|^travelled$|^railed?$|^sailed$|^flies$/.test(event.kind)).length,
  };
}
