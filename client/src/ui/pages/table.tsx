/** The page of one table. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { api } from "../../net/api";
import { TableStore } from "../../table/store";
import { fine, lang, t, titleOf } from "../../text";
import { BoardView } from "../board/board";
import { TableBoard } from "../../model/tabletop";
import { ChoicesPanel, Trouble } from "../panels/choices";
import { CoachPanel } from "../panels/coach";
import { CommandBox } from "../panels/command";
import { DiceMaking, DiceWaiting, OtherDice } from "../panels/dice";
import { FollowBar, TheirDoings } from "../panels/follow";
import { LogPanel, SincePanel } from "../panels/log";
import { OldRules } from "../panels/old";
import { GameOver } from "../panels/over";
import { Offers, TablePanel, TalkPanel } from "../panels/people";
import { Arrival } from "../panels/overview";
import { PhaseBar } from "../panels/phase";
import { ReplayBar } from "../panels/replay";
import { RuleDialog } from "../panels/rules";
import { StatusPanel } from "../panels/status";
import { navigate } from "../router";
import { TopBar } from "../topbar";

const PANELS = ["choices", "log", "status", "table", "talk"] as const;

export function TablePage({ id, as, at }: { readonly id: string; readonly as: string | null; readonly at: number | null }) {
  const store = useMemo(() => new TableStore(id, as, at), [id]);
  useEffect(() => () => store.close(), [store]);
  useEffect(() => void store.speak(), [lang.value]);
  useEffect(() => keepAddress(store), [store.replay.value]);
  useEffect(() => listen(store), [store]);
  const state = store.state.value;
  useEffect(() => {
    if (state) document.title = `${store.myTurn.value ? "● " : ""}${titleOf(state)} · Grognard`;
  }, [state, lang.value]);
  const board = store.board.value;
  if (store.closed.value !== null) return <Closed store={store} />;
  if (store.failed.value !== null)
    return (
      <>
        <TopBar />
        <main class="page">
          <p class="failed" role="alert">{t("app.failed", { why: store.failed.value })}</p>
          <a class="button" href="/">{t("nav.lobby")}</a>
        </main>
      </>
    );
  return (
    <div class="table-page">
      {state?.lesson && store.curtain.value === null && <a class="skip" href="#coach" onClick={(e) => (e.preventDefault(), toTheCoach())}>{t("app.skipCoach")}</a>}
      <a class="skip" href="#board" onClick={(e) => (e.preventDefault(), document.getElementById("board")?.focus())}>{t("app.skip")}</a>
      <TopBar title={state ? fine(titleOf(state)) : ""} store={store} />
      {!store.online.value && state && <div class="offline" role="status">{t("net.lost")}</div>}
      <main class="table">
        <div class="centre">
          <PhaseBar store={store} />
          {store.curtain.value !== null ? <Curtain store={store} /> : board && store.shown.value ? board instanceof TableBoard ? <MeasuredTable store={store} board={board} /> : <BoardView store={store} board={board} /> : <p class="loading">{t("app.loading")}</p>}
          {store.following.value ? <FollowBar store={store} /> : <ReplayBar store={store} />}
        </div>
        {store.curtain.value === null && <SidePanels store={store} />}
      </main>
      <RuleDialog store={store} />
      <Arrival store={store} />
      <div class="live" role="status" aria-live="polite">{store.announcement.value}</div>
    </div>
  );
}

/** The board of a measured table; fetched when there is one. */
function MeasuredTable({ store, board }: { readonly store: TableStore; readonly board: TableBoard }) {
  const view = useSignal<typeof import("../tabletop/view").TableView | null>(null);
  useEffect(() => {
    void import("../tabletop/view").then((loaded) => (view.value = loaded.TableView));
  }, [board]);
  const View = view.value;
  return View ? <View store={store} board={board} /> : <p class="loading">{t("app.loading")}</p>;
}

/** A table without watchers: its open seats can be taken all the same. */
function Closed({ store }: { readonly store: TableStore }) {
  const card = store.closed.value!;
  const problem = useSignal<string | null>(null);
  const sit = async (side: string): Promise<void> => {
    try {
      await api.sit(store.id, side);
      location.reload();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <>
      <TopBar title={card.title} />
      <main class="page">
        <h1>{card.title}</h1>
        <p>{t("table.closed")}</p>
        {(card.mark === "dice-known" || card.mark === "position-known") && <p class="mark" role="note">{t(`mark.${card.mark}`)}</p>}
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {card.seats.filter((seat) => seat.kind === "open").map((seat) => <button key={seat.side} type="button" class="choice" onClick={() => void sit(seat.side)}>{t("seats.sit")}: {seat.side}</button>)}
        <a class="button" href="/">{t("nav.lobby")}</a>
      </main>
    </>
  );
}

function SidePanels({ store }: { readonly store: TableStore }) {
  const panel = store.panel.value;
  const state = store.state.value;
  const box = useRef<HTMLDivElement>(null);
  useKeptFocus(box, state?.version);
  const asked = `${state?.prompt.decision ?? ""} ${state?.view.frames?.length ?? 0} ${store.turnReports.value.length}`;
  useEffect(() => {
    for (const scrolled of [box.current, box.current?.parentElement]) scrolled?.scrollTo({ top: 0 }); // another question, another card: they begin at the top
  }, [asked]);
  const [undo, redo] = [state?.can_undo && !store.replay.value, state?.can_redo && !store.replay.value];
  return (
    <aside class="side" aria-label={t("act.title")}>
      <CoachPanel store={store} />
      <div class="undo-bar">
        <button type="button" onClick={() => store.undo()} disabled={!undo} id="undo">↶ {t("act.undo")}</button>
        <button type="button" onClick={() => store.redo()} disabled={!redo} id="redo">↷ {t("act.redo")}</button>
        <CommandBox store={store} />
      </div>
      <Trouble store={store} />
      <Offers store={store} />
      <OtherDice store={store} />
      <DiceMaking store={store} />
      <DiceWaiting store={store} />
      <OldRules store={store} />
      <GameOver store={store} />
      <SincePanel store={store} />
      <TheirDoings store={store} />
      <div class="tabs" role="tablist" aria-label={t("table.menu")}>
        {PANELS.map((name) => (
          <button key={name} type="button" role="tab" id={`tab-${name}`} aria-selected={panel === name} aria-controls="panel" class={`tab tab-${name}`} onClick={() => (store.panel.value = name)} tabIndex={panel === name ? 0 : -1} onKeyDown={(e) => tabKeys(e, store)}>
            {t(`panel.${name}`)}
          </button>
        ))}
      </div>
      <div class={`panel panel-${panel}`} role="tabpanel" id="panel" tabIndex={0} ref={box} aria-labelledby={`tab-${panel}`}>
        <h2 class="unseen">{t(`panel.${panel}`)}</h2>
        {panel === "choices" && <ChoicesPanel store={store} />}
        {panel === "log" && <LogPanel store={store} />}
        {panel === "status" && <StatusPanel store={store} />}
        {panel === "table" && <TablePanel store={store} />}
        {panel === "talk" && <TalkPanel store={store} />}
      </div>
    </aside>
  );
}

/** Who acts by the keyboard stays in the panel when the button that was pressed is gone. */
function useKeptFocus(box: { readonly current: HTMLElement | null }, version: number | undefined): void {
  const within = useRef(false);
  useEffect(() => {
    const note = (event: FocusEvent): void => void (within.current = box.current?.contains(event.target as Node) ?? false);
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (within.current && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [version]);
}

function tabKeys(event: KeyboardEvent, store: TableStore): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  event.preventDefault();
  const next = PANELS[(PANELS.indexOf(store.panel.peek()) + step + PANELS.length) % PANELS.length]!;
  store.panel.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

function Curtain({ store }: { readonly store: TableStore }) {
  const always = useSignal(false);
  const side = store.words.value.side(store.curtain.value!);
  return (
    <section class="curtain" aria-label={t("curtain.title", { side })}>
      <div class="curtain-card">
        <h2>{t("curtain.title", { side })}</h2>
        <p>{t("curtain.text", { side })}</p>
        <button type="button" class="choice big" autofocus onClick={() => store.raiseCurtain(always.value)}>{t("curtain.go", { side })}</button>
        <label>
          <input type="checkbox" checked={always.value} onChange={(e) => (always.value = e.currentTarget.checked)} /> {t("curtain.always")}
        </label>
      </div>
    </section>
  );
}

/** The address follows the moment that is looked at. */
function keepAddress(store: TableStore): void {
  const back = store.replay.peek();
  const wanted = back && !store.following.peek() ? `/g/${store.id}?at=${back.at}&as=${back.state.as}` : `/g/${store.id}`;
  if (location.pathname.startsWith(`/g/${store.id}`) && location.pathname + location.search !== wanted && (back || new URLSearchParams(location.search).has("at"))) navigate(wanted, true);
}

/** Open the list of every choice and go to its first. */
function toTheList(store: TableStore): void {
  store.panel.value = "choices";
  requestAnimationFrame(() => {
    const list = document.querySelector<HTMLDetailsElement>(".all-actions");
    if (!list) return;
    list.open = true;
    list.querySelector<HTMLElement>("button")?.focus();
  });
}

/** The button of the coach that goes on; where there is none, its first. */
function toTheCoach(): void {
  const coach = document.getElementById("coach");
  (coach?.querySelector<HTMLElement>("footer :is(.coach-next, .coach-show, .choice):enabled") ?? coach?.querySelector<HTMLElement>("footer button:enabled, button"))?.focus();
}

/** The next target is told wherever one reads: the board takes the key as if one were there. */
function onTheBoard(key: string): void {
  const board = document.getElementById("board");
  board?.focus();
  board?.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
}

/** Keys that work everywhere on the page, and the network coming back. */
function listen(store: TableStore): () => void {
  const undo = new AbortController();
  const options = { signal: undo.signal };
  addEventListener("online", () => store.hurry(), options);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && store.hurry(), options);
  addEventListener(
    "keydown",
    (event) => {
      const target = event.target as HTMLElement;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "/" || event.key === "c") document.getElementById("command")?.focus();
      else if (event.key === "l") toTheList(store);
      else if ((event.key === "n" || event.key === "p") && target.id !== "board") onTheBoard(event.key);
      else if (event.key === "u") store.undo();
      else if (event.key === "U") store.redo();
      else if (event.key === "?") store.ruleShown.value = "?keys";
      else if (event.key === "Escape" && store.replay.peek()) store.followEnd();
      else if (event.key === "Escape") store.letGo();
      else if (/^[1-5]$/.test(event.key)) store.panel.value = PANELS[Number(event.key) - 1]!;
      else return;
      event.preventDefault();
    },
    options,
  );
  return () => undo.abort();
}
