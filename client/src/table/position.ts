/** What is on the table and what is being looked at: signals, and what follows from them. Sends nothing. */
import { computed, signal } from "@preact/signals";
import type { Board, Spot } from "../model/board";
import type { Glide } from "../model/gliding";
import { aimOf, arrowsOf, battleOf, heldPieces, mentions } from "../model/happenings";
import { NO_AIMS, type Aims } from "../model/coach";
import { nounsOf, type Verbs } from "../model/kinds";
import { actionsAt, contested, matchTargets, membersOf, NO_CHOICES, stacksOf, waysOf, whereIs, type Choices } from "../model/targets";
import { reportsOf, theirLines, turnBegan } from "../model/reports";
import { capital, Words } from "../model/words";
import { generic } from "../skins/generic";
import type { Context } from "../skins/skin";
import { lang, listed, t } from "../text";
import type { Action, GameEvent, Line, Piece, Side, StateMessage } from "../wire";
import type { Furniture } from "./furniture";

export interface Trouble {
  readonly title: string;
  readonly message: string;
  readonly rule?: string | undefined;
  readonly action?: Action | undefined;
  /** More reasons, where one thing could have been meant in several ways. */
  readonly more?: readonly { readonly message: string; readonly rule: string }[];
}

export interface OddsAnswer {
  readonly action: Action;
  readonly answer: Record<string, unknown> | null | "working";
}

/** Where the pointer rests: what is there, and where on the board's frame. */
export interface Hover {
  readonly spot: Spot;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Playing back what the others did: which lines, where in them. */
export interface Following {
  readonly lines: readonly Line[];
  readonly at: number;
  readonly playing: boolean;
}

export interface Replay {
  readonly at: number;
  readonly state: StateMessage;
}

const REPORTED = 400; // lines of the log in which battles are looked for

const EMPTY: ReadonlySet<string> = new Set();

export class Position {
  readonly state = signal<StateMessage | null>(null);
  readonly furniture = signal<Furniture | null>(null);
  readonly online = signal(false);
  readonly failed = signal<string | null>(null);
  readonly selected = signal<Spot | null>(null);
  readonly spread = signal<string | null>(null);
  /** What was asked, and whose pieces lay there, when the pile was opened. */
  protected opened: { readonly asked: string; readonly sides: readonly (Side | null)[] } = { asked: "", sides: [] };
  readonly cursor = signal<string | null>(null);
  readonly pointed = signal<ReadonlySet<string>>(EMPTY);
  readonly hover = signal<Hover | null>(null);
  readonly pending = signal(false);
  /** How far the computer is with its thinking, once it says so. */
  readonly thinking = signal<{ readonly side: Side; readonly done: number; readonly total: number } | null>(null);
  /** What the coach of a lesson points at. */
  readonly aims = signal<Aims>(NO_AIMS);
  /** Whether the card that tells side and goal is open. */
  readonly briefing = signal(false);
  /** A forced choice that was taken by itself, in words. */
  readonly forced = signal<string | null>(null);
  /** Entries of the log that were such choices: they do not count as having looked at what came before. */
  readonly unasked = signal<ReadonlySet<number>>(new Set());
  readonly trouble = signal<Trouble | null>(null);
  readonly odds = signal<OddsAnswer | null>(null);
  readonly ruleShown = signal<string | null>(null);
  readonly curtain = signal<Side | null>(null);
  readonly openSeats = signal(false);
  readonly since = signal<readonly Line[]>([]);
  readonly replay = signal<Replay | null>(null);
  readonly replayAs = signal<Side | null>(null);
  readonly announcement = signal("");
  readonly panel = signal<"choices" | "log" | "status" | "table" | "talk">("choices");
  readonly rematch = signal<string | null>(null);
  readonly look = signal<{ readonly hex: string; readonly also?: readonly string[]; readonly n: number } | null>(null);
  readonly fresh = signal<readonly Line[]>([]);
  protected looks = 0;

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
  readonly verbs = computed<Verbs>(() => this.state.value?.view.verbs ?? {});
  readonly pieces = computed(() => this.shown.value?.view.pieces ?? []);
  readonly byId = computed(() => new Map(this.pieces.value.map((p) => [p.id, p])));
  readonly stacks = computed(() => stacksOf(this.pieces.value, this.board.value, this.skin.value.inside));
  readonly choices = computed(() => {
    const state = this.state.value;
    if (!state || this.replay.value || this.curtain.value) return NO_CHOICES;
    return matchTargets(state.legal, this.verbs.value, this.board.value, this.byId.value.keys(), membersOf(this.pieces.value));
  });
  /** Several actions point at what is selected: where the second noun of each lies. */
  readonly ways = computed(() => {
    const spot = this.selected.value;
    return spot ? waysOf(this.actionsOn(spot, this.choices.value), this.verbs.value, this.board.value, new Set(this.byId.value.keys())) : [];
  });
  readonly context = computed<Context | null>(() => {
    const [state, furniture, board] = [this.shown.value, this.furniture.value, this.board.value];
    if (!state || !furniture || !board) return null;
    return { view: state.view, card: furniture.card, words: furniture.words, board, sides: this.sides.value };
  });
  /** What it costs to come where, if the game says so. */
  readonly reach = computed(() => {
    const context = this.context.value;
    return context ? this.skin.value.overlays(context).find((overlay) => overlay.key === "reach") : undefined;
  });
  readonly battle = computed(() => (this.shown.value ? battleOf(this.shown.value.view, this.board.value) : null));
  /** Where a fight is being prepared. */
  readonly aim = computed(() => (this.shown.value ? aimOf(this.shown.value.view, this.board.value) : null));
  readonly held = computed(() => (this.shown.value ? heldPieces(this.shown.value.view) : new Set<string>()));
  readonly contested = computed(() =>
    contested(this.stacks.value, (a, b) => a !== b).filter((key) => this.board.value?.sheet.has(key)),
  );
  readonly mine = computed<readonly Side[]>(() => this.state.value?.mine ?? []);
  /** What the others did since our last act. */
  readonly theirs = computed(() => theirLines(this.state.value?.log ?? [], this.mine.value));
  readonly theirsSeen = signal(0);
  /** Whose the pieces are, or were, that have been seen here; and the nations. */
  protected readonly owners = new Map<string, Side>();

  protected noteOwners(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      const side = this.skin.peek().sideOf(piece, this.sides.peek());
      const nation = piece["nation"];
      if (side !== null) for (const name of [piece.id, nation]) if (typeof name === "string") this.owners.set(name, side);
    }
  }

  /** The side that an event concerns: it says so, or by its unit or nation. */
  readonly whose = (event: GameEvent): Side | null => {
    const side = event["side"];
    if (typeof side === "number") return this.sides.peek()[side] ?? null;
    if (typeof side === "string" && this.sides.peek().includes(side)) return side;
    const named = [event["unit"], event["units"], event["by"]].flat().find((name) => typeof name === "string");
    return typeof named === "string" ? (this.owners.get(named) ?? null) : null;
  };

  readonly following = signal<Following | null>(null);
  /** Pieces on their way in the step that is being played back, and how long they take. */
  readonly glides = signal<{ readonly list: readonly Glide[]; readonly ms: number } | null>(null);
  readonly arrows = computed(() => {
    const [state, board] = [this.shown.value, this.board.value];
    if (!state || !board) return [];
    const lines = this.replay.value ? state.log.slice(-1) : this.since.value.length ? this.since.value : this.myTurn.value && this.theirs.value.length ? this.theirs.value : recentLines(state.log);
    return arrowsOf(lines, board).slice(-24);
  });
  /** Battles that the log knows of, oldest first, and those since the turn began. */
  readonly reports = computed(() => {
    const byId = this.byId.value;
    const where = (id: string): string | null => (byId.has(id) ? this.placeOf(id) : null);
    return reportsOf((this.shown.value?.log ?? []).slice(-REPORTED), this.board.value, this.sides.value, where);
  });
  readonly turnReports = computed(() => {
    const began = turnBegan(this.shown.value?.log ?? []);
    return this.reports.value.filter((report) => report.to >= began);
  });
  /** Up to which entry of the log the cards of battles have been put away. */
  readonly reportSeen = signal(0);
  readonly myTurn = computed(() => {
    const state = this.state.value;
    return Boolean(state && !state.result && state.mine.includes(state.as) && state.prompt.waiting.includes(state.as));
  });

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

  /** Bring something to sight and leave the cursor where it is. */
  lookAtQuietly(hex: string, also: readonly string[] = []): void {
    this.look.value = { hex, also, n: ++this.looks };
  }

  /** A hex with its place and terrain, an area or a side by its name. */
  placeInWords(key: string): string {
    const [board, context] = [this.board.value, this.context.value];
    return board && context && board.sheet.has(key) ? board.describe(key, context.words) : this.nameOf(key);
  }

  /** All that a hex has besides its name and terrain: what the map shows, who holds it, marks, zones, supply. */
  placeFacts(key: string): string[] {
    const [board, context, skin] = [this.board.value, this.context.value, this.skin.value];
    if (!board || !context || !board.sheet.has(key)) return [];
    const features = board.features(key).map(([feature, sides]) => t(`hex.${feature}`, { where: listed(board.bearings(key, sides).map((bearing) => t(`bearing.${bearing}`))) }));
    const holder = this.holderOf(key);
    const marks = skin.hexMarks(context).filter((mark) => mark.hex === key).map((mark) => mark.title);
    const laid = skin.overlays(context).flatMap((overlay) => {
      const word = overlay.hexes?.[key];
      return word === undefined ? [] : [word === "" ? overlay.title : `${overlay.title}${context.words.lang === "fr" ? " :" : ":"} ${word}`];
    });
    const told = [...features, ...(holder === null ? [] : [t("hex.held", { side: context.words.side(holder) })]), ...marks, ...laid];
    const bare = (fact: string): string => fact.replace(/[\s:]+/g, " ").toLowerCase(); // a mark and a layer may tell the same
    return told.filter((fact, i) => told.findIndex((other) => bare(other) === bare(fact)) === i);
  }

  /** Who holds a hex, as far as the table tells. */
  holderOf(key: string): string | null {
    const [context, skin] = [this.context.value, this.skin.value];
    return context ? (skin.control(context).get(key) ?? skin.holder?.(context, key) ?? null) : null;
  }

  /** The zone or box of the present choices that a hex lies in. */
  areaAt(hex: string): string | null {
    const board = this.board.peek();
    return [...this.choices.peek().areas.keys()].find((key) => board?.area(key)?.hexes?.includes(hex)) ?? null;
  }

  describeHex(key: string): string {
    const [board, context] = [this.board.value, this.context.value];
    if (!board || !context) return key;
    const holder = this.holderOf(key);
    const held = holder === null ? [] : [t("hex.held", { side: context.words.side(holder) })];
    const hex = [this.placeInWords(key), ...held].join(", ");
    const more = this.placeFacts(key).filter((fact) => !held.includes(fact)); // who has heard enough walks on
    const stack = this.stacks.value.get(key) ?? [];
    const pieces = stack.length ? stack.map((p) => this.skin.value.describe(p, context)).join("; ") : t("board.empty");
    const area = this.areaAt(key);
    const acts = [...actionsAt(key, this.choices.value, this.stacks.value), ...(area === null ? [] : (this.choices.value.areas.get(area) ?? []))].slice(0, 6);
    const actions = acts.length ? t("board.actions", { actions: acts.map((a) => this.say(a)).join("; ") }) : "";
    return [t("board.cursor", { hex, pieces, actions }), ...(more.length ? [capital(more.join("; "))] : [])].join(". ");
  }

  /** What a click on this could do. A piece without an action of its own lends its place's. */
  actionsOn(spot: Spot, choices: Choices = this.choices.peek()): readonly Action[] {
    if (spot.kind === "side") return choices.sides.get(spot.key) ?? [];
    if (spot.kind !== "piece") return actionsAt(spot.key, choices, this.stacks.peek());
    const key = this.placeOf(spot.key);
    return choices.pieces.get(spot.key) ?? (key === null ? [] : (choices.hexes.get(key) ?? choices.areas.get(key) ?? []));
  }

  /** Where every piece stands, as far as the map shows it. */
  wherePieces(): ReadonlyMap<string, string | null> {
    return new Map(this.pieces.peek().map((piece) => [piece.id, this.placeOf(piece.id)]));
  }

  /** The hex or area where a piece stands. */
  placeOf(id: string): string | null {
    const piece = this.byId.peek().get(id);
    const where = piece ? whereIs(piece) : null;
    return where === null ? null : (this.board.peek()?.spot(where)?.key ?? where);
  }

  /** True if somebody else's piece stands there. */
  isFoeAt(key: string): boolean {
    const [state, sides, skin] = [this.state.value, this.sides.value, this.skin.value];
    return (this.stacks.value.get(key) ?? []).some((p) => {
      const side = skin.sideOf(p, sides);
      return side !== null && side !== state?.as;
    });
  }

  /** An action in words, with hexes named by their places; of a pair both nouns are told. */
  say(action: Action): string {
    const last = action[0] === "done" ? this.words.value.find(`finish.${this.state.value?.prompt.decision ?? ""}`) : undefined;
    if (last !== undefined) return capital(last);
    return this.words.value.action(action, () => this.nounName(action));
  }

  /** The noun of an action in words. */
  nounName(action: Action): string {
    const [first, second] = nounsOf(action, this.verbs.value);
    if (!second) return this.nameOf(action[1]);
    const facts = { first: this.nameOf(first.word), second: this.nameOf(second.word) };
    return t(second.kind === first.kind ? "act.pairFrom" : "act.pairTo", facts);
  }

  nameOf(target: string): string {
    const words = this.words.value;
    if (words.has(`name.${target}`)) return words.name(target);
    if (target.includes(" ")) return target.split(" ").map((word) => this.nameOf(word)).join(" · ");
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
}

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
