/** Actions as buttons, each with its chances; where there are many, a list that can be searched. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { nounsOf, pointedKind } from "../../model/kinds";
import { spotOf } from "../../model/targets";
import { t } from "../../text";
import { IN_BATTLE, WEIGHED } from "../../table/forecast";
import type { TableStore } from "../../table/store";
import type { Action } from "../../wire";
import { Chances, chancesInWords, chancesOfAll, useChances } from "./chances";

const MANY = 8; // more buttons of one verb than this become a list
const NUMBERS = 24; // unless they are numbers, which are short and in order
const MOST_LISTED = 400;
const MOST_CLOSED = 40; // of a list that nobody has opened: the rest would only cost time at every click

interface Props {
  readonly store: TableStore;
  readonly actions: readonly Action[];
}

const byVerb = (actions: readonly Action[]): [string, Action[]][] => {
  const groups = new Map<string, Action[]>();
  for (const action of actions) groups.set(action[0], [...(groups.get(action[0]) ?? []), action]);
  return [...groups];
};

/** Actions that name nothing on the board; one group a verb when there are many. */
export function Buttons({ store, actions }: Props) {
  return (
    <div class="buttons" role="group" aria-label={t("act.title")}>
      {byVerb(actions).map(([verb, list]) =>
        list.length > (pointedKind(verb, store.verbs.value) === "number" ? NUMBERS : MANY) ? (
          <SearchList key={verb} store={store} title={store.words.value.verb(verb)} actions={list} />
        ) : (
          <div key={verb} class="button-group">
            {list.length > 2 && <span class="group-title">{store.words.value.verb(verb)}</span>}
            {list.map((action) => (
              <span key={action[1]} class={store.forecast.of(action) ? "action weighed" : "action"}>
                <button type="button" class={list.length > 2 ? "choice short" : "choice"} disabled={store.pending.value} onClick={() => void store.act(action)} title={store.say(action)} aria-label={[store.say(action), leftOf(store, action)].filter(Boolean).join(", ")} data-action={action.join(" ").trim()}>
                  {list.length > 2 ? store.nounName(action) || store.words.value.verb(verb) : store.say(action)}
                  {leftOf(store, action) && <small class="left">{leftOf(store, action)}</small>}
                </button>
                <Chances store={store} action={action} />
              </span>
            ))}
          </div>
        ),
      )}
    </div>
  );
}

/** "All join (9)": the game's words, else the verb's heading. */
const allOf = (store: TableStore, verb: string, n: number): string => store.words.value.find(`all.${verb}`)?.replace("{n}", String(n)) ?? t("act.allOf", { verb: store.words.value.verb(verb).replace(/\s*…$/, ""), n });

/** What can be said once for all. */
export function Batches({ store }: { readonly store: TableStore }) {
  const found = store.batches.value;
  if (!found.length || store.replay.value) return null;
  return (
    <div class="batches" role="group" aria-label={t("act.title")}>
      {found.map(({ action, again, n, place }) => (
        <button key={`${action[0]} ${n} ${place?.[1]}`} type="button" class="batch" disabled={store.pending.value} onClick={() => void store.acts(place ? [action, place] : [action], again)} data-batch={[action[0], ...(place ? [place[1]] : [])].join(" ")}>
          {place ? store.words.value.find(`all-at.${action[0]}`)?.replace("{place}", store.nameOf(place[1])) : again === "same" ? t(n ? "act.asOften" : "act.theRest", { action: store.say(action) }) : allOf(store, action[0], n)}
          {again === "each" && chancesOfAll(store, action[0]) && <small>{chancesOfAll(store, action[0])}</small>}
        </button>
      ))}
    </div>
  );
}

/** Choices on the map on which dice hang, and those of a battle, few enough to compare: they stand here too, with their chances. */
export function Weighed({ store }: { readonly store: TableStore }) {
  const { choices, selected, replay } = store;
  if (replay.value || !store.myTurn.value) return null;
  const buttons = new Set<Action>(choices.value.buttons);
  const under = new Set<Action>(selected.value ? store.actionsOn(selected.value, choices.value) : []);
  const fight = store.battle.value !== null;
  const few = byVerb(store.state.value?.legal ?? []).flatMap(([, list]) => (list.length <= (fight ? IN_BATTLE : WEIGHED) ? list : []));
  const weighed = few.filter((action) => !buttons.has(action) && !under.has(action) && (fight || store.forecast.of(action)));
  return weighed.length ? <ActionButtons store={store} actions={weighed} /> : null;
}

/**
 * What can be done with some units only, beside what one does here with most of them (headquarters are activated, corps land): it glows
 * like the rest, so nobody would know of it who does not happen to click on one of them.
 */
export function OtherVerbs({ store }: { readonly store: TableStore }) {
  if (store.replay.value || !store.myTurn.value || store.battle.value) return null;
  const groups = byVerb(store.state.value?.legal ?? []).filter(([verb]) => store.verbs.value[verb] === "unit");
  const most = Math.max(...groups.map(([, list]) => list.length));
  const others = groups.filter(([, list]) => list.length < most);
  if (!others.length) return null;
  return (
    <div class="other-verbs" role="group" aria-label={t("act.also")}>
      <span class="group-title">{t("act.also")}</span>
      {others.map(([verb, list]) => (
        <details key={verb} data-verb={verb} onMouseEnter={() => list.forEach((action) => pointAt(store, action, true))} onMouseLeave={() => store.point([])}>
          <summary>{store.words.value.verb(verb).replace(/\s*[…:]+$/, "")} <small>({list.length})</small></summary>
          {list.length > MANY ? (
            <SearchList store={store} title={store.words.value.verb(verb)} actions={list} />
          ) : (
            <div class="button-group">
              {list.map((action) => (
                <button key={action[1]} type="button" class="choice short" disabled={store.pending.value} onClick={() => void store.act(action)} aria-label={store.say(action)} title={whoIs(store, action)} data-action={action.join(" ")} onMouseEnter={() => pointAt(store, action)} onFocus={() => pointAt(store, action)} onBlur={() => store.point([])}>
                  {store.nounName(action)}
                </button>
              ))}
            </div>
          )}
        </details>
      ))}
    </div>
  );
}

/** The piece that an action names, as its card describes it: it may lie out of sight. */
function whoIs(store: TableStore, [, target]: Action): string | undefined {
  const [context, piece] = [store.context.value, store.byId.value.get(target)];
  return context && piece ? store.skin.value.describe(piece, context) : undefined;
}

/** What can be done with the thing under the glass. */
export function ActionButtons({ store, actions }: Props) {
  useChances(store, actions);
  const heard = actions.slice(0, 3).map((action) => chancesInWords(store, action) && `${store.say(action)}: ${chancesInWords(store, action)}`).filter(Boolean).join(". ");
  useEffect(() => {
    if (heard && document.activeElement?.id === "board") store.announcement.value = heard; // who walks over the board by keys hears them
  }, [heard]);
  if (!actions.length) return null;
  if (actions.length > MANY) {
    const verbs = new Set(actions.map(([verb]) => verb));
    return <SearchList store={store} title={verbs.size > 1 ? t("act.onTheMap") : store.words.value.verb(actions[0]![0])} actions={actions} whole />;
  }
  return (
    <div class="action-row">
      {actions.map((action) => (
        <span key={action.join(" ")} class={store.forecast.of(action) ? "action weighed" : "action"}>
          <button type="button" class="choice" disabled={store.pending.value} onClick={() => void store.act(action)} data-action={action.join(" ").trim()}>
            {store.say(action)}
          </button>
          <Chances store={store} action={action} />
        </span>
      ))}
    </div>
  );
}

/** Letters without their accents: who types "evreux" means Évreux. */
const plain = (text: string): string => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

/** A long list, narrowed by typing; what a choice costs and its chances stand beside it once they are known. */
function SearchList({ store, title, actions, whole }: Props & { readonly title: string; readonly whole?: boolean }) {
  const search = useSignal("");
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const named = actions.map((action) => [action, whole ? store.say(action) : store.nounName(action)] as const);
  const found = named.filter(([action, name]) => words.every((word) => plain(`${name} ${action[1]}`).includes(word)));
  return (
    <div class="search-list" onKeyDown={walk}>
      <label>
        <span class="group-title">{title} <small>({actions.length})</small></span>
        <input type="search" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} placeholder={t("act.search")} aria-label={`${title}: ${t("act.search")}`} />
      </label>
      <ul tabIndex={-1}>
        {found.slice(0, MOST_LISTED).map(([action, name]) => (
          <li key={action.join(" ")}>
            <button type="button" class="choice row" disabled={store.pending.value} onClick={() => void store.act(action)} aria-label={[store.say(action), ...asides(store, action)].join(", ")} data-action={action.join(" ").trim()} onMouseEnter={() => (pointAt(store, action), store.weigh([action]))} onMouseLeave={() => store.point([])} onFocus={() => (pointAt(store, action), store.weigh([action]))} onBlur={() => store.point([])}>
              {name} {asides(store, action).map((aside) => <small key={aside}>{aside}</small>)}
            </button>
          </li>
        ))}
        {!found.length && <li class="hint">{t("act.notFound")}</li>}
      </ul>
    </div>
  );
}

export function AllActions({ store, actions: legal }: Props) {
  const open = useSignal(false);
  return (
    <details class="all-actions" onKeyDown={walk} onToggle={(e) => (open.value = e.currentTarget.open)}>
      <summary>{t("act.all", { n: legal.length })}</summary>
      {byVerb(legal.slice(0, open.value ? MOST_LISTED : MOST_CLOSED)).map(([verb, list]) => (
        <div key={verb}>
          <h4>{store.words.value.verb(verb)}</h4>
          <ul>
            {list.map((action) => (
              <li key={action[1]}>
                <button type="button" disabled={store.pending.value} onClick={() => void store.act(action)} aria-label={[store.say(action), ...asides(store, action)].join(", ")} data-listed={action.join(" ").trim()} onMouseEnter={() => pointAt(store, action)} onMouseLeave={() => store.point([])} onFocus={() => (pointAt(store, action), store.weigh([action]))} onBlur={() => store.point([])}>
                  {action[1] ? store.nounName(action) : store.say(action)} {asides(store, action).map((aside) => <small key={aside}>{aside}</small>)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}

/** Up and down go from one choice of a list to the next, Home and End to its ends: a long list is not walked with Tab. */
function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  const typing = (event.target as HTMLElement).tagName === "INPUT";
  if (step === undefined || (typing && event.key !== "ArrowDown")) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("li button")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  event.preventDefault();
}

/** How many of a thing are left that an action uses up, where the game tells it. */
function leftOf(store: TableStore, [verb, target]: Action): string {
  const left = (store.context.value?.view["left"] as { readonly [verb: string]: { readonly [target: string]: number } } | undefined)?.[verb]?.[target];
  return left === undefined ? "" : t(left === 1 ? "act.leftOne" : "act.left", { n: left });
}

/** What an action costs, and its chances once they are asked for. */
function asides(store: TableStore, action: Action): string[] {
  const reach = store.reach.value;
  const cost = (reach?.hexes ?? reach?.points)?.[action[1].split("/")[0]!];
  const chances = chancesInWords(store, action);
  return [...(leftOf(store, action) ? [leftOf(store, action)] : []), ...(cost === undefined || cost === "" ? [] : [t("hover.cost", { cost })]), ...(chances ? [chances] : [])];
}

/** Show on the map what an action points at. */
function pointAt(store: TableStore, action: Action, more = false): void {
  const spots = nounsOf(action, store.verbs.peek()).flatMap((noun) => (noun ? (spotOf(noun, store.board.peek(), new Set(store.byId.peek().keys())) ?? []) : []));
  const found = spots.flatMap((spot) => (spot.kind === "piece" ? (store.placeOf(spot.key) ?? []) : spot.key));
  store.point(more ? [...store.pointed.peek(), ...found] : found);
}
