/** The first page: the games with their pictures, a game against the computer in one click, and the tables. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, once } from "../../net/api";
import { fine, lang, t, titleOf } from "../../text";
import type { GameCard, TableCard } from "../../wire";
import { invitations, seen } from "../../table/settings";
import { MapThumb } from "../thumb";
import { navigate } from "../router";
import { TopBar } from "../topbar";
import { Account } from "./account";
import { isLesson, learn, Lessons, lessonsIn, NEWCOMERS, opens, playNow, tableShown, Welcome } from "./welcome";

export function LobbyPage() {
  const games = useSignal<readonly GameCard[] | null>(null);
  const tables = useSignal<Record<"mine" | "open" | "recent", readonly TableCard[]>>({ mine: [], open: [], recent: [] });
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    document.title = "Grognard";
    const complain = (error: unknown): void => void (problem.value = error instanceof Error ? error.message : String(error));
    once("games", api.games).then((list) => (games.value = list), complain);
    void Promise.all([api.tables("mine"), api.tables("open"), api.tables("recent")]).then(([mine, open, recent]) => {
      const own = new Set(mine.map((table) => table.id));
      tables.value = { mine, open: open.filter((x) => !own.has(x.id)), recent: recent.filter((x) => !own.has(x.id)) };
    }, complain);
  }, [lang.value]);
  const playable = (games.value ?? []).filter((g) => g.playable).sort((a, b) => Number(b.game === NEWCOMERS) - Number(a.game === NEWCOMERS)); // the smallest first
  const others = (games.value ?? []).filter((g) => !g.playable);
  const own = lessonsIn(tables.value.mine);
  const mine = tables.value.mine.filter((table) => !isLesson(table));
  return (
    <>
      <TopBar />
      <main class="page lobby">
        <Welcome games={playable} known={tables.value.mine.length > 0} />
        {problem.value && <p class="failed" role="alert">{t("app.failed", { why: problem.value })}</p>}
        {mine.length > 0 && <TableList title={t("lobby.mine")} tables={mine} games={games.value ?? []} />}
        {own.length > 0 && <Lessons tables={own} />}
        <h2>{t("lobby.games")}</h2>
        {games.value === null && !problem.value && <p class="loading">{t("app.loading")}</p>}
        <div class="cards">{playable.map((game) => <Card key={game.game} game={game} />)}</div>
        {others.length > 0 && (
          <ul class="rules-only">
            {others.map((game) => (
              <li key={game.game}>
                <a href={`/rules/${game.game}`}>{game.title}</a> <small>{t("lobby.rulesOnly")}</small>
              </li>
            ))}
          </ul>
        )}
        <TableList title={t("lobby.open")} tables={tables.value.open} games={games.value ?? []} />
        <TableList title={t("lobby.recent")} tables={tables.value.recent} games={games.value ?? []} />
        <Account />
        <ImportFile />
        <ToLab />
      </main>
    </>
  );
}

/** The name of a scenario without what its title explains. */
const shortTitle = (title: string): string => title.split(/\s*[:,(]/)[0]!;

/** Games of which the client carries a small picture, so that the first page stays light; others show their map. */
const CARDS: ReadonlySet<string> = new Set(["picket", "surrender", "bitw", "normandie", "blitzkrieg"]);

function Card({ game }: { readonly game: GameCard }) {
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const art = useSignal<readonly string[] | null>(null);
  useEffect(() => {
    if (CARDS.has(game.game)) return;
    once(`art ${game.game}`, () => api.art(game.game)).then(
      (list) => (art.value = list),
      () => (art.value = []),
    );
  }, [game.game]);
  const lesson = game.lessons?.[0];
  const go = async (open: () => Promise<void>): Promise<void> => {
    busy.value = true;
    try {
      await open();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
      busy.value = false;
    }
  };
  const picture = game.picture ?? (CARDS.has(game.game) ? `/assets/cards/${game.game}.webp` : null) ?? (art.value ? (["card.svg", "card.png", "thumb.svg", "thumb.png"].find((name) => art.value!.includes(name)) ?? null) : null);
  const of = (name: string): string => t("rule.titled", { name, title: game.title }); // heard without the card around it
  return (
    <article class="card" data-game={game.game}>
      <div class="card-picture">{picture ? <img src={picture.startsWith("/") ? picture : `/api/games/${game.game}/art/${picture}`} alt="" loading="lazy" /> : art.value && <MapThumb game={game.game} art={art.value} table={tableShown(game.game)} />}</div>
      <h3>{game.title}</h3>
      <p class="about">{fine(game.about)}</p>
      <p class="card-sides">{[...(game.sides ?? []).map((s) => s.title), t("lobby.scenarios", { n: game.scenarios?.length ?? 0 })].join(" · ")}</p>
      {problem.value && <p class="failed" role="alert">{problem.value}</p>}
      <div class="card-buttons">
        <p class="opens">{t("lobby.starts", { scenario: shortTitle(opens(game)?.title ?? ""), side: game.sides?.[0]?.title ?? "" })}</p>
        <button type="button" class="choice big" onClick={() => void go(() => playNow(game))} disabled={busy.value} aria-label={of(t("lobby.playNow"))}>{t("lobby.playNow")}</button>
        {lesson && <button type="button" class="learn" onClick={() => void go(() => learn(game.game, lesson.name))} disabled={busy.value} title={lesson.about} aria-label={of(t("learn.minutes", { minutes: lesson.minutes }))}>{t("learn.minutes", { minutes: lesson.minutes })}</button>}
        <a class="button" href={`/new?game=${game.game}`} aria-label={of(t("lobby.create"))}>{t("lobby.create")}</a>
        <a class="quiet" href={`/rules/${game.game}`} aria-label={of(t("rule.all"))}>{t("rule.all")}</a>
      </div>
    </article>
  );
}

/** Entries of the log that this browser has not shown to whoever plays here. */
function unread(table: TableCard): number {
  const known = Math.max(-1, ...table.mine.map((side) => seen.read(table.id, side)));
  return known < 0 ? 0 : Math.max(0, (table.actions ?? 0) - known);
}

function TableList({ title, tables, games }: { readonly title: string; readonly tables: readonly TableCard[]; readonly games: readonly GameCard[] }) {
  if (!tables.length) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="tables">
        {tables.map((table) => {
          const card = games.find((g) => g.game === table.game);
          const sideTitle = (name: string): string => card?.sides?.find((s) => s.name === name)?.title ?? name;
          const fresh = unread(table);
          const yours = !table.over && table.waiting.some((side) => table.mine.includes(side));
          return (
            <li key={table.id} class={yours ? "yours" : ""}>
              <a href={`/g/${table.id}`}>
                <strong>{titleOf(table)}</strong>
                <span>{[card && titleOf(table).startsWith(card.title) ? "" : (card?.title ?? table.game), table.mine.length ? t("briefing.me", { side: table.mine.map(sideTitle).join(", ") }) : ""].filter(Boolean).join(" · ")}</span>
                {(table.mark === "dice-known" || table.mark === "position-known") && <small class="mark">{t(`mark.${table.mark}`)}</small>}
                {fresh > 0 && <span class="unread">{t("lobby.unread", { n: fresh })}</span>}
                <span class="when">{table.turn ? t("lobby.turn", { turn: table.turn }) : ""}</span>
                <span class="state">{table.over ? t("lobby.over") : table.stage && !yours ? t("lobby.gathering") : yours ? t("lobby.yourTurn") : t("lobby.waiting", { who: table.waiting.map(sideTitle).join(", ") })}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The way to the laboratory, where this server has one. */
function ToLab() {
  const there = useSignal(false);
  useEffect(() => {
    once("lab there", api.hasLab).then((answer) => (there.value = answer.there), () => undefined);
  }, []);
  return (
    <p class="to-lab">
      {there.value && <a class="quiet" href="/lab">{t("lobby.lab")}</a>} <a class="quiet" href="/ratings">{t("ratings.title")}</a>
    </p>
  );
}

/** A game file is opened for oneself, or with a friend by invitation: then it goes on with fresh dice, and says so. */
function ImportFile() {
  const problem = useSignal<string | null>(null);
  const friend = useSignal(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      const text = await file.text();
      const sides = friend.value ? await sidesOf(text) : [];
      const opened = await api.importFile(text, Object.fromEntries(sides.slice(1).map((side) => [side, "invited"])));
      invitations.write(opened.id, opened.invitations);
      navigate(`/g/${opened.id}`);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <section class="import">
      <label class="button file">
        {t("lobby.import")} <input type="file" accept=".txt,.json" onChange={(e) => void open(e.currentTarget.files?.[0])} />
      </label>
      <label class="tick">
        <input type="checkbox" name="import-friend" checked={friend.value} onChange={(e) => (friend.value = e.currentTarget.checked)} /> {t("lobby.importFriend")}
      </label>
      {problem.value && <p class="failed" role="alert">{problem.value}</p>}
    </section>
  );
}

/** The sides of the game that a file is of. */
async function sidesOf(text: string): Promise<readonly string[]> {
  const game = /^game: (\S+)/m.exec(text)?.[1] ?? /"game": ?"([^"]+)"/.exec(text)?.[1];
  const card = (await once("games", api.games)).find((one) => one.game === game);
  return (card?.sides ?? []).map((side) => side.name);
}
