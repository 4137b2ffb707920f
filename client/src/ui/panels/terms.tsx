/** The terms of a table, as its owner sets them: who finds it, who watches, who reads the talk. */
import { useSignal } from "@preact/signals";
import { api, ServerError } from "../../net/api";
import type { TableStore } from "../../table/store";
import { t } from "../../text";
import type { Terms } from "../../wire";

export const PATIENCE: readonly (readonly [seconds: number, key: "terms.tenMinutes" | "terms.hour" | "terms.day" | "terms.week"])[] = [
  [600, "terms.tenMinutes"],
  [3600, "terms.hour"],
  [86_400, "terms.day"],
  [604_800, "terms.week"],
];

/** The fields themselves, for a new table and for one that is open. */
export function TermsFields({ terms, onChange }: { readonly terms: Terms; readonly onChange: (change: Partial<Terms>) => void }) {
  return (
    <>
      <label class="tick">
        <input type="checkbox" name="listed" checked={terms.listed} onChange={(e) => onChange({ listed: e.currentTarget.checked })} /> {t("terms.listed")}
      </label>
      <label>
        {t("terms.watchers")}
        <select name="watchers" value={terms.watchers} onChange={(e) => onChange({ watchers: e.currentTarget.value as Terms["watchers"] })}>
          <option value="anyone">{t("terms.anyone")}</option>
          <option value="nobody">{t("terms.nobody")}</option>
        </select>
      </label>
      {terms.watchers === "anyone" && (
        <label>{t("terms.delay")} <input type="number" name="delay" min={0} max={500} value={terms.delay} onChange={(e) => onChange({ delay: Math.max(0, Math.min(500, Math.floor(Number(e.currentTarget.value) || 0))) })} /></label>
      )}
      <label class="tick">
        <input type="checkbox" name="chat" checked={terms.chat === "all"} onChange={(e) => onChange({ chat: e.currentTarget.checked ? "all" : "players" })} /> {t("terms.chat")}
      </label>
      <label>
        {t("terms.patience")}
        <select name="patience" value={String(terms.patience)} onChange={(e) => onChange({ patience: Number(e.currentTarget.value) })}>
          {PATIENCE.map(([seconds, key]) => <option key={key} value={String(seconds)}>{t(key)}</option>)}
        </select>
      </label>
    </>
  );
}

export function TermsForm({ store }: { readonly store: TableStore }) {
  const terms = store.state.value?.terms;
  const said = useSignal("");
  if (!terms) return null;
  const change = async (wish: Partial<Terms>): Promise<void> => {
    try {
      await api.terms(store.id, wish);
      said.value = t("account.saved");
    } catch (error) {
      if (error instanceof ServerError) store.complain(error.body);
    }
  };
  return (
    <details class="terms">
      <summary>{t("terms.title")}</summary>
      <TermsFields terms={terms} onChange={(wish) => void change(wish)} />
      <p role="status">{said.value}</p>
    </details>
  );
}
