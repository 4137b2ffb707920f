/** The command box: every action can be typed, with completion. */
import { useSignal } from "@preact/signals";
import { completions } from "../../model/command";
import { t } from "../../text";
import type { TableStore } from "../../table/store";

export function CommandBox({ store }: { readonly store: TableStore }) {
  const text = useSignal("");
  const past = useSignal<readonly string[]>([]);
  const back = useSignal(0);
  const legal = store.state.value?.legal ?? [];
  const go = (event: Event): void => {
    event.preventDefault();
    const line = text.value.trim();
    if (!line) return;
    past.value = [...past.value.filter((p) => p !== line), line].slice(-30);
    back.value = 0;
    text.value = "";
    store.command(line);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "Tab" && !event.shiftKey && text.value) {
      const first = completions(text.value, legal, 1, store.speech.value)[0];
      if (first && first !== text.value) {
        event.preventDefault();
        text.value = first;
      }
    } else if (event.key === "Escape") {
      text.value = "";
      document.getElementById("board")?.focus();
    } else if (event.key === "ArrowUp" && past.value.length) {
      event.preventDefault();
      back.value = Math.min(past.value.length, back.value + 1);
      text.value = past.value[past.value.length - back.value] ?? "";
    }
    event.stopPropagation();
  };
  return (
    <form class="command" onSubmit={go}>
      <input id="command" list="command-list" value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} onKeyDown={keys} aria-label={t("command.label")} placeholder={t("command.label")} title={t("command.hint")} autocomplete="off" autocapitalize="off" spellcheck={false} />
      <datalist id="command-list">
        {completions(text.value, legal, 12, store.speech.value).map((line) => <option key={line} value={line} />)}
      </datalist>
      <button type="submit" aria-label={t("command.go")} title={t("command.go")}>↵</button>
    </form>
  );
}
