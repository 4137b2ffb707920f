/** One open table: the connection, what it says, whose seat it is, and looking back. Components read its signals. */
import { batch, signal } from "@preact/signals";
import { glidesOf, glideTime } from "../model/gliding";
import { unseen } from "../model/happenings";
import { apart, mattered, theirLines } from "../model/reports";
import { sentence } from "../model/words";
import { api, ServerError } from "../net/api";
import { Connection, type Socket } from "../net/connection";
import { lang, t } from "../text";
import type { ErrorBody, GameEvent, Line, Side, StateMessage, TableCard } from "../wire";
import { furnish, rulesOf } from "./furniture";
import { IN_BATTLE, WEIGHED } from "./forecast";
import { keeper } from "./keeper";
import { Orders } from "./orders";
import { briefed, FOLLOW_STEP, followSpeed, seen } from "./settings";

export type { OddsAnswer, Replay, Trouble } from "./position";

export class TableStore extends Orders {
  /** A table that only its players may see. */
  readonly closed = signal<TableCard | null>(null);
  private connection: Connection | null = null;
  private chosen: Side | null;
  private freshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    id: string,
    as: Side | null,
    at: number | null,
  ) {
    super(id);
    this.chosen = as;
    void this.open(at);
  }

  private async open(at: number | null): Promise<void> {
    try {
      const card = await api.table(this.id);
      if (card.admitted === false) {
        this.closed.value = card;
        return;
      }
      await this.furnish(card.game);
      if (card.mine.length > 1 && this.chosen === null && !card.over) {
        const first = card.mine.find((side) => card.waiting.includes(side)) ?? card.mine[0]!;
        this.chosen = first;
        this.curtain.value = first;
      }
      this.connection = new Connection(openSocket(this.id), this.listener, this.chosen, lang.peek());
      if (at !== null) await this.goTo(at);
    } catch (error) {
      this.failed.value = error instanceof Error ? error.message : String(error);
    }
  }

  private async furnish(game: string): Promise<void> {
    const furniture = await furnish(game, this.furniture.peek());
    this.furniture.value = furniture;
    void rulesOf(game).then((rules) => {
      const now = this.furniture.peek();
      if (now?.words === furniture.words) this.furniture.value = { ...now, rules };
    });
  }

  protected send(type: string, facts: { readonly [key: string]: unknown }): Promise<void> {
    return this.connection?.order(type, facts) ?? Promise.reject({ code: "offline", message: "" });
  }

  close(): void {
    this.connection?.close();
    this.forecast.stop();
    clearTimeout(this.freshTimer);
  }

  async speak(): Promise<void> {
    const game = this.furniture.peek()?.card.game;
    if (!game) return;
    await this.furnish(game);
    this.connection?.watch(undefined, lang.peek());
    const back = this.replay.peek();
    if (back) await this.goTo(back.at);
  }

  hurry(): void {
    this.connection?.hurry();
  }

  private readonly listener = {
    state: (next: StateMessage, before: StateMessage | null): void => this.hear(next, before),
    status: (online: boolean): void => {
      const was = this.online.peek();
      this.online.value = online;
      if (online && !was && this.state.peek()) this.announcement.value = t("net.back");
    },
    problem: (error: ErrorBody): void => this.complain(error),
    thinking: (side: Side, done: number, total: number): void => {
      this.thinking.value = { side, done, total };
    },
    rematch: (table: string): void => {
      this.rematch.value = table;
    },
  };

  private hear(next: StateMessage, before: StateMessage | null): void {
    const same = before !== null && before.as === next.as;
    const last = next.log.length ? next.log[next.log.length - 1]!.n : 0;
    batch(() => {
      if (!same) {
        this.letGo();
        this.briefing.value = next.mine.includes(next.as) && !briefed.read(this.id, next.as);
      }
      if (!before) this.firstLook(next);
      this.state.value = next;
      this.noteOwners(next.view.pieces ?? []);
      if (next.dice !== before?.dice || next.commitment !== before?.commitment) this.lies.value = keeper.hear(this.id, next);
      if (!same || next.version !== before.version) this.thinking.value = null;
      if (same && next.version !== before.version) {
        this.selected.value = null;
        this.odds.value = null;
        this.closePile();
        this.hover.value = null; // what it said may be gone
        const known = before.log.length ? before.log[before.log.length - 1]!.n : 0;
        const lines = next.log.filter((line) => line.n > known);
        if (lines.length) this.tell(lines, next, before);
      }
      if (!same || next.version !== before.version) this.forecast.begin(next.prompt.decision ?? "", next.legal, next.view.verbs ?? {}, this.battle.peek() ? IN_BATTLE : WEIGHED);
      this.passTheSeat(next);
      if (next.next_table) this.rematch.value = next.next_table;
    });
    this.lookAtBattle();
    if (!same || next.version !== before.version) this.lookAhead();
    this.takeForced();
    if (next.dice && next.dice !== before?.dice) void this.makeDice(next);
    if (next.dice?.order && next.dice !== before?.dice) void this.witness(next);
    if (document.visibilityState === "visible" && !this.since.peek().length && this.curtain.peek() === null) seen.write(this.id, next.as, last);
  }

  /** A battle begins: its place is brought to sight, unless it is there. */
  private lookAtBattle(): void {
    const hex = this.replay.peek() || this.curtain.peek() !== null ? null : (this.battle.peek()?.hex ?? null);
    if (hex !== null && hex !== this.fought && this.board.peek()?.sheet.has(hex)) this.lookAtQuietly(hex);
    this.fought = hex;
  }

  private fought: string | null = null;

  /** Say the situation to whoever sits down; what the others do in those moments is said after it, not instead of it. */
  arrive(said: string): void {
    this.arrived = said;
    this.announcement.value = said;
    setTimeout(() => (this.arrived = ""), ARRIVING);
  }

  private arrived = "";

  /** Say aloud what happened, and show dice for a while. */
  private tell(lines: readonly Line[], state: StateMessage, before: StateMessage): void {
    const own = ({ side, verb, target }: Line): string[] => (verb !== undefined && state.mine.includes(side) ? [full(this.say([verb, target ?? ""]))] : []); // what was taken into the hand
    const said = (all: readonly Line[]): string[] => all.flatMap((line) => (line.events.length ? line.events.flatMap((e) => (e["said"] === true ? [] : [full(sentence(e.text ?? e.kind))])) : own(line)));
    const asked = (of: StateMessage): string => (of.prompt.waiting.includes(of.as) && of.mine.includes(of.as) ? of.prompt.text : "");
    const theirs = asked(state) && !asked(before) ? theirLines(state.log, state.mine) : []; // while they acted one sentence chased the other away
    const who = [...new Set(theirs.map((line) => this.words.peek().side(line.side)))].join(", ");
    const parts = apart(theirs, this.whose, state.mine);
    const told = (events: readonly GameEvent[]): string[] => events.map((e) => full(sentence(e.text ?? e.kind)));
    const ours = told(parts.ours).slice(1 - MOST_SAID / 2);
    const sentences = theirs.length > lines.length ? [...ours, full(t("follow.title", { who })), ...told(mattered(parts.theirs, MOST_SAID - 2 - ours.length))] : said(lines);
    if (sentences.length || asked(state) !== asked(before)) sentences.push(asked(state)); // a secret choice of the others does not repeat the question
    if (sentences.length) this.announcement.value = [this.arrived, ...sentences.slice(-MOST_SAID)].join(" ").trim();
    this.fresh.value = lines;
    clearTimeout(this.freshTimer);
    this.freshTimer = setTimeout(() => (this.fresh.value = []), 4000);
  }

  private firstLook(state: StateMessage): void {
    const n = seen.read(this.id, state.as);
    if (n >= 0) this.since.value = unseen(state.log, n, state.mine);
    this.reportSeen.value = state.log.length ? state.log[state.log.length - 1]!.n : 0;
  }

  /** Hot-seat: when another of our sides must decide, draw the curtain (or turn the board, if nothing is hidden). */
  private passTheSeat(state: StateMessage): void {
    const waiting = state.prompt.waiting.filter((side) => state.mine.includes(side));
    if (state.mine.length < 2 || state.result || (state.dice && state.dice.step !== "made") || !waiting.length || waiting.includes(state.as) || this.replay.peek()) return;
    const next = waiting[0]!;
    this.chosen = next;
    if (this.openSeats.peek() || this.skin.peek().open?.(state)) this.connection?.watch(next);
    else {
      this.curtain.value = next;
      this.announcement.value = t("curtain.title", { side: this.words.peek().side(next) });
      this.fresh.value = [];
    }
  }

  seenAll(): void {
    const state = this.state.peek();
    this.since.value = [];
    if (state?.log.length) seen.write(this.id, state.as, state.log[state.log.length - 1]!.n);
  }

  putBriefingAway(): void {
    const state = this.state.peek();
    this.briefing.value = false;
    if (state) briefed.write(this.id, state.as);
  }

  raiseCurtain(always: boolean): void {
    const side = this.curtain.peek();
    this.openSeats.value = always;
    this.letGo();
    if (side !== null && this.state.peek()?.as !== side) {
      this.state.value = null;
      this.connection?.watch(side);
    }
    this.curtain.value = null;
  }

  watchAs(side: Side): void {
    this.chosen = side;
    this.connection?.watch(side);
  }

  // Looking back

  async goTo(at: number): Promise<void> {
    const side = this.replayAs.peek() ?? this.state.peek()?.as ?? this.chosen ?? undefined;
    try {
      const state = await api.view(this.id, side, at);
      this.replay.value = { at, state };
    } catch (error) {
      if (error instanceof ServerError) this.complain(error.body);
    }
  }

  async lookBackAs(side: Side): Promise<void> {
    this.replayAs.value = side;
    const back = this.replay.peek();
    if (back) await this.goTo(back.at);
  }

  // Following the others

  /** Show once more what they did, from the first step. */
  async follow(lines: readonly Line[]): Promise<void> {
    if (!lines.length) return;
    this.following.value = { lines, at: 0, playing: true };
    this.theirsSeen.value = lines[lines.length - 1]!.n;
    await this.followStep(0);
  }

  async followStep(at: number, playing: boolean = this.following.peek()?.playing ?? false): Promise<void> {
    const now = this.following.peek();
    if (!now) return;
    const line = now.lines[at];
    if (!line) {
      this.followEnd();
      return;
    }
    const before = at === now.at + 1 && this.replay.peek() ? this.wherePieces() : null;
    await this.goTo(line.n);
    if (this.following.peek()?.lines !== now.lines) return;
    if (!this.replay.peek()) {
      this.followEnd();
      return;
    }
    batch(() => {
      this.following.value = { ...now, at, playing };
      this.glideAlong(line, before, at >= now.at);
    });
    for (const event of line.events) this.pointAtEvent(event);
    const seen = [...this.pointed.peek()].find((key) => this.board.peek()?.sheet.has(key));
    if (seen) this.look.value = { hex: seen, n: ++this.looks };
  }

  /** The pieces of a step go their way, unless one steps back or asked for less motion. */
  private glideAlong(line: Line, before: ReadonlyMap<string, string | null> | null, forward: boolean): void {
    const board = this.board.peek();
    const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    const list = board && forward && !calm ? glidesOf(line.events, board, before, this.wherePieces()) : [];
    this.glides.value = list.length ? { list, ms: glideTime(list, FOLLOW_STEP, Number(followSpeed.peek())) } : null;
  }

  followPause(): void {
    const now = this.following.peek();
    if (now) this.following.value = { ...now, playing: !now.playing };
  }

  followEnd(): void {
    this.following.value = null;
    this.glides.value = null;
    this.point([]);
    this.present();
  }

  present(): void {
    batch(() => {
      this.following.value = null;
      this.replay.value = null;
      this.replayAs.value = null;
    });
  }
}

const openSocket = (id: string) => (): Socket => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws/tables/${id}`) as unknown as Socket;
};

const MOST_SAID = 8; // sentences said at once
const ARRIVING = 4000; // ms in which one hears where one has sat down

/** A sentence for the ear ends with a stop. */
const full = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
