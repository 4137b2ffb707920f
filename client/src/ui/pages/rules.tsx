/** The whole rulebook of a game, in our own words. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, once } from "../../net/api";
import { lang, t } from "../../text";
import type { RuleText } from "../../wire";
import { TopBar } from "../topbar";

const MOST = 400;

export function RulesPage({ game }: { readonly game: string }) {
  const rules = useSignal<readonly RuleText[] | null>(null);
  const search = useSignal("");
  const problem = useSignal<string | null>(null);
  const title = useSignal("");
  useEffect(() => {
    once("games", api.games).then(
      (list) => (title.value = list.find((card) => card.game === game)?.title ?? ""),
      () => undefined,
    );
    once(`rules ${game}`, () => api.rules(game)).then(
      (list) => (rules.value = list),
      (error: Error) => (problem.value = error.message),
    );
  }, [game, lang.value]);
  const word = search.value.trim().toLowerCase();
  const all = (rules.value ?? []).filter((r) => !word || `${r.id} ${r.title} ${r.text}`.toLowerCase().includes(word));
  return (
    <>
      <TopBar />
      <main class="page rules-page">
        <h1>{title.value || t("rule.all")}</h1>
        {title.value && <p class="tagline">{t("rule.all")}</p>}
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        <label>{t("rule.search")} <input type="search" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} /></label>
        <dl>
          {all.slice(0, MOST).map((r) => (
            <div key={r.id} id={`rule-${r.id}`}>
              <dt><span class="rule-id">{r.id}</span> {r.title}</dt>
              <dd>{r.text}</dd>
            </div>
          ))}
        </dl>
        {all.length > MOST && <p class="hint">… {all.length - MOST}</p>}
      </main>
    </>
  );
}
