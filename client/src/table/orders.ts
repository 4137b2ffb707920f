/** What a person does at the table: touch, act, undo, ask why, ask for the odds, type a command. */
import { batch, computed, signal } from "@preact/signals";
import type { Spot } from "../model/board";
import { questionsAt, tellingRefusals } from "../model/asking";
import { ENGLISH, parseCommand, type Speech } from "../model/command";
import { handOf } from "../model/happenings";
import { pointedKind, type Verbs } from "../model/kinds";
import { api, ServerError } from "../net/api";
import { t } from "../text";
import type { Problem, Proof } from "../dice/proof";
import type { Choices } from "../model/targets";
import type { Action, ErrorBody, Piece, Refusal, Side, StateMessage, Verification } from "../wire";
import { Forecast } from "./forecast";
import { keeper } from "./keeper";
import { type Again, Planning, RUINOUS } from "./planning";
import { forcedChoices, quick } from "./settings";

const TYPED = ["why", "odds", "go", "rule", "undo", "redo", "resign", "draw", "help"] as const; // commands of the box
const SET_OUT = 4; // acts that may precede the place of a drag
const FORCED_AFTER = 900; // ms in which one sees what is about to be done

export abstract class Orders extends Planning {
  constructor(readonly id: string) {
    super();
  }

  abstract putBriefingAway(): void;

  /** Send an order; settled when the server has stored it or said no. */
  protected abstract send(type: string, facts: { readonly [key: string]: unknown }): Promise<void>;

  /** A click or Enter on something: the first looks, the second acts. */
  touch(spot: Spot): void {
    if (this.replay.peek()) {
      this.selected.value = spot;
      return;
    }
    const way = this.wayAt(spot);
    if (way && !this.pending.peek()) {
      void this.act(way);
      return;
    }
    const choices = this.choices.peek();
    const again = same(this.selected.peek(), spot);
    const acts = this.actionsOn(spot);
    if (this.goOn(spot, acts)) return;
    if (!again && this.fromPile(spot)) return;
    const careful = this.isRuinous(acts);
    if (acts.length === 1 && !careful && (again || quick.peek() === "on") && !this.pending.peek()) {
      void this.act(acts[0]!);
      return;
    }
    const plan = acts.length ? null : this.planOn(spot);
    if (plan && (again || quick.peek() === "on") && !this.pending.peek()) {
      void this.acts(plan);
      return;
    }
    if (again && careful) this.announcement.value = t("act.ruinous", { action: this.say(acts[0]!) });
    if (again && !acts.length && this.myTurn.peek()) {
      void this.whyNotThere(spot);
      return;
    }
    const stack = spot.kind === "hex" || spot.kind === "area" ? (this.stacks.peek().get(spot.key) ?? []) : [];
    batch(() => {
      this.trouble.value = null;
      this.odds.value = null;
      this.selected.value = spot;
      if (spot.kind === "hex") this.cursor.value = spot.key;
      if (spot.kind === "hex" || spot.kind === "area") this.openPile(stack.length > 1 && this.opens(stack, choices) ? spot.key : null);
    });
    this.lookWhere(spot);
    const next = plan ?? acts;
    if (next.length) this.announcement.value = t("board.again", { actions: next.slice(0, 6).map((action) => this.say(action)).join("; ") }); // who cannot see the glass
  }

  /** What the selected thing would be thrown away by, in words; null if it would not. */
  readonly ruinous = computed<string | null>(() => {
    const spot = this.selected.value;
    const acts = spot && this.myTurn.value ? this.actionsOn(spot, this.choices.value) : [];
    return this.isRuinous(acts) ? this.say(acts[0]!) : null;
  });

  /** Whether clicks would throw away something that nobody asks for: that takes the button that says so. */
  private isRuinous(acts: readonly Action[]): boolean {
    return acts.length === 1 && RUINOUS.test(acts[0]![0]) && (this.state.peek()?.legal ?? []).some(([verb]) => !RUINOUS.test(verb));
  }

  /** The selected piece is to go where one clicks: it is picked up and goes, at one click. Another piece to pick up is looked at instead. */
  private goOn(spot: Spot, acts: readonly Action[]): boolean {
    const then = this.then.peek();
    if (!then || acts.length || this.planOn(spot) || this.pending.peek()) return false;
    const next = this.thenAt(spot);
    if (next.length === 1) void this.acts([...then.plan, next[0]!]);
    else if (next.length > 1) void this.acts(then.plan).then(() => this.touch(spot));
    return next.length > 0;
  }

  /**
   * A pile is opened with the first of its pieces that can be taken chosen; a click on the pile goes on to the next. A click on a piece
   * of the opened pile takes it: at once if nothing is to be pointed at after it, else one sees where it could go.
   */
  private fromPile(spot: Spot): boolean {
    if (quick.peek() === "on" || this.pending.peek()) return false;
    if (spot.kind === "piece") {
      if (this.spread.peek() === null || this.spread.peek() !== this.placeOf(spot.key)) return false;
      const plan = this.mover(spot.key);
      if (!plan || this.isRuinous(plan)) return false;
      const only = this.pickUp(spot.key) !== null;
      this.choose(spot, this.spread.peek());
      void this.ahead.look(plan).then((next) => {
        const then = this.then.peek()?.choices;
        if (!only || !same(this.selected.peek(), spot) || this.pending.peek() || !this.myTurn.peek()) return;
        if (next && !(then && then.hexes.size + then.areas.size)) void this.acts(plan);
      });
      return true;
    }
    if (spot.kind !== "hex" && spot.kind !== "area") return false;
    const choices = this.choices.peek();
    if (choices.hexes.has(spot.key) || choices.areas.has(spot.key)) return false;
    const able = (this.stacks.peek().get(spot.key) ?? []).filter((piece) => {
      const plan = this.mover(piece.id);
      return plan !== null && this.picks(plan);
    });
    able.reverse(); // the last lies on top
    if (able.length < 2) return false;
    const now = this.selected.peek();
    const at = now?.kind === "piece" ? able.findIndex((piece) => piece.id === now.key) : -1;
    const next: Spot = { kind: "piece", key: able[(at + 1) % able.length]!.id };
    if (spot.kind === "hex") this.cursor.value = spot.key;
    this.choose(next, spot.key);
    this.lookWhere(next);
    this.announcement.value = t("board.fromPile", { piece: this.nameOf(next.key), n: able.length });
    return true;
  }

  /** Put a piece of a pile under the glass, with its pile open. */
  private choose(spot: Spot, pile: string | null): void {
    batch(() => {
      this.trouble.value = null;
      this.odds.value = null;
      this.selected.value = spot;
      this.openPile(pile);
    });
  }

  private openPile(key: string | null): void {
    if (key !== null && key !== this.spread.peek()) this.opened = this.pileNow(key);
    this.spread.value = key;
  }

  private pileNow(key: string): { readonly asked: string; readonly sides: readonly (Side | null)[] } {
    const sides = (this.stacks.peek().get(key) ?? []).map((piece) => this.skin.peek().sideOf(piece, this.sides.peek()));
    return { asked: `${this.state.peek()?.prompt.decision ?? ""} ${this.battle.peek()?.hex ?? ""}`, sides };
  }

  /**
   * An opened pile stays open while something in it can be taken: who sends several need not open it each time. When another
   * question is asked, or pieces of another side lie there, it would only cover what is new.
   */
  protected closePile(): void {
    const key = this.spread.peek();
    if (key === null) return;
    const [stack, now] = [this.stacks.peek().get(key) ?? [], this.pileNow(key)];
    const other = now.asked !== this.opened.asked || now.sides.some((side) => !this.opened.sides.includes(side));
    if (other || stack.length < 2 || this.choices.peek().hexes.size || !stack.some((piece) => this.choices.peek().pieces.has(piece.id))) this.spread.value = null;
  }

  /** A piece is let go over a place: it goes there, or the rules say why not. */
  async drop(piece: string, place: string | null): Promise<void> {
    const spot = place === null ? null : this.board.peek()?.spot(place);
    const held = this.held.peek().has(piece);
    const plan = held ? [] : (this.mover(piece) ?? []);
    const next = held ? null : await this.ahead.look(plan);
    const acts = !spot ? [] : held ? (this.choices.peek().hexes.get(spot.key) ?? this.choices.peek().areas.get(spot.key) ?? []) : this.thenAt(spot).filter(([, target]) => target !== piece);
    this.dragged.value = null;
    if (!spot || this.placeOf(piece) === spot.key) return;
    if (acts.length === 1) await this.acts([...plan, acts[0]!]);
    else if (acts.length > 1) {
      if (plan.length) await this.acts(plan);
      this.touch(spot);
    } else if (held) await this.whyNotThere(spot);
    else await this.whyNotLater(plan, next?.verbs ?? {}, spot);
  }

  /**
   * A drag on a measured table begins before places are asked for: its formation is activated, it is taken up and sets out, as clicks
   * would say it. Nothing is done where that leads to no places, or could not be taken back.
   */
  async setOut(piece: string): Promise<void> {
    const state = this.state.peek();
    if (!state || this.pending.peek() || this.choices.peek().hexes.size) return;
    const plan: Action[] = this.held.peek().has(piece) ? [] : [...(this.pickUp(piece) ?? [])];
    let [orders, verbs] = [state.legal, this.verbs.peek()];
    for (let steps = 0; steps < SET_OUT; steps++) {
      if (plan.length) {
        const next = await this.ahead.look(plan);
        if (!next || next.ends) return;
        [orders, verbs] = [next.orders, next.verbs];
      }
      if (orders.some(([verb]) => ["hex", "point"].includes(pointedKind(verb, verbs)))) break;
      const own = orders.filter(([verb, target]) => target === piece && pointedKind(verb, verbs) === "unit");
      const go = own.length === 1 ? own[0] : this.held.peek().has(piece) || plan.length ? orders.find(([verb]) => verbs[verb] === "none") : undefined;
      if (!go || steps === SET_OUT - 1) return;
      plan.push(go);
    }
    if (plan.length && this.state.peek() === state) await this.acts(plan);
  }

  /** The rules' word on where a piece cannot go once it is picked up. */
  private async whyNotLater(plan: readonly Action[], verbs: Verbs, spot: Spot): Promise<void> {
    const verb = Object.keys(verbs).find((one) => ["hex", "area", "point"].includes(pointedKind(one, verbs)));
    const state = this.state.peek();
    if (!verb || !state || !plan.length) return;
    try {
      await api.foresee(this.id, state.as, [...plan, [verb, spot.key]]);
    } catch (error) {
      if (error instanceof ServerError) this.complain(error.body, [verb, spot.key]);
    }
  }

  /** A stack is spread out where its pieces can be picked; while places are asked for it would only cover them. */
  private opens(stack: readonly Piece[], choices: Choices): boolean {
    return stack.some((piece) => choices.pieces.has(piece.id) || this.nextPieces.peek().pieces.has(piece.id)) || !choices.hexes.size;
  }

  /** The action that a click answers, where the thing clicked before can be meant in several ways. */
  private wayAt(spot: Spot): Action | null {
    const ways = this.ways.peek();
    const place = spot.kind === "piece" ? this.placeOf(spot.key) : spot.key;
    return (ways.find((way) => same(way.spot, spot)) ?? ways.find((way) => way.spot.kind !== "piece" && way.spot.key === place))?.action ?? null;
  }

  /** What the server says of the dice and is not what this browser kept: then nothing of ours goes into them any more. */
  readonly lies = signal<readonly Problem[]>([]);

  /** True where the dice are not those that were promised; then it is said again. */
  private betrayed(): boolean {
    if (this.lies.peek().length) this.complain({ code: "other-word", message: t("dice.otherWord") });
    return this.lies.peek().length > 0;
  }

  async act(action: Action): Promise<void> {
    const state = this.state.peek();
    if (!state || this.pending.peek() || state.dice?.order || this.betrayed()) return;
    const salt = await this.salt(state);
    await this.order("act", { side: state.as, verb: action[0], target: action[1], version: state.version, ...(salt ? { salt } : {}) }, action);
    const now = this.state.peek();
    if (now) this.series.delete(lastOf(now));
  }

  /** Several actions said at once; `again` goes on with the last: the same once more, or each thing that it can be done with. */
  async acts(orders: readonly Action[], again: "" | Again = ""): Promise<void> {
    const state = this.state.peek();
    if (!state || this.pending.peek()) return;
    if (orders.length === 1 && !again) return this.act(orders[0]!);
    if (this.betrayed()) return;
    const before = lastOf(state);
    if (await this.salt(state, true)) await this.oneByOne(orders, again);
    else await this.order("acts", { side: state.as, orders, again, version: state.version }, orders[orders.length - 1]);
    const now = this.state.peek();
    if (now && lastOf(now) > before) this.series.set(lastOf(now), before);
  }

  /** Where the last entry of a series is, and the entry before its first: one undo takes it back whole. */
  private readonly series = new Map<number, number>();

  /** The same where each order brings its share of the dice: said singly, and stopped where the server would stop. */
  private async oneByOne(orders: readonly Action[], again: "" | Again): Promise<void> {
    const [last] = orders[orders.length - 1]!;
    const decision = (): string => JSON.stringify(this.state.peek()?.view.frames?.map((frame) => [frame.sequence, frame.at]) ?? []);
    const first = decision();
    let where = "";
    for (const order of orders) {
      where = decision();
      await this.act(order);
      if (this.trouble.peek() || !this.state.peek()?.can_undo) return;
    }
    if (again === "likewise") return this.likewise(orders, first, decision);
    while (again && decision() === where) {
      const next = (this.state.peek()?.legal ?? []).find(([verb, target]) => verb === last && (again === "each" || target === orders[orders.length - 1]![1]));
      if (!next) return;
      await this.act(next);
      if (this.trouble.peek() || !this.state.peek()?.can_undo) return;
    }
  }

  /** The same with each other thing that the first verb still has, as far as the same can be done with it. */
  private async likewise([pair, second]: readonly Action[], first: string, decision: () => string): Promise<void> {
    const left = new Set<string>();
    while (decision() === first) {
      const pick = (this.state.peek()?.legal ?? []).find(([one, target]) => one === pair![0] && !left.has(target));
      if (!pick) return;
      const next = await api.foresee(this.id, this.state.peek()?.as ?? "", [pick]).catch(() => null);
      if (!next?.orders.some((order) => order.join(" ") === second!.join(" "))) {
        left.add(pick[1]);
        continue;
      }
      for (const order of [pick, second!]) {
        await this.act(order);
        if (this.trouble.peek() || !this.state.peek()?.can_undo) return;
      }
    }
  }

  /** What we add to the dice of our next order, if this browser holds our share: never a link further on than the next. */
  private async salt(state: StateMessage, onlyAsking = false): Promise<string> {
    const secret = keeper.secret(this.id, state.as);
    const share = state.dice?.shares.find((s) => s.side === state.as);
    if (!secret || state.dice?.step !== "made" || !share?.entropy) return "";
    if (onlyAsking) return secret;
    const number = (state.salted ?? 0) + 1;
    if (!keeper.mayUse(this.id, state.as, number)) return "";
    const { saltOf, shareOf } = await import("../dice/ceremony");
    return shareOf(secret) === share.entropy ? saltOf(secret, number) : "";
  }

  /** Steps taken back by hand are not taken again by themselves. */
  private reconsidering = false;
  private forcing: ReturnType<typeof setTimeout> | undefined;

  /** What is forced is done, and told: one choice, and nothing lost by it that could be taken back instead. Of places one is asked: there one wants to look first. */
  protected takeForced(): void {
    clearTimeout(this.forcing);
    const state = this.state.peek();
    const only = state?.legal[0];
    if (!state || state.lesson || !only || state.legal.length !== 1 || ["hex", "area", "side", "point"].includes(pointedKind(only[0], this.verbs.peek()))) return;
    if (forcedChoices.peek() === "off" || this.reconsidering || !this.myTurn.peek() || this.curtain.peek() !== null) return;
    this.forcing = setTimeout(() => void this.force(state, only), FORCED_AFTER);
  }

  private async force(state: StateMessage, only: Action): Promise<void> {
    const closes = state.can_undo && (await this.ahead.look([only]))?.ends !== ""; // then one's last act could no longer be taken back
    if (closes || this.state.peek() !== state || this.replay.peek() || this.pending.peek()) return;
    const told = t("act.forcedTold", { action: this.say(only) });
    const before = lastOf(state);
    const from = this.series.get(before) ?? before - 1;
    this.unasked.value = new Set([...this.unasked.peek(), before + 1]);
    await this.act(only);
    const now = this.state.peek();
    if (state.can_undo && now && lastOf(now) > before) this.series.set(lastOf(now), from); // one undo takes it back with what led to it
    if (now?.version !== state.version) this.forced.value = told;
    this.announcement.value = told;
  }

  async order(type: string, facts: { readonly [key: string]: unknown }, action?: Action): Promise<void> {
    const state = this.state.peek();
    if (!state) return;
    this.pending.value = true;
    this.trouble.value = null;
    this.forced.value = null;
    this.reconsidering = type === "undo" || type === "takeback";
    if (this.briefing.peek() && (type === "act" || type === "acts")) this.putBriefingAway(); // who acts has read it; the bar tells it again
    try {
      await this.send(type, { side: state.as, ...facts });
      batch(() => {
        this.selected.value = null;
        this.closePile();
      });
    } catch (error) {
      this.complain(error as ErrorBody, action);
    } finally {
      this.pending.value = false;
    }
  }

  undo(): void {
    const state = this.state.peek();
    if (!state?.can_undo) return;
    const from = this.series.get(lastOf(state));
    void this.order("undo", { version: state.version, ...(from === undefined ? {} : { to: from }) });
  }

  redo(): void {
    const state = this.state.peek();
    if (state?.can_redo) void this.order("redo", { version: state.version });
  }

  /** What the check of the dice found: here, in this browser, and by the server, which replays the rules as well. */
  readonly verification = signal<{ readonly here: Proof; readonly there: Verification | null } | "working" | null>(null);
  /** Whether resigning was asked for once. */
  readonly resigning = signal(false);

  /** Have every die of a finished game thrown again: from the file, by our own code; then ask the server for its opinion. */
  async verify(): Promise<void> {
    this.panel.value = "table";
    this.verification.value = "working";
    try {
      const [{ prove }, text, there] = await Promise.all([import("../dice/proof"), api.file(this.id), api.verify(this.id).catch(() => null)]);
      this.verification.value = { here: prove(text, keeper.kept(this.id)), there };
    } catch (error) {
      this.verification.value = null;
      if (error instanceof ServerError) this.complain(error.body);
    }
  }

  /** Do our part in making the dice, as far as it can be done now; a person need not do anything. */
  async makeDice(state: StateMessage, anew: Side | null = null): Promise<void> {
    const dice = state.dice;
    if (!dice || dice.step === "made" || this.dicing || !state.mine.length || this.lies.peek().length) return;
    this.dicing = true;
    try {
      const { newSecret, shareCommitment, shareOf } = await import("../dice/ceremony");
      for (const side of state.mine) {
        const told = dice.shares.find((s) => s.side === side);
        const secret = keeper.secret(this.id, side);
        const ours = secret ? shareCommitment(dice.id, side, shareOf(secret)) : null;
        if (dice.step !== "show" && (!told || side === anew)) {
          const fresh = secret ?? newSecret(); // another browser of ours may have committed: then it is asked, not overruled
          keeper.keepSecret(this.id, side, fresh, dice);
          await this.send("dice", { side, commitment: shareCommitment(dice.id, side, shareOf(fresh)) });
        } else if (dice.step === "show" && secret && told && !told.shown && told.commitment === ours) {
          keeper.keepShares(this.id, side, shareOf(secret), dice);
          await this.send("dice", { side, entropy: shareOf(secret) });
        }
      }
    } catch (error) {
      const body = error as ErrorBody;
      if (body.code && !["offline", "share-late", "share-early", "dice-made", "stale"].includes(body.code)) this.complain(body);
    } finally {
      this.dicing = false;
      const now = this.state.peek();
      if (now?.dice && now.dice !== dice && now.dice.step !== "made") void this.makeDice(now);
    }
  }

  private dicing = false;

  /** Add our link to the dice of an order of somebody else's that has been announced; a person need not do anything. */
  async witness(state: StateMessage): Promise<void> {
    const { dice } = state;
    if (!dice?.order || this.lies.peek().length) return;
    const { saltOf, shareOf } = await import("../dice/ceremony");
    for (const [side, { number, binding }] of Object.entries(dice.order.wanted)) {
      const secret = state.mine.includes(side) ? keeper.secret(this.id, side) : undefined;
      if (!secret || shareOf(secret) !== dice.shares.find((s) => s.side === side)?.entropy) continue;
      if (!keeper.mayWitness(this.id, side, number, binding)) {
        this.complain({ code: "other-order", message: t("dice.otherOrder") });
        continue;
      }
      await this.send("witness", { side, link: saltOf(secret, number) }).catch((error: ErrorBody) => {
        if (!["offline", "no-order", "stale"].includes(error.code)) this.complain(error);
      });
    }
  }

  complain(error: ErrorBody, action?: Action): void {
    const message = error.code === "offline" ? t("net.lost") : error.message;
    const title = error.refusal ? t("refusal.title") : t("error.title");
    this.trouble.value = { title, message, rule: error.refusal?.rule ?? error.rule, action };
    this.announcement.value = t("rule.titled", { name: title, title: error.refusal ? spokenRefusal(error.refusal) : message });
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

  /** The rules' word on something that does not glow: why nothing can be done with it now. */
  async whyNotThere(spot: Spot): Promise<void> {
    const state = this.state.peek();
    const context = this.context.peek();
    if (!state || !context) return;
    const place = spot.kind === "piece" ? this.placeOf(spot.key) : spot.kind === "side" ? null : spot.key;
    const stack = place === null ? [] : (this.stacks.peek().get(place) ?? []);
    const own = stack.find((p) => this.skin.peek().sideOf(p, context.sides) === state.as) ?? stack[0];
    const held = handOf(state.view, this.byId.peek())?.pieces[0];
    const hand = held ? this.placeOf(held.id) : null;
    const questions = questionsAt({ spot, place, piece: spot.kind === "piece" ? spot.key : (own?.id ?? null) }, this.verbs.peek(), state.legal, hand);
    const asked = questions.length ? questions : [[Object.keys(this.verbs.peek())[0] ?? "", place ?? spot.key] as const];
    try {
      const answers = await Promise.all(asked.map(async (action) => ({ action, refusal: (await api.why(this.id, state.as, action[0], action[1])).refusal })));
      if (this.state.peek()?.version !== state.version) return;
      const said = tellingRefusals(answers.flatMap(({ action, refusal }) => (refusal ? [{ action, refusal }] : [])));
      const several = new Set(said.map(({ action }) => action[0])).size > 1;
      const [first, ...more] = said.map(({ action: [verb], refusal }) => ({ rule: refusal.rule, message: several ? t("refusal.verb", { verb: this.words.peek().verb(verb), message: refusal.message }) : refusal.message }));
      if (!first) return;
      const name = this.placeInWords(place ?? spot.key);
      this.trouble.value = { title: t("refusal.there", { name }), ...first, more };
      this.announcement.value = said.map(({ refusal }) => spokenRefusal(refusal)).join(" ");
    } catch (error) {
      if (error instanceof ServerError) this.complain(error.body);
    }
  }

  private showRefusal(refusal: Refusal | null, action: Action): void {
    const message = refusal ? refusal.message : t("refusal.allowed");
    this.trouble.value = { title: refusal ? t("refusal.of", { action: this.say(action) }) : this.say(action), message, rule: refusal?.rule, action };
    this.announcement.value = refusal ? spokenRefusal(refusal) : message;
  }

  /** What the dice could bring, for the choices of the present decision. */
  readonly forecast = new Forecast((action, after) => api.odds(this.id, this.state.peek()?.as ?? "", action, after));

  /** Ask about what is being looked at; `after`: what a drag or a second click would say before it. */
  weigh(actions: readonly Action[], after: readonly Action[] = []): void {
    void this.forecast.look(this.state.peek()?.prompt.decision ?? "", actions, after);
  }

  /** Open the whole answer. */
  async askOdds(action: Action): Promise<void> {
    const state = this.state.peek();
    if (!state) return;
    const known = this.forecast.of(action);
    this.odds.value = { action, answer: known ?? "working" };
    if (known) return;
    try {
      const answer = await api.odds(this.id, state.as, action);
      this.odds.value = { action, answer };
      if (answer === null) this.announcement.value = t("odds.none");
    } catch (error) {
      this.odds.value = null;
      if (error instanceof ServerError) this.complain(error.body, action);
    }
  }

  /** What can be typed in the reader's language. */
  readonly speech = computed<Speech>(() => ({
    order: (verb) => this.words.value.find(`order.${verb}`) ?? ENGLISH.order(verb),
    commands: Object.fromEntries(TYPED.map((name) => [name, t(`typed.${name}`)])),
    says: (action) => this.say(action),
  }));

  /** The command box. */
  command(text: string): void {
    const command = parseCommand(text, this.state.peek()?.legal ?? [], this.speech.peek());
    const state = this.state.peek();
    if (command.kind !== "rule") this.trouble.value = null; // what was said of the line before; who looks a rule up wants to come back to it
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
        const board = this.board.peek();
        const spot = board?.spot(command.hex) ?? board?.named(command.hex, this.words.peek().lang);
        if (spot?.kind !== "hex") break;
        this.lookAt(spot.key);
        this.announcement.value = this.describeHex(spot.key);
        break;
      }
      case "ambiguous":
        this.trouble.value = { title: text, message: t("command.ambiguous", { list: command.actions.slice(0, 12).map((action) => `${this.speech.peek().order(action[0])} ${action[1]} (${this.say(action)})`).join(", ") }) };
        this.announcement.value = this.trouble.value.message;
        break;
      case "table":
        if (command.word === "undo") this.undo();
        else if (command.word === "redo") this.redo();
        else if (command.word === "help") this.ruleShown.value = "?keys";
        else if (command.word === "resign") {
          this.panel.value = "table";
          this.resigning.value = true;
        } else if (state) void this.order(command.word, { version: state.version });
        break;
      case "nothing":
    }
  }
}

/** A refusal for the ear: its rule is a link beside it. */
const spokenRefusal = (refusal: Refusal): string => refusal.message.replace(` (${refusal.rule})`, "");

const lastOf = (state: StateMessage): number => state.log[state.log.length - 1]?.n ?? 0;

const same = (a: Spot | null, b: Spot): boolean => a !== null && a.kind === b.kind && a.key === b.key;
