/** What the computer would do here: asked for by a click, in a game against the computer. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { spotOf } from "../../model/targets";
import { nounsOf } from "../../model/kinds";
import { api, ServerError } from "../../net/api";
import type { TableStore } from "../../table/store";
import { fine, t } from "../../text";
import type { Hint } from "../../wire";

/** Hints are for who plays against the computer alone. */
const alone = (store: TableStore): boolean => {
  const state = store.state.value;
  return Boolean(state && state.seats.every((seat) => seat.kind === "ai" || state.mine.includes(seat.side)) && state.seats.some((seat) => seat.kind === "ai"));
};

export function HintCard({ store }: { readonly store: TableStore }) {
  const found = useSignal<Hint | "working" | null>(null);
  const version = store.state.value?.version;
  useEffect(() => {
    found.value = null;
  }, [version, store.state.value?.as]);
  if (!alone(store) || !store.myTurn.value || store.replay.value || (store.state.value?.legal.length ?? 0) < 2) return null;
  const ask = async (): Promise<void> => {
    const state = store.state.peek();
    if (!state) return;
    found.value = "working";
    try {
      const hint = await api.hint(store.id, state.as);
      if (store.state.peek()?.version !== state.version) return;
      found.value = hint;
      store.announcement.value = `${t("hint.would")} ${hint.texts.join(", ")}`;
      const words = hint.orders.flatMap((order) => nounsOf(order, store.verbs.peek()).flatMap((noun) => (noun ? [noun.word] : [])));
      const places = words.flatMap((word) => store.placeOf(word) ?? spotOf({ word, kind: "hex" }, store.board.peek(), new Set())?.key ?? []);
      store.point(places);
      const first = places.find((key) => store.board.peek()?.sheet.has(key));
      if (first) store.lookAt(first);
    } catch (error) {
      found.value = null;
      if (error instanceof ServerError) store.complain(error.body);
    }
  };
  const now = found.value;
  if (now === null || now === "working") return <button type="button" class="hint-ask" disabled={now === "working"} onClick={() => void ask()}>{now === "working" ? t("hint.thinking") : t("hint.ask")}</button>;
  return (
    <section class="hint-card" aria-label={t("hint.ask")}>
      <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (found.value = null)}>×</button>
      <p>
        {fine(t("hint.would"))} <strong>{now.texts.join(`, ${t("hint.then")} `)}</strong>
      </p>
      {now.motive && <p class="hint">{fine(t("hint.why", { why: now.motive.replace(/\.$/, "") }))}</p>}
      {now.chance !== null && <p class="hint">{fine(t("hint.chance", { chance: now.chance }))}</p>}
      <button type="button" class="choice" disabled={store.pending.value} onClick={() => void store.acts(now.orders)}>{t("hint.do")}</button>
    </section>
  );
}

/** The computer thinks: that it does, and how far it is. */
export function ThinkingNow({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const thinks = state && !state.result && !store.replay.value && state.prompt.waiting.some((side) => state.seats.some((seat) => seat.side === side && seat.kind === "ai"));
  if (!thinks) return null;
  const now = store.thinking.value;
  return (
    <span class="thinking-now" role="status">
      {t("think.now")} {now && now.total > 0 ? <progress max={now.total} value={now.done} /> : <progress />}
    </span>
  );
}
