/** A game of earlier rules: it can be looked at for ever, and may go on under the present ones if all agree. */
import { useSignal } from "@preact/signals";
import { api, ServerError } from "../../net/api";
import type { TableStore } from "../../table/store";
import { t } from "../../text";
import { navigate } from "../router";

export function OldRules({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const old = state?.old;
  const agreed = useSignal<readonly string[] | null>(null);
  if (!state || !old) return null;
  const said = agreed.value ?? old.agreed;
  const mine = state.mine.length > 0;
  const agree = async (): Promise<void> => {
    try {
      const answer = await api.goOn(store.id, true);
      agreed.value = answer.agreed;
      if (answer.id) navigate(`/g/${answer.id}`);
    } catch (error) {
      if (error instanceof ServerError) store.complain(error.body);
    }
  };
  return (
    <section class="old-rules" aria-label={t("old.title")}>
      <h3>{t("old.title")}</h3>
      <p>{t(old.over ? "old.over" : "old.text", { theirs: old.theirs, ours: old.ours })}</p>
      {!old.views && <p>{t("old.logOnly")}</p>}
      {said.length > 0 && !state.next_table && <p>{t("old.agreed", { who: said.map((side) => store.words.value.side(side)).join(", ") })}</p>}
      {old.can_continue && mine && !state.next_table && state.mine.some((side) => !said.includes(side)) && <button type="button" class="choice" onClick={() => void agree()}>{t("old.agree")}</button>}
      {state.next_table && <a class="button choice" href={`/g/${state.next_table}`}>{t("old.go")}</a>}
    </section>
  );
}
