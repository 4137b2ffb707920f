/** Small parts that every page uses. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findRule } from "../model/rulebook";
import type { TableStore } from "../table/store";
import { fine, t } from "../text";

/** A window over the table; Escape and the backdrop close it, focus stays inside and returns. */
export function Dialog({ title, onClose, children, wide }: { readonly title: string; readonly onClose: () => void; readonly children: ComponentChildren; readonly wide?: boolean }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog ref={box} class={wide ? "dialog wide" : "dialog"} aria-label={title} onCancel={(e) => (e.preventDefault(), onClose())} onClick={(e) => e.target === box.current && onClose()}>
      <header>
        <h2>{fine(title)}</h2>
        <button type="button" class="close" onClick={onClose} aria-label={t("rule.close")}>×</button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** A rule number that opens its text. A rulebook without numbers names its rules: told at length where there is room, else by a sign. */
export function RuleLink({ store, rule, long }: { readonly store: TableStore; readonly rule: string; readonly long?: boolean }) {
  const title = findRule(store.furniture.value?.rules, rule)?.title;
  const numbered = /^[A-Z]{0,3}\d/.test(rule);
  const name = numbered ? t("rule.title", { id: rule }) : title ? t("rule.named", { title }) : t("rule.title", { id: rule });
  return (
    <button type="button" class="rule-link" onClick={(e) => (e.stopPropagation(), (store.ruleShown.value = rule))} title={numbered && title ? fine(t("rule.titled", { name, title })) : name} aria-label={name}>
      {long ? name : numbered ? rule : "§"}
    </button>
  );
}

export function copyText(text: string): void {
  void navigator.clipboard?.writeText(text).catch(() => undefined);
}
