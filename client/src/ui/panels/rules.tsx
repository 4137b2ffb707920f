/** The text of a rule, in the reader's language, with its neighbours and a search; also the list of keys. */
import { useSignal } from "@preact/signals";
import type { RuleText } from "../../wire";
import { t, type Key } from "../../text";
import type { TableStore } from "../../table/store";
import { Dialog } from "../parts";

/** A rule by its id; ids of rows carry letters after the rule's own number (5.3a of rule 5.3). */
export function findRule(rules: ReadonlyMap<string, RuleText>, id: string): RuleText | undefined {
  for (let name = id; name; name = name.slice(0, -1)) {
    const found = rules.get(name);
    if (found) return found;
    if (!/[a-z]$/.test(name)) return undefined;
  }
  return undefined;
}

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
    <Dialog title={rule ? `${rule.id} ${rule.title}` : t("rule.title", { id })} onClose={close}>
      <p class="rule-text">{rule?.text ?? t("rule.none", { id })}</p>
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
