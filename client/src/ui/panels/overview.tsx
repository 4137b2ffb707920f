/** What one would see at a glance, in sentences: said on arrival, and kept in the situation. */
import { useEffect } from "preact/hooks";
import { overviewOf } from "../../model/overview";
import { TableBoard } from "../../model/tabletop";
import type { TableStore } from "../../table/store";
import { fine, t } from "../../text";
import { briefingOf } from "./briefing";

const LISTED = 8;

/** The sentences, most important first; none for a watcher. */
export function sentencesOf(store: TableStore): string[] {
  const [state, context, board] = [store.state.value, store.context.value, store.board.value];
  if (!state || !context || !board || !state.mine.includes(state.as)) return [];
  const skin = store.skin.value;
  const neighbours = (key: string): readonly string[] => (board instanceof TableBoard || !board.sheet.has(key) ? [] : board.sheet.neighbours(key));
  const found = overviewOf(store.stacks.value, (piece) => {
    const side = skin.sideOf(piece, context.sides);
    return side === null ? null : side === state.as;
  }, neighbours);
  const named = (keys: readonly string[]): string => keys.slice(0, LISTED).map((key) => store.nameOf(key)).join(", ") + (keys.length > LISTED ? "…" : "");
  const { goal } = briefingOf(store);
  const { choices } = store;
  const units = choices.value.pieces.size;
  const places = choices.value.hexes.size + choices.value.areas.size + choices.value.sides.size;
  const list = ([["overview.units", units], ["overview.places", places], ["overview.others", choices.value.buttons.length]] as const).flatMap(([key, n]) => (n ? [t(key, { n })] : []));
  return [
    t("overview.you", { side: context.words.side(state.as) }),
    ...(goal ? [goal] : []),
    t("overview.own", { n: found.own, places: found.places }),
    found.near.length ? t("overview.near", { n: found.enemies, near: named(found.near) }) : t("overview.far", { n: found.enemies }),
    ...(found.hungry.length ? [t("overview.hungry", { units: named(found.hungry) })] : []),
    state.prompt.text,
    ...(state.legal.length ? [t("overview.choices", { list: list.join(", ") })] : []),
  ].map(fine);
}

/** Says the situation once, when one sits down; a lesson has its coach. */
export function Arrival({ store }: { readonly store: TableStore }) {
  const there = store.state.value !== null && store.context.value !== null;
  const as = store.state.value?.as;
  useEffect(() => {
    if (there && !store.state.peek()?.lesson && store.curtain.peek() === null) store.announcement.value = sentencesOf(store).join(" ");
  }, [there, as]);
  return null;
}

export function Overview({ store }: { readonly store: TableStore }) {
  const sentences = sentencesOf(store);
  if (!sentences.length || store.replay.value) return null;
  return (
    <section class="overview" aria-label={t("overview.title")}>
      <h3>{t("overview.title")}</h3>
      <ul>{sentences.map((one) => <li key={one}>{one}</li>)}</ul>
    </section>
  );
}
