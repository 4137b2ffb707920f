/** Making the dice before the game begins, and checking them at its end. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Problem } from "../../dice/proof";
import { keeper } from "../../table/keeper";
import type { TableStore } from "../../table/store";
import { t } from "../../text";
import type { Side } from "../../wire";

/** What everybody should know before sitting down. */
export function Mark({ store }: { readonly store: TableStore }) {
  const mark = store.state.value?.mark;
  if (mark !== "dice-known" && mark !== "position-known") return null;
  return <p class="mark" role="note">{t(`mark.${mark}`)}</p>;
}

/** The table says something else of its dice than it said before: the player is told at once, not at the end. */
export function OtherDice({ store }: { readonly store: TableStore }) {
  const lies = store.lies.value;
  if (!lies.length) return null;
  return (
    <section class="dice-making" role="alert">
      <h3>{t("dice.otherTitle")}</h3>
      <p>{t("dice.otherWord")}</p>
      <ul>{lies.map((lie) => <li key={`${lie.key} ${lie.side ?? ""}`}>{problemText(lie, store)}</li>)}</ul>
    </section>
  );
}

/** The dice are made by the browsers of all players; a person reads here how far they are, and may stop waiting. */
export function DiceMaking({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const dice = state?.dice;
  const now = useSignal(Date.now());
  const heard = useSignal(Date.now());
  useEffect(() => {
    heard.value = Date.now();
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, [dice]);
  if (!state || !dice || dice.step === "made") return null;
  const words = store.words.value;
  const names = (sides: readonly Side[]): string => sides.map((side) => words.side(side)).join(", ");
  const missing = dice.missing ?? [];
  const free = state.seats.filter((seat) => seat.kind === "open" || seat.kind === "invited").map((seat) => seat.side);
  const left = Math.max(0, (dice.patience ?? 0) - (now.value - heard.value) / 1000);
  const mine = missing.filter((side) => state.mine.includes(side));
  const lost = mine.filter((side) => dice.step === "show" || !keeper.secret(store.id, side));
  const others = missing.filter((side) => !state.mine.includes(side));
  const goOn = (): void => void store.order("dice", { side: state.mine[0], go_on: true });
  return (
    <section class="dice-making" aria-label={t("dice.title")}>
      <h3>{t("dice.title")}</h3>
      <p>{t("dice.why")}</p>
      <p class="hint">{t(dice.all ? "dice.all" : "dice.later")}</p>
      <ol class="dice-steps">
        <li class={dice.step === "seats" ? "now" : "past"}>{free.length ? t("dice.seats", { who: names(free) }) : t("dice.seated")}</li>
        <li class={dice.step === "commit" ? "now" : dice.step === "show" ? "past" : ""}>{dice.step === "commit" && missing.length ? t("dice.commitWait", { who: names(missing) }) : t("dice.commit")}</li>
        <li class={dice.step === "show" ? "now" : ""}>{dice.step === "show" && missing.length ? t("dice.showWait", { who: names(missing) }) : t("dice.show")}</li>
      </ol>
      {dice.step === "commit" && lost.map((side) => (
        <button key={side} type="button" onClick={() => void store.makeDice(state, side)}>{t("dice.here", { side: words.side(side) })}</button>
      ))}
      {dice.step === "show" && lost.length > 0 && !lost.some((side) => keeper.secret(store.id, side)) && (
        <div class="menu">
          <p>{t("dice.lost")}</p>
          <button type="button" onClick={() => void store.order("dice", { side: lost[0], go_on: true })}>{t("dice.withoutMine")}</button>
        </div>
      )}
      {state.mine.length > 0 && dice.step !== "seats" && others.length > 0 && (
        <div class="menu">
          <button type="button" onClick={goOn} disabled={left > 0}>{t("dice.without", { who: names(others) })}</button>
          {left > 0 && <small>{t("dice.patience", { time: span(left) })}</small>}
        </div>
      )}
    </section>
  );
}

/** An order has been given, and its dice wait for the pages of the others. */
export function DiceWaiting({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const order = state?.dice?.order;
  const now = useSignal(Date.now());
  const heard = useSignal(Date.now());
  useEffect(() => {
    heard.value = Date.now();
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, [order]);
  if (!state || !order) return null;
  const waited = Object.keys(order.wanted);
  if (!waited.length || now.value - heard.value < 600) return null; // where all are there it takes a moment only
  const words = store.words.value;
  const left = Math.max(0, order.patience - (now.value - heard.value) / 1000);
  const lost = waited.filter((side) => state.mine.includes(side) && !keeper.secret(store.id, side));
  const goOn = (side: Side): void => void store.order("witness", { side, go_on: true });
  return (
    <section class="dice-making" role="status">
      <p>{t("dice.ordered", { side: words.side(order.side), who: waited.map((side) => words.side(side)).join(", ") })}</p>
      {lost.length > 0 && (
        <div class="menu">
          <p>{t("dice.lost")}</p>
          <button type="button" onClick={() => goOn(lost[0]!)}>{t("dice.withoutMine")}</button>
        </div>
      )}
      {state.mine.length > 0 && !lost.length && !waited.some((side) => state.mine.includes(side)) && (
        <div class="menu">
          <button type="button" onClick={() => goOn(state.mine[0]!)} disabled={left > 0}>{t("dice.without", { who: waited.map((side) => words.side(side)).join(", ") })}</button>
          {left > 0 && <small>{t("dice.patience", { time: span(left) })}</small>}
        </div>
      )}
    </section>
  );
}

const span = (seconds: number): string => (seconds >= 7200 ? t("dice.hours", { n: Math.ceil(seconds / 3600) }) : seconds >= 120 ? t("dice.minutes", { n: Math.ceil(seconds / 60) }) : t("dice.seconds", { n: Math.ceil(seconds) }));

/** What is known of the dice, and the check at the end. */
export function Dice({ store }: { readonly store: TableStore }) {
  const state = store.state.value!;
  const check = store.verification.value;
  const done = check !== "working" ? check : null;
  const shares = state.dice?.step === "made" ? state.dice.shares : [];
  const out = shares.filter((share) => !share.entropy).map((share) => store.words.value.side(share.side));
  const ours = shares.filter((share) => share.entropy && state.mine.includes(share.side) && !keeper.secret(store.id, share.side));
  return (
    <div class="dice-proof">
      <p>
        <span>{t("table.commitment")}</span> <code title={state.commitment}>{state.commitment.slice(0, 20)}…</code>
      </p>
      {shares.length > 0 && <p>{t("dice.made", { n: shares.length - out.length })}</p>}
      {state.dice?.all && <p>{t("dice.all")}</p>}
      {out.length > 0 && <p class="mark">{t("dice.withheld", { who: out.join(", ") })}</p>}
      {ours.length > 0 && !state.result && <p class="mark">{t("dice.unsalted")}</p>}
      {state.seed && (
        <p>
          <span>{t("table.seed")}</span> <code>{state.seed}</code>
        </p>
      )}
      {state.result && (
        <button type="button" class="choice" onClick={() => void store.verify()} disabled={check === "working"}>{t("table.verify")}</button>
      )}
      {done && (
        <div class={done.here.ok && done.there?.ok !== false ? "verdict ok" : "verdict"} role="status">
          <p>{done.here.ok ? t("proof.here", { draws: done.here.draws, rolls: done.here.rolls, actions: done.here.actions }) : t("proof.hereNot")}</p>
          <ul>{done.here.problems.map((p, i) => <li key={i}>{problemText(p, store)}</li>)}</ul>
          {done.here.ok && keeper.kept(store.id) && <p>{t("proof.kept")}</p>}
          {done.here.withheld.length > 0 && <p>{t("dice.withheld", { who: done.here.withheld.map((s) => store.words.value.side(s)).join(", ") })}</p>}
          {Object.entries(done.here.unsalted).map(([side, n]) => <p key={side}>{t("proof.unsalted", { side: store.words.value.side(side), n })}</p>)}
          {done.here.typed > 0 && <p>{t("table.typed", { n: done.here.typed })}</p>}
          {done.there && <p>{done.there.ok ? t("table.verified", { actions: done.there.actions, rolls: done.there.rolls }) : t("table.notVerified")}</p>}
          {done.there && <ul>{done.there.problems.map((p) => <li key={p}>{p}</li>)}</ul>}
        </div>
      )}
    </div>
  );
}

const problemText = (problem: Problem, store: TableStore): string =>
  t(`proof.${problem.key}`, { side: problem.side ? store.words.value.side(problem.side) : "", n: problem.number ?? 0 });
