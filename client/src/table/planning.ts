/** One gesture, several actions: what a piece could do once picked up, what could be picked up once this one is done with. */
import { computed, signal } from "@preact/signals";
import type { Spot } from "../model/board";
import { nounsOf, pointedKind, type Verbs } from "../model/kinds";
import { matchTargets, NO_CHOICES, type Choices } from "../model/targets";
import { api } from "../net/api";
import { t } from "../text";
import type { Action, Foreseen } from "../wire";
import { Ahead } from "./ahead";
import { Position } from "./position";

/** A piece being dragged: where it is, in sheet coordinates, and the place under it. */
export interface Dragged {
  readonly piece: string;
  readonly x: number;
  readonly y: number;
  readonly over: string | null;
}

/** Something that can be said once for all. */
export interface Batch {
  readonly action: Action;
  readonly again: Again;
  /** Where each of them goes, if the batch is for one place. */
  readonly place?: Action;
  /** Of how many things; 1: of one thing, as often as it goes. */
  readonly n: number;
}

/** How a series goes on: with the last once more, with all that its verb still has, or with its first two for each other thing. */
export type Again = "same" | "each" | "likewise";

const FEW_PLACES = 4; // buttons for each, though nothing was clicked
const PLACES = 12; // more places than this are chosen one by one
const PAUSE = 60; // ms: a decision that is answered at once is not asked about
const MANY = 14;
const REPEATED = 4;
export const RUINOUS = /^(disband|discard|lose|scrap|abandon|destroy|eliminate|sacrifice|surrender)/; // never offered for all at once
const BARE = 3; // choices without a noun that may lay down what is in hand

export abstract class Planning extends Position {
  abstract readonly id: string;
  readonly ahead = new Ahead((orders) => api.foresee(this.id, this.state.peek()?.as ?? "", orders));
  readonly dragged = signal<Dragged | null>(null);

  /** Choices without a noun that could end with the piece in hand. */
  private readonly bare = computed<readonly Action[]>(() => {
    const state = this.state.value;
    if (!state || !this.myTurn.value || !this.held.value.size || this.replay.value) return [];
    return state.legal.filter(([verb]) => this.verbs.value[verb] === "none").slice(0, BARE);
  });

  /** The one that does, and what follows it. */
  readonly via = computed<{ readonly action: Action; readonly next: Foreseen } | null>(() => {
    for (const action of this.bare.value) {
      const next = this.ahead.of([action]);
      if (next?.back && next.orders.length) return { action, next };
    }
    return null;
  });

  /** The pieces that could be picked up next. */
  readonly nextPieces = computed<Choices>(() => {
    const via = this.via.value;
    if (!via) return NO_CHOICES;
    const units = via.next.orders.filter(([verb]) => pointedKind(verb, via.next.verbs) === "unit");
    return matchTargets(units, via.next.verbs, this.board.value, this.byId.value.keys());
  });

  /** What a click on something would say: one action, or first the end of what is in hand; null if nothing or too much. */
  planOn(spot: Spot): readonly Action[] | null {
    const acts = this.actionsOn(spot);
    if (acts.length) return acts.length === 1 ? [acts[0]!] : null;
    const via = this.via.peek();
    if (!via) return null;
    const next = this.actionsOn(spot, this.nextPieces.peek());
    return next.length === 1 ? [via.action, next[0]!] : null;
  }

  /** What picks this very piece up, whatever else its place could be meant for. */
  pickUp(piece: string): readonly Action[] | null {
    const own = this.choices.peek().pieces.get(piece) ?? [];
    if (own.length) return own.length === 1 ? [own[0]!] : null;
    const [via, next] = [this.via.peek(), this.nextPieces.peek().pieces.get(piece) ?? []];
    return via && next.length === 1 ? [via.action, next[0]!] : null;
  }

  /** What a drag or a click where it shall go would pick it up by: of several verbs the one that most pieces have, for that is what one does here with pieces. */
  mover(piece: string): readonly Action[] | null {
    const plan = this.pickUp(piece);
    if (plan) return plan;
    const own = this.choices.peek().pieces.get(piece) ?? [];
    const legal = this.state.peek()?.legal ?? [];
    const shared = (verb: string): number => legal.filter(([one]) => one === verb).length;
    const [first, second] = own.filter((action) => action[1] === piece && !RUINOUS.test(action[0])).sort((a, b) => shared(b[0]) - shared(a[0]));
    return first && second && shared(first[0]) > 2 * shared(second[0]) ? [first] : null;
  }

  /** The plan of what is selected, if it picks something up, and where that could go. */
  readonly then = computed<{ readonly plan: readonly Action[]; readonly next: Foreseen; readonly choices: Choices } | null>(() => {
    const [drag, spot] = [this.dragged.value, this.selected.value];
    if ((!drag && !spot) || !this.myTurn.value || this.replay.value) return null;
    void [this.choices.value, this.nextPieces.value];
    const plan = drag ? this.mover(drag.piece) : (this.planOn(spot!) ?? (spot!.kind === "piece" ? this.mover(spot!.key) : null));
    const next = plan && this.picks(plan) ? this.ahead.of(plan) : null;
    if (!plan || !next) return null;
    const now = new Set(plan.length > 1 ? [] : (this.state.value?.legal ?? []).map((action) => action.join(" ")));
    const fresh = next.orders.filter((action) => !now.has(action.join(" ")) && nounsOf(action, next.verbs)[0].kind !== "none");
    return fresh.length ? { plan, next, choices: matchTargets(fresh, next.verbs, this.board.value, this.byId.value.keys()) } : null;
  });

  /** Where a click means a place: of the present decision, else of what the selected piece could do next. */
  readonly places = computed<ReadonlyMap<string, readonly Action[]>>(() => (this.choices.value.hexes.size ? this.choices.value.hexes : (this.then.value?.choices.hexes ?? this.choices.value.hexes)));

  /** Ask what the bare choices lead to, so that the next piece can be picked up without them; and what could be said once for all. */
  protected lookAhead(): void {
    this.ahead.begin();
    clearTimeout(this.looking);
    if (!this.myTurn.peek()) return;
    this.looking = setTimeout(() => {
      if (!this.furniture.peek()) return this.lookAhead(); // what may be asked hangs on the game's words
      for (const action of this.bare.peek()) void this.ahead.look([action]);
      for (const action of this.repeatable.peek()) void this.ahead.look([action]);
      const gathered = this.gatherable.peek();
      if (gathered) void this.ahead.look([gathered]);
    }, PAUSE);
  }

  private looking: ReturnType<typeof setTimeout> | undefined;

  /** Of each verb the first action, where it might be meant for several things. */
  private readonly repeatable = computed<readonly Action[]>(() => {
    const state = this.state.value;
    if (!state || !this.myTurn.value || this.replay.value || this.held.value.size > 1) return [];
    const byVerb = new Map<string, Action[]>();
    for (const action of state.legal) byVerb.set(action[0], [...(byVerb.get(action[0]) ?? []), action]);
    return [...byVerb.values()].flatMap((list) => (this.verbs.value[list[0]![0]] === "none" || (list.length > 1 && list.length <= MANY) ? [list[0]!] : [])).slice(0, REPEATED);
  });

  /** What can be done again and again with the one thing that is selected: a unit brought up step by step. */
  private readonly again = computed<readonly Batch[]>(() => {
    const spot = this.selected.value;
    const own = spot && this.myTurn.value && !this.replay.value ? this.actionsOn(spot) : [];
    const [action] = own;
    if (!action || own.length > 1 || pointedKind(action[0], this.verbs.value) !== "unit" || RUINOUS.test(action[0])) return [];
    const next = this.ahead.of([action]);
    const still = next && !next.ends && sameDecision(next.verbs, this.verbs.value) && next.orders.some(([verb, target]) => verb === action[0] && target === action[1]);
    return still ? [{ action, again: "same", n: 1 }] : [];
  });

  /** What can be said once for all: a choice that the same decision asks again, or every thing that a verb can still have. */
  readonly batches = computed<readonly Batch[]>(() => [
    ...this.again.value,
    ...this.allHere.value,
    ...this.repeatable.value.flatMap((action): Batch[] => {
      const next = this.ahead.of([action]);
      if (!next || next.ends || !sameDecision(next.verbs, this.verbs.value)) return [];
      const legal = this.state.value?.legal ?? [];
      const before = legal.filter(([verb]) => verb === action[0]).map(([, target]) => target);
      const after = next.orders.filter(([verb]) => verb === action[0]).map(([, target]) => target);
      if (this.verbs.value[action[0]] === "none") return after.length ? [{ action, again: "same", n: 0 }] : [];
      if (pointedKind(action[0], this.verbs.value) !== "unit" || RUINOUS.test(action[0])) return []; // places are chosen; and nobody means to lose everything
      const picked = after.length > 0 && !after.includes(action[1]) && after.every((target) => before.includes(target)) && after.length >= before.length - 2;
      return picked ? [{ action, again: "each", n: before.length }] : [];
    }),
  ]);

  /** What could go with all like it to one place, where the game has words for that (`all-at.VERB`): the thing that is selected, else the first. */
  private readonly gatherable = computed<Action | null>(() => {
    const spot = this.selected.value;
    if (!this.myTurn.value || this.replay.value) return null;
    const meant = (action: Action): boolean => this.words.value.has(`all-at.${action[0]}`);
    const all = (this.state.value?.legal ?? []).filter(meant);
    return all.length < 2 ? null : ((spot ? this.actionsOn(spot).find(meant) : null) ?? all[0]!);
  });

  /** One button a place, if the next question is no more than which; many places only for a thing that was clicked. */
  private readonly allHere = computed<readonly Batch[]>(() => {
    const action = this.gatherable.value;
    const next = action && this.ahead.of([action]);
    if (!action || !next || next.ends || sameDecision(next.verbs, this.verbs.value)) return [];
    const places = next.orders.filter(([verb]) => ["hex", "area"].includes(pointedKind(verb, next.verbs)));
    const most = this.selected.value ? PLACES : FEW_PLACES;
    return places.length > most ? [] : places.map((place) => ({ action, again: "likewise", n: 0, place }));
  });

  /** Ask where what was clicked could go. */
  protected lookWhere(spot: Spot): void {
    const plan = this.planOn(spot) ?? (spot.kind === "piece" ? this.mover(spot.key) : null);
    if (plan && this.picks(plan)) void this.ahead.look(plan);
  }

  /** True if a plan ends by pointing at a piece. */
  picks(plan: readonly Action[]): boolean {
    const [verb] = plan[plan.length - 1]!;
    const verbs = plan.length > 1 ? (this.via.peek()?.next.verbs ?? {}) : this.verbs.peek();
    return pointedKind(verb, verbs) === "unit";
  }

  /** The action of the plan's continuation that a click on a place means. */
  thenAt(spot: Spot): readonly Action[] {
    const then = this.then.peek();
    return then ? this.actionsOn(spot, then.choices) : [];
  }

  /** A hex in words, with what the chosen piece could do there: who cannot see the dots hears it. */
  override describeHex(key: string): string {
    const told = super.describeHex(key);
    const next = this.choices.value.hexes.has(key) ? [] : this.thenAt({ kind: "hex", key });
    if (!next.length) return told;
    const cost = this.then.value?.next.reach[key];
    const action = this.sayLater(next[0]!, this.laterVerbs());
    return `${told} ${t("board.then", { action: cost === undefined || cost === "" ? action : `${action}, ${t("hover.cost", { cost })}` })}`;
  }

  /** All that a click here would say, after what was selected. */
  plannedAt(spot: Spot): readonly Action[] {
    const then = this.then.value;
    const next = then && !this.planOn(spot) ? this.thenAt(spot) : [];
    if (then && next.length === 1) return [...then.plan, next[0]!];
    return this.planOn(spot) ?? [];
  }

  /** What a click or a drop here would choose once the piece is picked up or what is in hand laid down: one thing, or several ways of it. */
  laterAt(spot: Spot): { readonly before: readonly Action[]; readonly actions: readonly Action[] } | null {
    const then = this.then.value;
    const plan = this.planOn(spot);
    if (then && !plan) {
      const next = this.thenAt(spot);
      return next.length ? { before: then.plan, actions: next } : null;
    }
    return plan && (plan.length > 1 || !this.actionsOn(spot).length) ? { before: plan.slice(0, -1), actions: plan.slice(-1) } : null;
  }

  /** The verbs of what comes after the selected or the laid down. */
  laterVerbs(): Verbs {
    return this.then.value?.next.verbs ?? this.via.value?.next.verbs ?? {};
  }

  /** A later action in words. */
  sayLater(action: Action, verbs: Verbs): string {
    return this.words.value.action(action, () => {
      const [first, second] = nounsOf(action, verbs);
      return second ? t(second.kind === first.kind ? "act.pairFrom" : "act.pairTo", { first: this.nameOf(first.word), second: this.nameOf(second.word) }) : this.nameOf(action[1]);
    });
  }
}

const sameDecision = (a: Verbs, b: Verbs): boolean => Object.keys(a).join() === Object.keys(b).join();
