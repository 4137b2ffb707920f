/** What a person does at the table: touch, act, undo, ask why, ask for the odds, type a command. */
import { batch, signal } from "@preact/signals";
import type { Spot } from "../model/board";
import { parseCommand } from "../model/command";
import { actionsAt, whereIs } from "../model/targets";
import { api, ServerError } from "../net/api";
import { t } from "../text";
import type { Proof } from "../dice/proof";
import type { Action, ErrorBody, Refusal, Side, StateMessage, Verification } from "../wire";
import { keeper } from "./keeper";
import { Position } from "./position";
import { quick } from "./settings";

export abstract class Orders extends Position {
  constructor(readonly id: string) {
    super();
  }

  /** Send an order; settled when the server has stored it or said no. */
  protected abstract send(type: string, facts: { readonly [key: string]: unknown }): Promise<void>;

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
    const salt = await this.salt(state);
    await this.order("act", { side: state.as, verb: action[0], target: action[1], version: state.version, ...(salt ? { salt } : {}) }, action);
  }

  /** What we add to the dice of our next order, if this browser holds our share: never a link further on than the next. */
  private async salt(state: StateMessage): Promise<string> {
    const secret = keeper.secret(this.id, state.as);
    const share = state.dice?.shares.find((s) => s.side === state.as);
    if (!secret || state.dice?.step !== "made" || !share?.entropy) return "";
    const number = (state.salted ?? 0) + 1;
    if (!keeper.mayUse(this.id, state.as, number)) return "";
    const { saltOf, shareOf } = await import("../dice/ceremony");
    return shareOf(secret) === share.entropy ? saltOf(secret, number) : "";
  }

  async order(type: string, facts: { readonly [key: string]: unknown }, action?: Action): Promise<void> {
    const state = this.state.peek();
    if (!state) return;
    this.pending.value = true;
    this.trouble.value = null;
    try {
      await this.send(type, { side: state.as, ...facts });
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
    if (!dice || dice.step === "made" || this.dicing || !state.mine.length) return;
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
    this.trouble.value = { title: refusal ? t("refusal.of", { action: this.say(action) }) : this.say(action), message, rule: refusal?.rule, action };
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
        else if (command.word === "resign") {
          this.panel.value = "table";
          this.resigning.value = true;
        } else if (state) void this.order(command.word, { version: state.version });
        break;
      case "nothing":
    }
  }
}

const same = (a: Spot | null, b: Spot): boolean => a !== null && a.kind === b.kind && a.key === b.key;
