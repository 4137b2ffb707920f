/** Around the board: seats, offers, resigning, taking back, the game file, the dice; chat and private notes. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ServerError } from "../../net/api";
import type { Seat } from "../../wire";
import { levelName, t } from "../../text";
import { hidesNothing } from "../../skins/open";
import { invitations } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { OptionsChosen } from "../pages/options";
import { Clock } from "./clock";
import { Dice, Mark } from "./dice";
import { TermsForm } from "./terms";

export function TablePanel({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const sure = store.resigning;
  if (!state) return null;
  const playing = state.mine.includes(state.as) && !state.result && state.dice?.step !== "seats" && state.dice?.step !== "commit" && state.dice?.step !== "show";
  const last = state.log.length ? state.log[state.log.length - 1]!.n : 0;
  return (
    <div class="people" role="region" aria-label={t("table.menu")}>
      <h3>{t("seats.title")}</h3>
      <ul class="seats">
        {state.seats.map((seat) => (
          <SeatLine key={seat.side} store={store} seat={seat} />
        ))}
      </ul>
      {state.mine.length > 1 && !state.result && !hidesNothing(state.game, state.options) && (
        <p class="hint">{t("new.hotseat")}</p>
      )}
      {playing && (
        <div class="menu">
          {sure.value ? (
            <span class="sure">
              {t("table.resignSure")}{" "}
              <button type="button" class="danger" onClick={() => ((sure.value = false), void store.order("resign", { version: state.version }))}>{t("table.sure")}</button>
              <button type="button" onClick={() => (sure.value = false)}>{t("table.cancel")}</button>
            </span>
          ) : (
            <button type="button" onClick={() => (sure.value = true)}>{t("table.resign")}</button>
          )}
          <button type="button" onClick={() => void store.order("draw", { version: state.version })}>{t("table.draw")}</button>
          {last > 0 && (
            <button type="button" onClick={() => void store.order("takeback", { to: Math.max(0, lastOwn(store) - 1) })} title={t("table.takebackTo", { n: Math.max(0, lastOwn(store) - 1) })}>{t("table.takeback")}</button>
          )}
        </div>
      )}
      <div class="menu">
        <button type="button" onClick={() => void store.goTo(last)}>{t("replay.open")}</button>
        <a class="button" href={`/g/${store.id}.txt`} download>{t("table.file")}</a>
        <a class="button" href={`/rules/${state.game}`}>{t("rule.all")}</a>
      </div>
      {store.card.value && <OptionsChosen card={store.card.value} scenario={state.scenario} options={state.options} />}
      <Mark store={store} />
      <Dice store={store} />
      {state.owner && <TermsForm store={store} />}
    </div>
  );
}

/** The last entry that this side made itself. */
function lastOwn(store: TableStore): number {
  const state = store.state.peek();
  const own = [...(state?.log ?? [])].reverse().find((line) => line.side === state?.as);
  return own?.n ?? 1;
}

function SeatLine({ store, seat }: { readonly store: TableStore; readonly seat: Seat }) {
  const state = store.state.value!;
  const context = store.context.value;
  const mine = state.mine.includes(seat.side);
  const who = seat.kind === "ai" ? t("seats.computer", { level: levelName(seat.name) }) : seat.kind === "open" ? t("seats.open") : seat.kind === "invited" ? t("seats.invited") : mine ? t("seats.you") : seat.name || "—";
  return (
    <li>
      <span class="chip" style={context ? { background: store.skin.value.colours(seat.side, context.sides).fill } : {}} />
      <span class="seat-side">{store.words.value.side(seat.side)}</span>
      <span class="seat-who">{who}{seat.kind === "human" && mine && seat.name ? ` (${seat.name})` : ""}</span>
      {seat.kind === "human" && <span class={seat.online ? "presence here" : "presence"}>{seat.online ? t("seats.online") : t("seats.away")}</span>}
      <Clock store={store} side={seat.side} />
      {(seat.kind === "open" || seat.kind === "invited") && <OpenSeat store={store} seat={seat} />}
      {state.mine.length > 1 && mine && state.as !== seat.side && <button type="button" onClick={() => (store.curtain.value = seat.side)}>{t("curtain.go", { side: store.words.value.side(seat.side) })}</button>}
    </li>
  );
}

/** A free seat: its invitation, if this browser made the table; else a chair for whoever may take it. */
function OpenSeat({ store, seat }: { readonly store: TableStore; readonly seat: Seat }) {
  const { side } = seat;
  const told = useSignal(invitations.read(store.id)[side] ?? "");
  const owner = store.state.value?.owner ?? false;
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      if (error instanceof ServerError) store.complain(error.body);
    }
  };
  const sit = async (): Promise<void> => {
    await api.sit(store.id, side);
    store.watchAs(side);
  };
  const reserve = async (open: boolean): Promise<void> => {
    const { invitation } = await api.invite(store.id, side, open);
    told.value = invitation ?? "";
    invitations.write(store.id, { ...invitations.read(store.id), [side]: told.value });
  };
  return (
    <>
      {seat.kind === "invited" && told.value && <input class="invite" readOnly value={location.origin + told.value} aria-label={t("new.invite", { side: store.words.value.side(side) })} onFocus={(e) => e.currentTarget.select()} />}
      {seat.kind === "open" && <button type="button" onClick={() => void attempt(sit)}>{t("seats.sit")}</button>}
      {owner && seat.kind === "invited" && <button type="button" onClick={() => void attempt(() => reserve(true))}>{t("seats.openIt")}</button>}
      {owner && (seat.kind === "open" || !told.value) && <button type="button" onClick={() => void attempt(() => reserve(false))}>{t("seats.invite")}</button>}
    </>
  );
}

export function Offers({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const offers = (state?.offers ?? []).filter((o) => state!.mine.length && !state!.mine.includes(o.side));
  if (!state || !offers.length) return null;
  return (
    <>
      {offers.map((offer) => (
        <div key={offer.kind} class="offer" role="alert">
          <p>{offer.kind === "draw" ? t("offer.draw", { side: store.words.value.side(offer.side) }) : t("offer.takeback", { side: store.words.value.side(offer.side), n: offer.to ?? 0 })}</p>
          {offer.kind === "draw" ? (
            <button type="button" onClick={() => void store.order("draw", { version: state.version })}>{t("offer.agree")}</button>
          ) : (
            <>
              <button type="button" onClick={() => void store.order("takeback-answer", { agree: true })}>{t("offer.agree")}</button>
              <button type="button" onClick={() => void store.order("takeback-answer", { agree: false })}>{t("offer.refuse")}</button>
            </>
          )}
        </div>
      ))}
    </>
  );
}

export function TalkPanel({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const text = useSignal("");
  const note = useSignal<string | null>(null);
  useEffect(() => {
    api.note(store.id).then(
      (answer) => (note.value = answer.text),
      () => (note.value = ""),
    );
  }, [store]);
  if (!state) return null;
  const send = (event: Event): void => {
    event.preventDefault();
    const line = text.value.trim();
    if (!line) return;
    text.value = "";
    void store.order("chat", { text: line });
  };
  return (
    <div class="talk" role="region" aria-label={t("chat.title")}>
      {!state.chat.length && <p class="hint">{t("chat.none")}</p>}
      <ol class="chat" aria-live="polite">
        {state.chat.map((line, i) => (
          <li key={line.n ?? i}>
            <strong>{store.words.value.side(line.author)}</strong> {line.text}
          </li>
        ))}
      </ol>
      {state.terms?.chat === "players" && !state.mine.length ? <p class="hint">{t("chat.players")}</p> : <form onSubmit={send} class="say">
        <input value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} aria-label={t("chat.say")} placeholder={t("chat.say")} maxLength={1000} />
        <button type="submit">{t("chat.send")}</button>
      </form>}
      <label class="note">
        <span>{t("note.title")}</span> <small>{t("note.hint")}</small>
        <textarea rows={4} value={note.value ?? ""} disabled={note.value === null} onInput={(e) => (note.value = e.currentTarget.value)} onBlur={() => note.value !== null && void api.setNote(store.id, note.value)} />
      </label>
    </div>
  );
}
