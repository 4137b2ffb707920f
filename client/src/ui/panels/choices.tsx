/** What can be done now: buttons for what is not on the board, the thing under the glass, and every choice as a list. */
import type { Action } from "../../wire";
import { factsOf } from "../../skins/generic";
import { handOf } from "../../model/happenings";
import { nounsOf } from "../../model/kinds";
import { spotOf, whereIs } from "../../model/targets";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import { quick } from "../../table/settings";
import { PieceFace } from "../board/piece";
import { BattlePanel } from "./battle";
import { OddsPanel } from "./odds";
import { RuleLink } from "../parts";

const MOST_LISTED = 400;

export function ChoicesPanel({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const choices = store.choices.value;
  const legal = state && !store.replay.value ? state.legal : [];
  const loose = [...choices.pieces].filter(([id]) => whereIs(store.byId.value.get(id)!) === null).flatMap(([, acts]) => acts);
  const buttons = [...choices.buttons, ...loose];
  const held = state && !store.replay.value && handOf(state.view, store.byId.value); // the battle it came from can wait
  return (
    <div class="choices">
      {!held && <BattlePanel store={store} />}
      <InHand store={store} />
      {buttons.length > 0 && <Buttons store={store} actions={buttons} />}
      <Glass store={store} />
      <OddsPanel store={store} />
      {held && <BattlePanel store={store} />}
      {!legal.length && !store.selected.value && <p class="hint empty">{t("inspect.none")}</p>}
      {legal.length > 0 && (
        <>
          <p class="hint">{t("act.hint")}</p>
          <label class="quick">
            <input type="checkbox" checked={quick.value === "on"} onChange={(e) => (quick.value = e.currentTarget.checked ? "on" : "off")} /> {t("act.quick")}
          </label>
          <AllActions store={store} legal={legal} />
        </>
      )}
    </div>
  );
}

export function Trouble({ store }: { readonly store: TableStore }) {
  const trouble = store.trouble.value;
  if (!trouble) return null;
  return (
    <div class="trouble" role="alert">
      <strong>{trouble.title}</strong>
      <p>
        {fine(trouble.rule ? trouble.message.replace(` (${trouble.rule})`, "") : trouble.message)} {trouble.rule && <RuleLink store={store} rule={trouble.rule} long />}
      </p>
      <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (store.trouble.value = null)}>×</button>
    </div>
  );
}

/** What the decision is about: the piece or the stack that has been picked up, and what it has left. */
function InHand({ store }: { readonly store: TableStore }) {
  const context = store.context.value;
  const found = context && handOf(context.view, store.byId.value);
  if (!context || !found || store.replay.value) return null;
  const where = whereIs(found.pieces[0]!);
  return (
    <section class="hand" aria-label={t("hand.title")}>
      <h3>
        {t("hand.title")}
        {where !== null && <button type="button" class="plain where-button" onClick={() => store.lookAt(store.board.value?.spot(where)?.key ?? where)}>{store.nameOf(where)}</button>}
      </h3>
      <ul class="stack">
        {found.pieces.slice(0, 6).map((piece) => (
          <li key={piece.id}>
            <svg width="52" height="54" aria-hidden="true">
              <PieceFace face={store.skin.value.face(piece, context)} x={25} y={26} size={46} />
            </svg>
            <div>
              <span class="piece-name">{store.skin.value.describe(piece, context)}</span>
              <dl class="facts">
                {found.facts.map(([key, value]) => (
                  <div key={key}>
                    <dt>{context.words.fact(key)}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </div>
          </li>
        ))}
      </ul>
      {found.pieces.length > 6 && <p class="hint">+{found.pieces.length - 6}</p>}
    </section>
  );
}

/** Actions that name nothing on the board; one group a verb when there are many. */
function Buttons({ store, actions }: { readonly store: TableStore; readonly actions: readonly Action[] }) {
  const groups = new Map<string, Action[]>();
  for (const action of actions) groups.set(action[0], [...(groups.get(action[0]) ?? []), action]);
  return (
    <div class="buttons" role="group" aria-label={t("act.title")}>
      {[...groups].map(([verb, list]) => (
        <div key={verb} class="button-group">
          {list.length > 2 && <span class="group-title">{store.words.value.verb(verb)}</span>}
          {list.slice(0, 60).map((action) => (
            <button key={action[1]} type="button" class={list.length > 2 ? "choice short" : "choice"} disabled={store.pending.value} onClick={() => void store.act(action)} title={store.say(action)} aria-label={store.say(action)} data-action={action.join(" ").trim()}>
              {list.length > 2 ? store.nounName(action) || store.words.value.verb(verb) : store.say(action)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The hex, box or piece that was clicked: what it is and what can be done with it. */
function Glass({ store }: { readonly store: TableStore }) {
  const spot = store.selected.value;
  const [context, board] = [store.context.value, store.board.value];
  if (!spot || !context || !board) return null;
  const key = spot.kind === "piece" ? store.placeOf(spot.key) : spot.key;
  const stack = spot.kind === "piece" ? [store.byId.value.get(spot.key)].filter((p) => p !== undefined) : (store.stacks.value.get(spot.key) ?? []);
  const own = spot.kind === "side" ? (store.choices.value.sides.get(spot.key) ?? []) : key === null ? [] : (store.choices.value.hexes.get(key) ?? store.choices.value.areas.get(key) ?? []);
  return (
    <div class="glass">
      <h3>{key !== null && board.sheet.has(key) ? board.describe(key, context.words) : spot.kind === "side" ? spot.key : store.nameOf(key ?? spot.key)}</h3>
      {store.ways.value.length > 0 && <p class="ways-hint">{t("act.ways")}</p>}
      <ActionButtons store={store} actions={own} />
      <ul class="stack">
        {stack.map((piece) => (
          <li key={piece.id}>
            <svg width="44" height="46" aria-hidden="true">
              <PieceFace face={store.skin.value.face(piece, context)} x={21} y={22} size={38} />
            </svg>
            <div>
              <span class="piece-name">{store.skin.value.describe(piece, context)}</span>
              {stack.length <= 2 && (
                <dl class="facts">
                  {(piece.known === false ? [] : factsOf(piece, context)).map((fact) => (
                    <div key={fact.label}>
                      <dt>{fact.label}</dt>
                      <dd>{fact.value}</dd>
                    </div>
                  ))}
                </dl>
              )}
              <ActionButtons store={store} actions={store.choices.value.pieces.get(piece.id) ?? []} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ActionButtons({ store, actions }: { readonly store: TableStore; readonly actions: readonly Action[] }) {
  if (!actions.length) return null;
  return (
    <div class="action-row">
      {actions.slice(0, 40).map((action) => (
        <span key={action.join(" ")} class="action-pair">
          <button type="button" class="choice" disabled={store.pending.value} onClick={() => void store.act(action)} data-action={action.join(" ").trim()}>
            {store.say(action)}
          </button>
          {!store.diceless.value.has(action[0]) && <button type="button" class="odds-button" onClick={() => void store.askOdds(action)} aria-label={`${t("act.odds")}: ${store.say(action)}`} title={t("act.odds")}>%</button>}
        </span>
      ))}
    </div>
  );
}

function AllActions({ store, legal }: { readonly store: TableStore; readonly legal: readonly Action[] }) {
  const groups = new Map<string, Action[]>();
  for (const action of legal.slice(0, MOST_LISTED)) groups.set(action[0], [...(groups.get(action[0]) ?? []), action]);
  return (
    <details class="all-actions">
      <summary>{t("act.all", { n: legal.length })}</summary>
      {[...groups].map(([verb, list]) => (
        <div key={verb}>
          <h4>{store.words.value.verb(verb)}</h4>
          <ul>
            {list.map((action) => (
              <li key={action[1]}>
                <button type="button" disabled={store.pending.value} onClick={() => void store.act(action)} onMouseEnter={() => pointAt(store, action)} onMouseLeave={() => store.point([])} onFocus={() => pointAt(store, action)} onBlur={() => store.point([])}>
                  {action[1] ? store.nounName(action) : store.say(action)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}

/** Show on the map what an action points at. */
function pointAt(store: TableStore, action: Action): void {
  const spots = nounsOf(action, store.verbs.peek()).flatMap((noun) => (noun ? (spotOf(noun, store.board.peek(), new Set(store.byId.peek().keys())) ?? []) : []));
  store.point(spots.flatMap((spot) => (spot.kind === "piece" ? (store.placeOf(spot.key) ?? []) : spot.key)));
}
