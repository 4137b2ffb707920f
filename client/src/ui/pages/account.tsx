/** Name and password, if wanted, and where to send "it is your turn". */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Me } from "../../net/api";
import { lang, t } from "../../text";

export function Account() {
  const me = useSignal<Me | null>(null);
  const [name, password] = [useSignal(""), useSignal("")];
  const [email, webhook] = [useSignal(""), useSignal("")];
  const said = useSignal("");
  const load = async (): Promise<void> => {
    me.value = await api.me();
    email.value = me.value.notices.email;
    webhook.value = me.value.notices.webhook;
  };
  useEffect(() => void load().catch(() => undefined), []);
  const run = (what: () => Promise<unknown>, done = "") => async (event?: Event): Promise<void> => {
    event?.preventDefault();
    try {
      await what();
      said.value = done || t("account.saved");
      password.value = "";
      await load();
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
  };
  if (!me.value) return null;
  return (
    <details class="account">
      <summary>{me.value.guest ? t("nav.account") : t("account.as", { name: me.value.name })}</summary>
      {me.value.guest ? (
        <form onSubmit={(e) => void run(() => api.login(name.value, password.value))(e)}>
          <p>{t("account.text")}</p>
          <label>{t("account.name")} <input value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} autocomplete="username" /></label>
          <label>{t("account.password")} <input type="password" value={password.value} onInput={(e) => (password.value = e.currentTarget.value)} autocomplete="current-password" /></label>
          <div class="menu">
            <button type="submit">{t("account.login")}</button>
            <button type="button" onClick={() => void run(() => api.account(name.value, password.value))()}>{t("account.create")}</button>
            <button type="button" class="quiet" disabled={!name.value} onClick={() => void run(() => api.forgot(name.value), t("account.forgotSent"))()}>{t("account.forgot")}</button>
          </div>
        </form>
      ) : (
        <>
          <button type="button" onClick={() => void run(() => api.logout())()}>{t("account.logout")}</button>
          <details class="leave">
            <summary>{t("account.delete")}</summary>
            <form onSubmit={(e) => void run(() => api.deleteAccount(password.value))(e)}>
              <p>{t("account.deleteText")}</p>
              <label>{t("account.password")} <input type="password" value={password.value} onInput={(e) => (password.value = e.currentTarget.value)} autocomplete="current-password" /></label>
              <button type="submit" class="danger">{t("account.deleteSure")}</button>
            </form>
          </details>
        </>
      )}
      <p><a class="button" href="/api/me/export" download="grognard-me.json">{t("account.export")}</a></p>
      <form onSubmit={(e) => void run(() => api.notices(email.value, webhook.value))(e)}>
        <p>{t("account.notices")}</p>
        <label>{t("account.email")} <input type="email" value={email.value} onInput={(e) => (email.value = e.currentTarget.value)} autocomplete="email" /></label>
        <label>{t("account.webhook")} <input type="url" value={webhook.value} onInput={(e) => (webhook.value = e.currentTarget.value)} /></label>
        <button type="submit">{t("account.save")}</button>
      </form>
      <p role="status">{said.value}</p>
      {me.value.sent.length > 0 && (
        <details class="sent">
          <summary>{t("account.sent")} ({me.value.sent.length})</summary>
          <ul>
            {me.value.sent.map((one, i) => (
              <li key={i}>
                {new Date(one.at * 1000).toLocaleString(lang.value)} · {one.how} · <a href={`/g/${one.table_id}`}>{one.table_id}</a> · {one.status}
              </li>
            ))}
          </ul>
        </details>
      )}
    </details>
  );
}
