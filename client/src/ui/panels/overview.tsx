/** What one would see at a glance, in sentences: said on arrival, and kept in the situation. */
import { useEffect } from "preact/hooks";
import { overviewOf } from "../../model/overview";
import { objectivesOf, TableBoard } from "../../model/tabletop";
import type { TableStore } from "../../table/store";
import { fine, t } from "../../text";
import { briefingOf } from "./briefing";

const LISTED = 8;
const CUT = new Set(["cut", "cut-off"]); // layers that mark units without supply

/** The sentences, most important first; none for a watcher. */
export function sentencesOf(store: TableStore): string[] {
  const [state, context, board] = [store.state.value, store.context.value, store.board.value];
  if (!state || !context || !board || !state.mine.includes(state.as)) return [];
  const skin = store.skin.value;
  const neighbours = (key: string): readonly string[] => (board instanceof TableBoard || !board.sheet.has(key) ? [] : board.sheet.neighbours(key));
  const found = overviewOf(store.stacks.value, (piece) => {
    const side = skin.sideOf(piece, context.sides);
    return side === null ? null : side === state.as;
  }, neighbours, new Set(skin.overlays(context).filter(({ key }) => CUT.has(key)).flatMap(({ hexes }) => Object.keys(hexes ?? {}))));
  const named = (keys: readonly string[]): string => keys.slice(0, LISTED).map((key) => store.nameOf(key)).join(", ") + (keys.length > LISTED ? "…" : "");
  const { goal, decides } = briefingOf(store);
  const front = found.front.slice(0, LISTED).map(([key, n]) => `${store.nameOf(key)} (${n})`).join(", ") + (found.front.length > LISTED ? "…" : "");
  const held =
    board instanceof TableBoard
      ? objectivesOf(board, context.view, context.sides).map(({ id, points, side }) => t("tabletop.objective", { name: context.words.name(id), points, side: side === undefined ? "–" : context.words.side(side) }))
      : board.placesIn(`${goal ?? ""} ${decides ?? ""}`, context.words.lang).flatMap(([name, hex]) => {
          const holder = store.holderOf(hex);
          return holder === null ? [] : [t("rule.titled", { name, title: context.words.side(holder) })];
        });
  const { choices } = store;
  const units = choices.value.pieces.size;
  const places = choices.value.hexes.size + choices.value.areas.size + choices.value.sides.size;
  const list = ([["overview.units", units], ["overview.places", places], ["overview.others", choices.value.buttons.length]] as const).flatMap(([key, n]) => (n ? [t(key, { n })] : []));
  return [
    t("overview.you", { side: context.words.side(state.as) }),
    ...(goal ? [goal] : []),
    ...(held.length ? [t("overview.wanted", { list: held.join("; ") })] : []),
    t("overview.own", { n: found.own, places: found.places }),
    ...(front ? [t("overview.front", { list: front })] : []),
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
    if (there && !store.state.peek()?.lesson && store.curtain.peek() === null) store.arrive(sentencesOf(store).join(" "));
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
