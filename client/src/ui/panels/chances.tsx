/** The chances beside a choice: the few that one decides by, the same for every choice, so that they can be compared. */
import { useEffect } from "preact/hooks";
import { compared, headlines, percent, type Headline } from "../../model/chances";
import type { Answer } from "../../table/forecast";
import type { TableStore } from "../../table/store";
import { inNumber, inPercent, t } from "../../text";
import type { Action } from "../../wire";

const LOOKED_AT = 4; // choices of one thing under the glass whose chances are asked for

/** A key of an answer in words; sentences with gaps are the terminal's. */
export function oddsName(store: TableStore, key: string): string {
  const words = store.words.value;
  const plain = (id: string): string | undefined => (words.find(id)?.includes("{") ? undefined : words.find(id));
  return plain(`odds.name-${key}`) ?? plain(`odds.why-${key}`) ?? plain(`odds.${key}`) ?? plain(`side.${key}`) ?? (/^[a-z_-]+$/.test(key) ? words.fact(key) : key);
}

/** Games that do not say otherwise count exactly. */
export const isExact = (answer: Answer): boolean => ("exact" in answer ? answer["exact"] === true : !("method" in answer) || answer["method"] === "exact");

/** Ask about what is shown, if it is not too much. */
export function useChances(store: TableStore, actions: readonly Action[]): void {
  const names = actions.map((action) => action.join(" ")).join("\n");
  useEffect(() => {
    if (actions.length && actions.length <= LOOKED_AT && !store.replay.peek()) store.weigh(actions);
  }, [names, store.state.value?.version]);
}

/** The keys that all chances told now have in common. */
function keysNow(store: TableStore): string[] {
  const lists = [...store.forecast.answers.value.values()].flatMap((answer) => (answer ? [headlines(answer)] : []));
  return compared(lists);
}

export function Chances({ store, action }: { readonly store: TableStore; readonly action: Action }) {
  const answer = store.forecast.of(action);
  if (!answer) return null;
  const found = told(headlines(answer), keysNow(store));
  return (
    <button type="button" class="chances" onClick={() => void store.askOdds(action)} title={t("act.odds")} aria-label={[t("act.odds"), store.say(action), chancesInWords(store, action)].filter(Boolean).join(": ")}>
      {found.map((head) => (
        <span key={head.key} class="chance">
          {oddsName(store, head.key)} <strong>{amount(head, answer)}</strong>
        </span>
      ))}
      {!found.length && <span class="chance">{t("act.odds")}</span>}
    </button>
  );
}

/** The chances in one line, for a card beside the pointer and for the ear. */
export function chancesInWords(store: TableStore, action: Action): string {
  const answer = store.forecast.of(action);
  if (!answer) return "";
  return told(headlines(answer), keysNow(store)).map((head) => `${oddsName(store, head.key)} ${amount(head, answer)}`).join(", ");
}

const told = (heads: readonly Headline[], keys: readonly string[]): Headline[] => keys.flatMap((key) => heads.find((head) => head.key === key) ?? []);

function amount(head: Headline, answer: Answer): string {
  const said = head.mean === undefined ? inPercent(percent(head.share)) : `−${inNumber(head.mean)}`;
  return isExact(answer) || /^[<>]/.test(said) ? said : `≈ ${said}`;
}
