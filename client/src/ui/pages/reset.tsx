/** A new password, by the secret in the fragment of a letter's link. */
import { useSignal } from "@preact/signals";
import { api } from "../../net/api";
import { t } from "../../text";
import { TopBar } from "../topbar";

export function ResetPage() {
  const token = location.hash.slice(1);
  const password = useSignal("");
  const [said, done] = [useSignal(""), useSignal(false)];
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await api.resetPassword(token, password.value);
      done.value = true;
      said.value = t("account.resetDone");
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <>
      <TopBar />
      <main class="page">
        <h1>{t("account.resetTitle")}</h1>
        {!done.value && (
          <form onSubmit={(e) => void save(e)}>
            <label>{t("account.password")} <input type="password" minLength={8} required value={password.value} onInput={(e) => (password.value = e.currentTarget.value)} autocomplete="new-password" /></label>
            <button type="submit" class="choice">{t("account.save")}</button>
          </form>
        )}
        <p role="status">{said.value}</p>
        <a class="button" href="/">{t("nav.lobby")}</a>
      </main>
    </>
  );
}
