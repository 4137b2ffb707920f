/** The text of a rule, in the reader's language, with its neighbours and a search; also the list of keys. */
import { useSignal } from "@preact/signals";
import { findRule, withLinks } from "../../model/rulebook";
import type { RuleText } from "../../wire";
import { fine, t, type Key } from "../../text";
import { en } from "../../text/en";
import type { TableStore } from "../../table/store";
import { CaseFigure, useGallery } from "../figure";
import { Dialog } from "../parts";

const KEYS: readonly Key[] = ["help.arrows", "help.enter", "help.next", "help.list", "help.zoom", "help.undo", "help.command", "help.escape", "help.tabs", "help.replay"];

const MOUSE: readonly Key[] = ["help.look", "help.rest", "help.why", "help.goal"];

/** In which game a rule is played: always, in a tier of the rules, or by a switch. */
export function TierMark({ rule }: { readonly rule: RuleText }) {
  const tier = `tier.${rule.tier ?? "core"}`;
  return (
    <>
      {tier in en && rule.tier !== "core" && <span class="tier">{t(tier as Key)}</span>}
      {rule.switch && <span class="tier switch" title={t("book.switch")}>{fine(t("book.switched", { option: rule.switch }))}</span>}
    </>
  );
}

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
        <p class="menu">
          <a class="button" href={`/rules/${store.card.value?.game ?? ""}`} target="_blank">{t("help.book")}</a>
        </p>
        <ul class="keys">{MOUSE.map((key) => <li key={key}>{t(key)}</li>)}</ul>
        <h3>{t("help.keys")}</h3>
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
      {rule && (
        <p class="rule-where">
          {rule.chapter && <span>{fine(rule.chapter)}</span>} <TierMark rule={rule} />
        </p>
      )}
      <p class="rule-text">{rule ? withLinks(rule.text, rules, rule.id).map((part) => (typeof part === "string" ? fine(part) : <button key={part.id} type="button" class="rule-link" title={part.title} onClick={() => (store.ruleShown.value = part.id)}>{part.id}</button>)) : t("rule.none", { id })}</p>
      {rule && <Pictures game={store.card.value?.game ?? ""} rule={rule.id} />}
      {rule && <p><a class="button" href={`/rules/${store.card.value?.game ?? ""}#${encodeURIComponent(rule.id)}`} target="_blank">{t("book.open")}</a></p>}
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

/** The pictures that stand under a rule. */
function Pictures({ game, rule }: { readonly game: string; readonly rule: string }) {
  const gallery = useGallery(game);
  if (!gallery) return null;
  return <>{gallery.figures.filter((figure) => figure.rules.includes(rule)).map((figure) => <CaseFigure key={figure.name} figure={figure} gallery={gallery} />)}</>;
}
