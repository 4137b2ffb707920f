/** The chances beside a choice: the few that one decides by, the same for every choice, so that they can be compared. */
import { useEffect } from "preact/hooks";
import { compared, headlines, percent, weighing, withAll, withoutIt, type Headline, type Way } from "../../model/chances";
import { nounsOf } from "../../model/kinds";
import { capital } from "../../model/words";
import type { Answer } from "../../table/forecast";
import type { TableStore } from "../../table/store";
import { fine, inNumber, inPercent, t } from "../../text";
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
export function useChances(store: TableStore, actions: readonly Action[], after: readonly Action[] = []): void {
  const names = [...after, ...actions].map((action) => action.join(" ")).join("\n");
  useEffect(() => {
    if (actions.length && actions.length <= LOOKED_AT && !store.replay.peek()) store.weigh(actions, after);
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
      {answer["alone"] === true && <span class="chance alone">{t("odds.alone")}</span>}
      {found.map((head) => (
        <span key={head.key} class="chance">
          {oddsName(store, head.key)} <strong>{amount(head, answer, unitOf(store))}</strong>
        </span>
      ))}
      {!found.length && <span class="chance">{t("act.odds")}</span>}
    </button>
  );
}

/** The chances in one line, for a card beside the pointer and for the ear; `after`: what would be done before. */
export function chancesInWords(store: TableStore, action: Action, after: readonly Action[] = []): string {
  const answer = store.forecast.of(action, after);
  if (!answer) return "";
  const heads = headlines(answer);
  const said = told(heads, after.length ? compared([heads]) : keysNow(store)).map((head) => `${oddsName(store, head.key)} ${amount(head, answer, unitOf(store))}`).join(", ");
  return answer["alone"] === true && said ? `${t("odds.alone")} ${said}` : said;
}

const told = (heads: readonly Headline[], keys: readonly string[]): Headline[] => keys.flatMap((key) => heads.find((head) => head.key === key) ?? []);

/** What amounts are counted in, where the game says it. */
const unitOf = (store: TableStore): string => store.words.value.find("odds.amounts") ?? "";

function amount(head: Headline, answer: Answer, unit: string): string {
  const said = head.mean === undefined ? inPercent(percent(head.share)) : `−${inNumber(head.mean)}${unit ? ` ${unit}` : ""}`;
  return isExact(answer) || /^[<>]/.test(said) ? said : `≈ ${said}`;
}

/** How a way of deciding is called within the sentence: the game's words, else the action's. */
function wayName(store: TableStore, action: Action): string {
  const words = store.words.value;
  const told = (store.forecast.of(action)?.["alone"] === true ? words.find(`weigh.${action[0]}-alone`) : undefined) ?? words.find(`weigh.${action[0]}`);
  return told === undefined ? store.say(action) : told.replace("{noun}", store.nounName(action));
}

/** The way in which everything joins that can, where the game tells its chances. */
function allTogether(store: TableStore, verb: string | undefined): Way | null {
  const answers = [...store.forecast.answers.value].flatMap(([name, answer]) => (answer && verb !== undefined && name.startsWith(`${verb} `) ? [answer] : []));
  const heads = answers.map(withAll).find((list) => list.length);
  return heads ? { label: store.words.value.find(`weigh.${verb}-together`) ?? t("odds.together"), heads } : null;
}

/** The chances if everything joins, in one line: for the button that says so. */
export function chancesOfAll(store: TableStore, verb: string): string {
  const all = allTogether(store, verb);
  const [answer] = [...store.forecast.answers.value.values()].filter((one) => one !== null);
  return all && answer ? told(all.heads, keysNow(store)).slice(0, 2).map((head) => `${oddsName(store, head.key)} ${amount(head, answer, unitOf(store))}`).join(", ") : "";
}

/** The ways between which one decides now: what is under the glass, else every choice whose chances are known. */
function waysNow(store: TableStore): { readonly ways: Way[]; readonly rough: boolean; readonly assumes: string | undefined; readonly first: Action | undefined } {
  const selected = store.selected.value;
  const under = selected ? store.actionsOn(selected, store.choices.value) : [];
  const legal = store.state.value?.legal ?? [];
  const known = (list: readonly Action[]): Action[] => list.filter((action) => store.forecast.of(action));
  const verbs = store.verbs.value;
  const bare = (action: Action): boolean => nounsOf(action, verbs)[0].kind === "none";
  const chosen = known(under);
  const list = chosen.length ? [...known(legal.filter((action) => bare(action) && !under.includes(action))), ...chosen] : known(legal);
  const ordered = [...list.filter(bare), ...list.filter((action) => !bare(action))];
  const ways: Way[] = ordered.map((action) => ({ label: wayName(store, action), heads: headlines(store.forecast.of(action)!) }));
  const all = allTogether(store, ordered.find((action) => withAll(store.forecast.of(action)!).length)?.[0]);
  const begun = ordered.some((action) => store.forecast.of(action)!["alone"] === true); // nobody is chosen yet
  if (all) ways.splice(begun && !chosen.length ? 0 : 1, 0, all);
  const only = ordered.length === 1 ? store.forecast.of(ordered[0]!)! : null;
  const alone = only ? withoutIt(only) : [];
  if (alone.length) ways.splice(0, 1, { label: t("odds.with"), heads: ways[0]!.heads }, { label: t("odds.without"), heads: alone });
  const assumes = ordered.map((action) => store.forecast.of(action)!["assumes"]).find((one) => typeof one === "string");
  return { ways: ways.filter((way) => way.heads.length), rough: ordered.some((action) => !isExact(store.forecast.of(action)!)), assumes, first: chosen[0] ?? ordered[0] };
}

/** "The defender gives way: with air support 44 %, without 31 %." The numbers stand out. */
export function WeighedSentence({ store }: { readonly store: TableStore }) {
  if (store.replay.value || !store.myTurn.value) return null;
  const { ways, rough, assumes, first } = waysNow(store);
  const found = weighing(ways);
  if (!found) return null;
  const said = (head: Headline): string => {
    const unit = unitOf(store);
    const number = head.mean === undefined ? inPercent(percent(head.share)) : `−${inNumber(head.mean)}${unit ? ` ${unit}` : ""}`;
    return rough && !/^[<>]/.test(number) ? `≈ ${number}` : number;
  };
  const name = oddsName(store, found.key);
  const what = `${capital(found.parts[0]!.head.mean === undefined ? name : t("odds.lostBy", { side: name }))}${t("odds.colon")}`;
  return (
    <p class="weighed-sentence" aria-live="polite">
      {what}{" "}
      {found.same ? (
        <><strong>{said(found.parts[0]!.head)}</strong>{t("odds.whatever")}</>
      ) : (
        found.parts.map((part, i) => <span key={i}>{fine(part.label)} <strong>{said(part.head)}</strong>{i < found.parts.length - 1 ? ", " : "."}</span>)
      )}
      {first && <button type="button" class="rule-link why-odds" onClick={() => void store.askOdds(first)} aria-label={t("rule.titled", { name: t("odds.why"), title: store.say(first) })}>{t("odds.why")}</button>}
      {assumes && <small>{capital(t("odds.assumes", { what: oddsName(store, assumes) }))}</small>}
    </p>
  );
}
