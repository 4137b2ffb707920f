/** What can be done now: buttons for what is not on the board, the thing under the glass, and every choice as a list. */
import { useEffect, useRef } from "preact/hooks";
import { factsOf } from "../../skins/generic";
import { handOf, unseenHand } from "../../model/happenings";
import { inCentimetres, TableBoard } from "../../model/tabletop";
import { whereIs } from "../../model/targets";
import { capital } from "../../model/words";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import { forcedChoices, quick } from "../../table/settings";
import { PieceIcon } from "../board/icon";
import { ActionButtons, AllActions, Batches, Buttons, OtherVerbs, Weighed } from "./actions";
import { BattleDice, BattlePanel } from "./battle";
import { WeighedSentence } from "./chances";
import { Briefing } from "./briefing";
import { HintCard } from "./hint";
import { MusterPanel } from "./muster";
import { newestReport } from "./newest";
import { OddsPanel } from "./odds";
import { NewestReport, TurnReports } from "./reports";
import { RuleLink } from "../parts";

export function ChoicesPanel({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const choices = store.choices.value;
  const legal = state && !store.replay.value ? state.legal : [];
  const loose = [...choices.pieces].filter(([id]) => whereIs(store.byId.value.get(id)!) === null).flatMap(([, acts]) => acts);
  const buttons = [...new Map([...choices.buttons, ...loose].map((action) => [action.join(" "), action])).values()]; // several pieces may mean the same
  const held = state && !store.replay.value && handOf(state.view, store.byId.value); // the battle it came from can wait
  const elsewhere = store.battle.value !== null && store.battle.value.hex !== newestReport(store)?.place; // the battle at hand, and what one decides in it, come first
  return (
    <div class="choices">
      <Briefing store={store} />
      {store.forced.value && <p class="forced" role="status">{fine(store.forced.value)}</p>}
      {!elsewhere && <NewestReport store={store} />}
      {!held && <BattlePanel store={store} />}
      <InHand store={store} />
      <MusterPanel store={store} />
      <WeighedSentence store={store} />
      {buttons.length > 0 && !state?.view["muster"] && <Buttons store={store} actions={buttons} />}
      {!state?.view["muster"] && <Batches store={store} />}
      <Weighed store={store} />
      <OtherVerbs store={store} />
      {elsewhere && <NewestReport store={store} />}
      <HintCard store={store} />
      <Glass store={store} />
      <OddsPanel store={store} />
      {held && <BattlePanel store={store} />}
      <BattleDice store={store} />
      {state !== null && !legal.length && !store.selected.value && <p class="hint empty">{t("inspect.none")}</p>}
      {legal.length > 0 && (
        <>
          <p class="hint">{legal.length === 1 && buttons.length === 1 ? t(state?.can_undo ? "act.lastUndo" : "act.last") : t("act.hint")} {store.via.value && t("act.viaHint")}</p>
          <label class="quick">
            <input type="checkbox" checked={quick.value === "on"} onChange={(e) => (quick.value = e.currentTarget.checked ? "on" : "off")} /> {t("act.quick")}
          </label>
          <label class="quick">
            <input type="checkbox" checked={forcedChoices.value === "on"} onChange={(e) => (forcedChoices.value = e.currentTarget.checked ? "on" : "off")} /> {t("act.forced")}
          </label>
          <AllActions store={store} actions={legal} />
        </>
      )}
      <TurnReports store={store} />
    </div>
  );
}

export function Trouble({ store }: { readonly store: TableStore }) {
  const trouble = store.trouble.value;
  if (!trouble) return null;
  return (
    <div class="trouble" role="alert">
      <strong>{trouble.title}</strong>
      {[{ message: trouble.message, rule: trouble.rule }, ...(trouble.more ?? [])].map(({ message, rule }) => (
        <p key={message}>
          {fine(rule ? message.replace(` (${rule})`, "") : message)} {rule && <RuleLink store={store} rule={rule} long />}
        </p>
      ))}
      <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (store.trouble.value = null)}>×</button>
    </div>
  );
}

/** What the decision is about: the piece or the stack that has been picked up, and what it has left. */
function InHand({ store }: { readonly store: TableStore }) {
  const context = store.context.value;
  const found = context && handOf(context.view, store.byId.value);
  const coming = context && store.myTurn.value ? unseenHand(context.view, store.byId.value) : null;
  if (context && coming !== null && !store.replay.value && store.words.value.has(`name.${coming}`))
    return (
      <section class="hand" aria-label={t("hand.title")}>
        <h3>{t("hand.title")}</h3>
        <p class="piece-name">{fine(capital(store.nameOf(coming)))}</p>
      </section>
    );
  if (!context || !found || store.replay.value) return null;
  const where = whereIs(found.pieces[0]!);
  const ours = store.state.value?.mine.includes(store.skin.value.sideOf(found.pieces[0]!, context.sides) ?? "") ?? false;
  const title = t(ours ? "hand.title" : "hand.theirs");
  return (
    <section class="hand" aria-label={title}>
      <h3>
        {title}
        {where !== null && <button type="button" class="plain where-button" onClick={() => store.lookAt(store.board.value?.spot(where)?.key ?? where)}>{store.nameOf(where)}</button>}
      </h3>
      <ul class="stack">
        {found.pieces.slice(0, 6).map((piece) => (
          <li key={piece.id}>
            <svg width="52" height="54" aria-hidden="true">
              <PieceIcon store={store} piece={piece} x={25} y={26} size={46} />
            </svg>
            <div>
              <span class="piece-name">{store.skin.value.describe(piece, context)}</span>
              <dl class="facts">
                {found.facts.map(([key, value]) => (
                  <div key={key}>
                    <dt>{context.words.fact(key)}</dt>
                    <dd>{store.board.value instanceof TableBoard ? inCentimetres(value) : value}</dd>
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

const LEAST_SEEN = 160; // pixels of the thing under the glass: its name, what can be done and the chances

/** The hex, box or piece that was clicked: what it is and what can be done with it. */
function Glass({ store }: { readonly store: TableStore }) {
  const spot = store.selected.value;
  const [context, board] = [store.context.value, store.board.value];
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = shown.current?.getBoundingClientRect();
    if (box && (box.top < 0 || box.top + LEAST_SEEN > innerHeight)) shown.current?.scrollIntoView({ block: "start" }); // on a phone it lies below the fold
  }, [spot?.kind, spot?.key]);
  if (!spot || !context || !board) return null;
  const key = spot.kind === "piece" ? store.placeOf(spot.key) : spot.key;
  const piled = spot.kind === "piece" && key !== null && store.spread.value === key;
  const stack = spot.kind === "piece" && !piled ? [store.byId.value.get(spot.key)].filter((p) => p !== undefined) : (store.stacks.value.get(key ?? spot.key) ?? []);
  const own = spot.kind === "side" ? (store.choices.value.sides.get(spot.key) ?? []) : key === null ? [] : (store.choices.value.hexes.get(key) ?? store.choices.value.areas.get(key) ?? []);
  return (
    <div class="glass" ref={shown}>
      <h3>{key !== null && board.sheet.has(key) ? board.describe(key, context.words) : spot.kind === "side" ? spot.key : capital(store.nameOf(key ?? spot.key))}</h3>
      {key !== null && store.placeFacts(key).length > 0 && <p class="place-facts">{fine(store.placeFacts(key).map(capital).join(" · "))}</p>}
      {store.then.value && store.then.value.choices.hexes.size + store.then.value.choices.areas.size > 0 && <p class="hint">{t("act.thenHint")}</p>}
      {store.ways.value.length > 0 && <p class="ways-hint">{t("act.ways")}</p>}
      <ActionButtons store={store} actions={own} />
      {store.ruinous.value && <p class="hint">{t("act.ruinous", { action: store.ruinous.value })}</p>}
      <ul class="stack">
        {stack.map((piece) => (
          <li key={piece.id} class={piled && piece.id === spot.key ? "chosen" : ""}>
            {stack.length <= 2 ? (
              <svg width="84" height="86" aria-hidden="true" class="large-piece">
                <PieceIcon store={store} piece={piece} x={41} y={42} size={76} />
              </svg>
            ) : (
              <svg width="58" height="60" aria-hidden="true">
                <PieceIcon store={store} piece={piece} x={28} y={29} size={52} />
              </svg>
            )}
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
