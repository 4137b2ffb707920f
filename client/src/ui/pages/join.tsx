/** Taking a seat by a secret link: the secret is in the fragment, so that it reaches no log; the page posts it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, once, type Invitation } from "../../net/api";
import { fine, lang, t, titleOf } from "../../text";
import type { GameCard } from "../../wire";
import { scenarioTitle } from "../../model/options";
import { navigate } from "../router";
import { TopBar } from "../topbar";
import { OptionsChosen } from "./options";

export function JoinPage() {
  const token = location.hash.slice(1);
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
  const invited = useSignal<Invitation | null>(null);
  const game = useSignal<GameCard | null>(null);
  useEffect(() => {
    if (!token) return;
    api.invitation(token).then(
      async (found) => {
        invited.value = found;
        game.value = (await once("games", api.games)).find((g) => g.game === found.game) ?? null;
      },
      (error: Error) => (problem.value = error.message),
    );
  }, [token, lang.value]);
  const sit = async (): Promise<void> => {
    busy.value = true;
    try {
      const { id } = await api.join(token);
      navigate(`/g/${id}`, true);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
      busy.value = false;
    }
  };
  return (
    <>
      <TopBar />
      <main class="page join">
        <h1>{t("join.title")}</h1>
        {invited.value && game.value && <About invited={invited.value} game={game.value} />}
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {token ? <button type="button" class="choice big" onClick={() => void sit()} disabled={busy.value}>{busy.value ? t("join.working") : t("join.go")}</button> : <p>{t("join.missing")}</p>}
      </main>
    </>
  );
}

/** What one is asked to: which game, which side, by whom. */
function About({ invited, game }: { readonly invited: Invitation; readonly game: GameCard }) {
  const found = game.scenarios?.find((s) => s.name === invited.scenario);
  const scenario = found ? scenarioTitle(found) : invited.scenario;
  const typed = !Object.keys(invited.titles ?? {}).length; // a title that nobody typed says game and scenario again
  const side = game.sides?.find((s) => s.name === invited.side)?.title ?? invited.side;
  return (
    <section class="invited">
      <h2>{fine(t("join.of", { game: game.title, scenario }))}</h2>
      {invited.title && typed && <p class="tagline">{titleOf(invited)}</p>}
      <p>{invited.host ? fine(t("join.host", { host: invited.host })) : t("join.guest")}</p>
      <p><strong>{fine(t("join.side", { side }))}</strong></p>
      {(invited.mark === "dice-known" || invited.mark === "position-known") && <p class="mark" role="note">{t(`mark.${invited.mark}`)}</p>}
      <p>{fine(found?.about ?? game.about)}</p>
      <OptionsChosen card={game} scenario={invited.scenario} options={invited.options ?? {}} />
    </section>
  );
}
