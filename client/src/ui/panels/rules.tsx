/** The text of a rule, in the reader's language, with its neighbours and a search; also the list of keys. */
import { useSignal } from "@preact/signals";
import { findRule } from "../../model/rulebook";
import type { RuleText } from "../../wire";
import { fine, t, type Key } from "../../text";
import type { TableStore } from "../../table/store";
import { Dialog } from "../parts";

const KEYS: readonly Key[] = ["help.arrows", "help.enter", "help.next", "help.zoom", "help.undo", "help.command", "help.escape", "help.tabs", "help.replay"];

export function RuleDialog({ store }: { readonly store: TableStore }) {
  const id = store.ruleShown.value;
  const search = useSignal("");
  if (id === null) return null;
  const close = (): void => {
    store.ruleShown.value = null;
  };
  if (id === "?keys")
    return (
      <Dialog title={t("help.title")} onClose={close}>
        <ul class="keys">{KEYS.map((key) => <li key={key}>{t(key)}</li>)}</ul>
        <p class="hint">{t("command.hint")}</p>
      </Dialog>
    );
  const rules = store.furniture.value?.rules ?? new Map<string, RuleText>();
  const rule = findRule(rules, id);
  const word = search.value.trim().toLowerCase();
  const found = word ? [...rules.values()].filter((r) => `${r.id} ${r.title} ${r.text}`.toLowerCase().includes(word)).slice(0, 30) : [];
  return (
    <Dialog title={rule ? (/^[A-Z]{0,3}\d/.test(rule.id) ? `${rule.id} ${rule.title}` : rule.title) : t("rule.title", { id })} onClose={close}>
      <p class="rule-text">{rule ? fine(rule.text) : t("rule.none", { id })}</p>
      <label class="rule-search">
        {t("rule.search")} <input type="search" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} />
      </label>
      <ul class="rule-found">
        {found.map((r) => (
          <li key={r.id}>
            <button type="button" onClick={() => ((store.ruleShown.value = r.id), (search.value = ""))}>{r.id} {r.title}</button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
