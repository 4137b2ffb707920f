/** How strong the players of each title are: people, and levels of the computer among them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, once, type RatingRow } from "../../net/api";
import { lang, levelName, t } from "../../text";
import { TopBar } from "../topbar";

interface Ladder {
  readonly game: string;
  readonly title: string;
  readonly rows: readonly RatingRow[];
}

export function RatingsPage() {
  const ladders = useSignal<readonly Ladder[] | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    once("games", api.games)
      .then((list) => Promise.all(list.filter((g) => g.playable).map(async (g) => ({ game: g.game, title: g.title, rows: await api.ratings(g.game) }))))
      .then((found) => (ladders.value = found.filter((ladder) => ladder.rows.length)), (error: Error) => (problem.value = error.message));
  }, [lang.value]);
  return (
    <>
      <TopBar />
      <main class="page ratings-page">
        <h1>{t("ratings.title")}</h1>
        <p class="tagline">{t("ratings.about")}</p>
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {ladders.value?.length === 0 && <p class="hint">{t("ratings.none")}</p>}
        {ladders.value?.map((ladder) => (
          <section key={ladder.game}>
            <h2>{ladder.title}</h2>
            <table>
              <thead><tr><th scope="col">{t("ratings.player")}</th><th scope="col">{t("ratings.rating")}</th><th scope="col">{t("ratings.games")}</th></tr></thead>
              <tbody>
                {ladder.rows.map((row) => (
                  <tr key={`${row.kind} ${row.name}`}>
                    <th scope="row">{row.kind === "ai" ? t("new.ai", { level: levelName(row.name) }) : row.name || "–"}</th>
                    <td>{row.rating} <small>± {2 * row.deviation}</small></td>
                    <td>{row.games}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </main>
    </>
  );
}
