/** Taking a seat by a secret link: the secret is in the fragment, so that it reaches no log; the page posts it. */
import { useSignal } from "@preact/signals";
import { api } from "../../net/api";
import { t } from "../../text";
import { navigate } from "../router";
import { TopBar } from "../topbar";

export function JoinPage() {
  const token = location.hash.slice(1);
  const busy = useSignal(false);
  const problem = useSignal<string | null>(null);
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
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {token ? <button type="button" class="choice big" onClick={() => void sit()} disabled={busy.value}>{busy.value ? t("join.working") : t("join.go")}</button> : <p>{t("join.missing")}</p>}
      </main>
    </>
  );
}
