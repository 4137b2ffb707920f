/** One open table: what the server said, what is selected, what is being asked. Components read its signals. */
import { batch, computed, signal } from "@preact/signals";
import { Board, type BoxSheet, type Spot } from "../model/board";
import { arrowsOf, battleOf, heldPieces, mentions, unseen } from "../model/happenings";
import type { MapFile } from "../model/mapfile";
import { actionsAt, contested, matchTargets, NO_CHOICES, stacksOf, whereIs } from "../model/targets";
import { Words } from "../model/words";
import { parseCommand } from "../model/command";
import { api, once, ServerError } from "../net/api";
import { Connection, type Socket } from "../net/connection";
import { generic } from "../skins/generic";
import type { Context, Skin } from "../skins/skin";
import { skinFor } from "../skins";
import { lang, t } from "../text";
import type { Action, ErrorBody, GameCard, GameEvent, Line, Refusal, RuleText, Side, StateMessage } from "../wire";
import { quick, seen } from "./settings";

export interface Trouble {
  readonly title: string;
  readonly message: string;
  readonly rule?: string | undefined;
  readonly action?: Action | undefined;
}

export interface OddsAnswer {
  readonly action: Action;
  readonly answer: Record<string, unknown> | null | "working";
}

export interface Replay {
  readonly at: number;
  readonly state: StateMessage;
}

interface Furniture {
  readonly card: GameCard;
  readonly boards: ReadonlyMap<string, Board>;
  readonly maps: Parameters<Skin["mapFor"]>[1];
  readonly words: Words;
  readonly rules: ReadonlyMap<string, RuleText>;
  readonly skin: Skin;
  readonly art: readonly string[];
}

const EMPTY: ReadonlySet<string> = new Set();

export class TableStore {
  readonly state = signal<StateMessage | null>(null);
  readonly furniture = signal<Furniture | null>(null);
  readonly online = signal(false);
  readonly failed = signal<string | null>(null);
  readonly selected = signal<Spot | null>(null);
  readonly spread = signal<string | null>(null);
  readonly cursor = signal<string | null>(null);
  readonly pointed = signal<ReadonlySet<string>>(EMPTY);
  readonly pending = signal(false);
  readonly trouble = signal<Trouble | null>(null);
  readonly odds = signal<OddsAnswer | null>(null);
  /** Verbs on which no dice hang, as far as we were told. */
  readonly diceless = signal<ReadonlySet<string>>(EMPTY);
  readonly ruleShown = signal<string | null>(null);
  readonly curtain = signal<Side | null>(null);
  readonly openSeats = signal(false);
  readonly since = signal<readonly Line[]>([]);
  readonly replay = signal<Replay | null>(null);
  readonly replayAs = signal<Side | null>(null);
  readonly announcement = signal("");
  readonly panel = signal<"choices" | "log" | "status" | "table" | "talk">("choices");
  readonly rematch = signal<string | null>(null);
  readonly look = signal<{ readonly hex: string; readonly n: number } | null>(null);
  readonly fresh = signal<readonly Line[]>([]);
  private connection: Connection | null = null;
  private chosen: Side | null;
  private looks = 0;
  private freshTimer: ReturnType<typeof setTimeout> | undefined;

  /** The position on the board: the present one, or the one looked back at. */
  readonly shown = computed(() => this.replay.value?.state ?? this.state.value);
  readonly card = computed(() => this.furniture.value?.card ?? null);
  readonly words = computed(() => this.furniture.value?.words ?? new Words("en", {}));
  readonly skin = computed(() => this.furniture.value?.skin ?? generic);
  readonly sides = computed<readonly Side[]>(() => this.card.value?.sides?.map((s) => s.name) ?? this.state.value?.seats.map((s) => s.side) ?? []);
  readonly board = computed<Board | null>(() => {
    const [state, furniture] = [this.state.value, this.furniture.value];
    if (!state || !furniture) return null;
    return furniture.boards.get(furniture.skin.mapFor(state, furniture.maps)) ?? null;
  });
  readonly pieces = computed(() => this.shown.value?.view.pieces ?? []);
  readonly byId = computed(() => new Map(this.pieces.value.map((p) => [p.id, p])));
  readonly stacks = computed(() => stacksOf(this.pieces.value, this.board.value));
  readonly choices = computed(() => {
    const state = this.state.value;
    if (!state || this.replay.value || this.curtain.value) return NO_CHOICES;
    return matchTargets(state.legal, this.board.value, this.byId.value.keys());
  });
  readonly context = computed<Context | null>(() => {
    const [state, furniture, board] = [this.shown.value, this.furniture.value, this.board.value];
    if (!state || !furniture || !board) return null;
    return { view: state.view, card: furniture.card, words: furniture.words, board, sides: this.sides.value };
  });
  readonly battle = computed(() => (this.shown.value ? battleOf(this.shown.value.view, this.board.value) : null));
  readonly held = computed(() => (this.shown.value ? heldPieces(this.shown.value.view) : new Set<string>()));
  readonly contested = computed(() =>
    contested(this.stacks.value, (a, b) => a !== b).filter((key) => this.board.value?.sheet.has(key)),
  );
  readonly arrows = computed(() => {
    const [state, board] = [this.shown.value, this.board.value];
    if (!state || !board) return [];
    const lines = this.replay.value ? state.log.slice(-1) : this.since.value.length ? this.since.value : recentLines(state.log);
    return arrowsOf(lines, board).slice(-24);
  });
  readonly mine = computed<readonly Side[]>(() => this.state.value?.mine ?? []);
  readonly myTurn = computed(() => {
    const state = this.state.value;
    return Boolean(state && !state.result && state.mine.includes(state.as) && state.prompt.waiting.includes(state.as));
  });

  constructor(
    readonly id: string,
    as: Side | null,
    at: number | null,
  ) {
    this.chosen = as;
    void this.open(at);
  }

  private async open(at: number | null): Promise<void> {
    try {
      const card = await api.table(this.id);
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

  /** Everything that never changes: maps, words, rules, skin. Asked again when the language changes. */
  private async furnish(game: string): Promise<void> {
    const [cards, maps, texts, rules, skin, art] = await Promise.all([
      once("games", api.games),
      once(`map ${game}`, () => api.maps(game)),
      once(`texts ${game}`, () => api.texts(game)),
      once(`rules ${game}`, () => api.rules(game)).catch(() => [] as RuleText[]),
      skinFor(game),
      once(`art ${game}`, () => api.art(game)).catch(() => [] as string[]),
    ]);
    const card = cards.find((c) => c.game === game) ?? { game, title: game, about: "", playable: true };
    const kept = this.furniture.peek();
    const boards = kept?.maps === maps.maps ? kept.boards : await boardsOf(game, maps.maps, art);
    this.furniture.value = {
      card, boards, maps: maps.maps, skin, art,
      words: new Words(lang.peek(), texts),
      rules: new Map(rules.map((r) => [r.id, r])),
    };
  }

  close(): void {
    this.connection?.close();
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
    rematch: (table: string): void => {
      this.rematch.value = table;
    },
  };

  private hear(next: StateMessage, before: StateMessage | null): void {
    const same = before !== null && before.as === next.as;
    const last = next.log.length ? next.log[next.log.length - 1]!.n : 0;
    batch(() => {
      if (!same) this.letGo();
      if (!before) this.firstLook(next);
      this.state.value = next;
      if (same && next.version !== before.version) {
        this.selected.value = null;
        this.odds.value = null;
        const known = before.log.length ? before.log[before.log.length - 1]!.n : 0;
        const lines = next.log.filter((line) => line.n > known);
        if (lines.length) this.tell(lines, next);
      }
      this.passTheSeat(next);
      if (next.next_table) this.rematch.value = next.next_table;
    });
    if (document.visibilityState === "visible" && !this.since.peek().length && this.curtain.peek() === null) seen.write(this.id, next.as, last);
  }

  /** Say aloud what happened, and show dice for a while. */
  private tell(lines: readonly Line[], state: StateMessage): void {
    const sentences = lines.flatMap((line) => line.events.map((e) => e.text ?? e.kind));
    if (state.prompt.waiting.includes(state.as) && state.mine.includes(state.as)) sentences.push(state.prompt.text);
    if (sentences.length) this.announcement.value = sentences.slice(-8).join(" ");
    this.fresh.value = lines;
    clearTimeout(this.freshTimer);
    this.freshTimer = setTimeout(() => (this.fresh.value = []), 4000);
  }

  private firstLook(state: StateMessage): void {
    const n = seen.read(this.id, state.as);
    if (n >= 0) this.since.value = unseen(state.log, n, state.mine);
  }

  /** Hot-seat: when another of our sides must decide, draw the curtain (or turn the board, if nothing is hidden). */
  private passTheSeat(state: StateMessage): void {
    const waiting = state.prompt.waiting.filter((side) => state.mine.includes(side));
    if (state.mine.length < 2 || state.result || !waiting.length || waiting.includes(state.as) || this.replay.peek()) return;
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

  // Looking

  letGo(): void {
    this.selected.value = null;
    this.spread.value = null;
    this.odds.value = null;
    this.trouble.value = null;
  }

  point(keys: Iterable<string>): void {
    this.pointed.value = new Set(keys);
  }

  pointAtEvent(event: GameEvent): void {
    const board = this.board.peek();
    if (board) this.point(mentions(event, board, new Map(this.pieces.peek().map((p) => [p.id, whereIs(p)]))));
  }

  lookAt(hex: string): void {
    this.look.value = { hex, n: ++this.looks };
    this.cursor.value = hex;
  }

  describeHex(key: string): string {
    const [board, context] = [this.board.value, this.context.value];
    if (!board || !context) return key;
    const hex = board.sheet.has(key) ? board.describe(key, lang.value) : this.words.value.name(key);
    const stack = this.stacks.value.get(key) ?? [];
    const pieces = stack.length ? stack.map((p) => this.skin.value.describe(p, context)).join("; ") : t("board.empty");
    const acts = actionsAt(key, this.choices.value, this.stacks.value).slice(0, 6);
    const actions = acts.length ? t("board.actions", { actions: acts.map((a) => this.say(a)).join("; ") }) : "";
    return t("board.cursor", { hex, pieces, actions });
  }

  /** An action in words, with hexes named by their places. */
  say(action: Action): string {
    return this.words.value.action(action, (target) => this.nameOf(target));
  }

  nameOf(target: string): string {
    const words = this.words.value;
    if (words.has(`name.${target}`)) return words.name(target);
    const [board, context] = [this.board.value, this.context.value];
    const spot = board?.spot(target);
    if (board && spot?.kind === "hex") {
      const place = board.placeIn(spot.key);
      return place ? `${spot.key} ${(lang.value === "fr" && place.name.fr) || place.name.en}` : target;
    }
    if (board && spot?.kind === "area") return (lang.value === "fr" && board.area(target)?.name.fr) || (board.area(target)?.name.en ?? target);
    const piece = this.byId.value.get(target);
    if (piece && context && typeof piece["name"] === "string") return piece["name"];
    if (piece && context && piece.known === false) return this.skin.value.describe(piece, context);
    return words.name(target);
  }

  // Acting

  /** A click or Enter on something: the first looks, the second acts. */
  touch(spot: Spot): void {
    if (this.replay.peek()) {
      this.selected.value = spot;
      return;
    }
    const choices = this.choices.peek();
    const again = same(this.selected.peek(), spot);
    const acts = this.actionsOf(spot);
    if (acts.length === 1 && (again || quick.peek() === "on") && !this.pending.peek()) {
      void this.act(acts[0]!);
      return;
    }
    const stack = spot.kind === "hex" || spot.kind === "area" ? (this.stacks.peek().get(spot.key) ?? []) : [];
    batch(() => {
      this.trouble.value = null;
      this.odds.value = null;
      this.selected.value = spot;
      if (spot.kind === "hex") this.cursor.value = spot.key;
      if (spot.kind === "hex" || spot.kind === "area") this.spread.value = stack.length > 1 && !(acts.length === 1 && choices.hexes.has(spot.key)) ? spot.key : null;
    });
  }

  /** What a click on this could do. A piece without an action of its own lends its place's. */
  actionsOf(spot: Spot): readonly Action[] {
    const choices = this.choices.peek();
    if (spot.kind === "side") return choices.sides.get(spot.key) ?? [];
    if (spot.kind === "piece") {
      const own = choices.pieces.get(spot.key);
      if (own) return own;
      const piece = this.byId.peek().get(spot.key);
      const where = piece ? whereIs(piece) : null;
      const key = where === null ? null : (this.board.peek()?.spot(where)?.key ?? where);
      return key === null ? [] : (choices.hexes.get(key) ?? choices.areas.get(key) ?? []);
    }
    return actionsAt(spot.key, choices, this.stacks.peek());
  }

  async act(action: Action): Promise<void> {
    const state = this.state.peek();
    if (!state || this.pending.peek()) return;
    await this.order("act", { side: state.as, verb: action[0], target: action[1], version: state.version }, action);
  }

  async order(type: string, facts: { readonly [key: string]: unknown }, action?: Action): Promise<void> {
    const state = this.state.peek();
    if (!state || !this.connection) return;
    this.pending.value = true;
    this.trouble.value = null;
    try {
      await this.connection.order(type, { side: state.as, ...facts });
      batch(() => {
        this.selected.value = null;
        this.spread.value = null;
      });
    } catch (error) {
      this.complain(error as ErrorBody, action);
    } finally {
      this.pending.value = false;
    }
  }

  undo(): void {
    const state = this.state.peek();
    if (state?.can_undo) void this.order("undo", { version: state.version });
  }

  redo(): void {
    const state = this.state.peek();
    if (state?.can_redo) void this.order("redo", { version: state.version });
  }

  complain(error: ErrorBody, action?: Action): void {
    const message = error.code === "offline" ? t("net.lost") : error.message;
    const title = error.refusal ? t("refusal.title") : t("error.title");
    this.trouble.value = { title, message, rule: error.refusal?.rule ?? error.rule, action };
    this.announcement.value = `${title}: ${message}`;
  }

  async why(action: Action): Promise<void> {
    const state = this.state.peek();
    if (!state) return;
    try {
      const { refusal } = await api.why(this.id, state.as, action[0], action[1]);
      this.showRefusal(refusal, action);
    } catch (error) {
      if (error instanceof ServerError) this.complain(error.body, action);
    }
  }

  private showRefusal(refusal: Refusal | null, action: Action): void {
    const message = refusal ? refusal.message : t("refusal.allowed");
    this.trouble.value = { title: this.say(action), message, rule: refusal?.rule, action };
    this.announcement.value = message;
  }

  async askOdds(action: Action): Promise<void> {
    const state = this.state.peek();
    if (!state) return;
    this.odds.value = { action, answer: "working" };
    try {
      const answer = await api.odds(this.id, state.as, action[0], action[1]);
      this.odds.value = { action, answer };
      if (answer === null) {
        this.diceless.value = new Set([...this.diceless.peek(), action[0]]);
        this.announcement.value = t("odds.none");
      }
    } catch (error) {
      this.odds.value = null;
      if (error instanceof ServerError) this.complain(error.body, action);
    }
  }

  /** The command box. */
  command(text: string): void {
    const command = parseCommand(text, this.state.peek()?.legal ?? []);
    const state = this.state.peek();
    switch (command.kind) {
      case "act":
        void this.act(command.action);
        break;
      case "why":
        void this.why(command.action);
        break;
      case "odds":
        void this.askOdds(command.action);
        break;
      case "rule":
        this.ruleShown.value = command.id;
        break;
      case "go": {
        const spot = this.board.peek()?.spot(command.hex);
        if (spot?.kind === "hex") this.lookAt(spot.key);
        break;
      }
      case "ambiguous":
        this.trouble.value = { title: text, message: t("command.ambiguous", { list: command.actions.slice(0, 12).map((a) => a.join(" ")).join(", ") }) };
        this.announcement.value = this.trouble.value.message;
        break;
      case "table":
        if (command.word === "undo") this.undo();
        else if (command.word === "redo") this.redo();
        else if (command.word === "help") this.ruleShown.value = "?keys";
        else if (state) void this.order(command.word, { version: state.version });
        break;
      case "nothing":
    }
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

  present(): void {
    batch(() => {
      this.replay.value = null;
      this.replayAs.value = null;
    });
  }
}

const pair = (value: unknown): [number, number] | undefined => (Array.isArray(value) && value.length === 2 ? (value as [number, number]) : undefined);

/** A sheet of boxes has no hexes, or only one that is out of play. */
const hasHexes = (file: MapFile): boolean => Object.values(file.hexes ?? {}).some((hex) => hex.kind !== "out");

/** Files with hexes are boards; a file with areas only (boxes off the map) lies beside every board. */
async function boardsOf(game: string, maps: { readonly [name: string]: MapFile }, art: readonly string[]): Promise<Map<string, Board>> {
  let beside: BoxSheet | null = null;
  for (const [name, file] of Object.entries(maps)) {
    if (hasHexes(file)) continue;
    const areas = file.areas ?? {};
    const drawn = art.includes(`${name}.index.json`) ? await api.artIndex(game, `${name}.index.json`).catch(() => null) : null;
    const far = (i: 0 | 1): number => Math.max(...Object.values(areas).map((a) => a.at?.[i] ?? 0)) + 100;
    beside = { name, areas, size: drawn?.size ?? pair(file.art?.["size"]) ?? [far(0), far(1)], box: drawn?.box ?? pair(file.art?.["box"]) ?? [150, 96] };
  }
  const boards = new Map<string, Board>();
  for (const [name, file] of Object.entries(maps)) if (hasHexes(file)) boards.set(name, new Board(name, file, beside));
  return boards;
}

const same = (a: Spot | null, b: Spot): boolean => a !== null && a.kind === b.kind && a.key === b.key;

/** The last run of lines by one side: its moves get arrows. */
function recentLines(log: readonly Line[]): Line[] {
  const last = [...log].reverse().find((line) => line.events.length);
  if (!last) return [];
  const recent: Line[] = [];
  for (let i = log.length - 1; i >= 0 && recent.length < 24; i--) {
    const line = log[i]!;
    if (line.side !== last.side && line.events.length) break;
    recent.unshift(line);
  }
  return recent;
}

const openSocket = (id: string) => (): Socket => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws/tables/${id}`) as unknown as Socket;
};
