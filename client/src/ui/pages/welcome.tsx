/** For who comes in: what this is, what it does for one, and the shortest way to a table. */
import { useSignal } from "@preact/signals";
import { api } from "../../net/api";
import { fine, lang, t } from "../../text";
import type { GameCard, TableCard } from "../../wire";
import { navigate } from "../router";

export const NEWCOMERS = "picket";
const REASONS = ["welcome.enforced", "welcome.odds", "welcome.fog", "welcome.alone"] as const;
const LESSON = "lesson:";

/** What a card shows and opens where that is not the first scenario: the scenario, and the table of its picture. */
const OPENS: { readonly [game: string]: { readonly scenario: string; readonly table: string } } = { blitzkrieg: { scenario: "lesson", table: "stonne40" } };

/** The scenario that one click opens. */
export const opens = (game: GameCard) => game.scenarios?.find((one) => one.name === OPENS[game.game]?.scenario) ?? game.scenarios?.[0];

/** The measured table that a card shows. */
export const tableShown = (game: string): string => OPENS[game]?.table ?? "";

/** What one click opens: the scenario that the card names, the first side, a computer that weighs its moves. */
export async function playNow(game: GameCard): Promise<void> {
  const scenario = opens(game)?.name ?? "";
  const level = (game.levels ?? []).includes("greedy") ? "greedy" : (game.levels?.[0] ?? "random");
  const sides = (game.sides ?? []).length > 2 ? (await api.seats(game.game, scenario, {})).sides : (game.sides ?? []).map((side) => side.name);
  const seats = Object.fromEntries(sides.map((side, i) => [side, i === 0 ? "me" : `ai:${level}`]));
  const opened = await api.create({ game: game.game, scenario, options: {}, title: "", seats });
  navigate(`/g/${opened.id}`);
}

/** A lesson from its start. */
export async function learn(game: string, lesson: string): Promise<void> {
  navigate(`/g/${(await api.learn(game, lesson)).id}`);
}

export function Welcome({ games, known }: { readonly games: readonly GameCard[]; readonly known: boolean }) {
  const game = games.find((g) => g.game === NEWCOMERS);
  const lesson = game?.lessons?.[0];
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const go = (open: () => Promise<void>): void => {
    busy.value = true;
    void open().catch((error: Error) => {
      busy.value = false;
      problem.value = error.message;
    });
  };
  return (
    <section class={known ? "welcome known" : "welcome"}>
      {!known && (
        <figure class="welcome-picture">
          <img src={`/assets/cards/table-${lang.value}.webp`} alt="" width="760" height="475" />
          <figcaption>{fine(t("welcome.picture"))}</figcaption>
        </figure>
      )}
      <h1>Grognard</h1>
      <p class="tagline">{t("app.tagline")}</p>
      {!known && <ul class="reasons">{REASONS.map((key) => <li key={key}>{fine(t(key))}</li>)}</ul>}
      {game && (
        <div class="start-here">
          {!known && <p>{fine(t("lobby.newHere", { game: game.title }))}</p>}
          {lesson && <button type="button" class={known ? "learn" : "choice big learn"} onClick={() => go(() => learn(game.game, lesson.name))} disabled={busy.value}>{fine(t("learn.with", { game: game.title, minutes: lesson.minutes }))}</button>}
          {!known && <button type="button" class={lesson ? "big" : "choice big"} onClick={() => go(() => playNow(game))} disabled={busy.value}>{t("lobby.newGo", { game: game.title })}</button>}
        </div>
      )}
      {problem.value && <p class="failed" role="alert">{problem.value}</p>}
    </section>
  );
}

export const isLesson = (table: TableCard): boolean => table.mark?.startsWith(LESSON) ?? false;

/** Lessons begun and not finished, the latest table of each. */
export function lessonsIn(tables: readonly TableCard[]): TableCard[] {
  const latest = new Map<string, TableCard>();
  for (const table of tables) {
    const name = `${table.game} ${table.mark ?? ""}`;
    if (isLesson(table) && (table.updated ?? 0) > (latest.get(name)?.updated ?? -1)) latest.set(name, table);
  }
  return [...latest.values()].filter((table) => !table.over);
}

export function Lessons({ tables }: { readonly tables: readonly TableCard[] }) {
  return (
    <ul class="lessons-begun">
      {tables.map((table) => (
        <li key={table.id}>
          <a class="button" href={`/g/${table.id}`}>{fine(t("learn.on", { title: table.title }))}</a>
        </li>
      ))}
    </ul>
  );
}
