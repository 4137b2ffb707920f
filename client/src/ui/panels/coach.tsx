/** The coach of a lesson: says one thing at a time, points at it, and takes no offence at another move. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { aimsOf, firstBefore, NO_AIMS, stepToShow, type Aims, type LessonState, type LessonWords } from "../../model/coach";
import { findRule } from "../../model/rulebook";
import { api, once } from "../../net/api";
import { coached } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { fine, lang, t } from "../../text";
import { navigate } from "../router";

const PARTS: { readonly [part: string]: string } = {
  bar: ".my-side",
  phase: ".phase-words",
  status: "#tab-status",
  log: "#tab-log",
  undo: "#undo",
  choices: "#tab-choices",
  board: ".frame",
  odds: ".chances",
  report: ".report.newest",
  follow: ".theirs",
  rules: ".coach .rule-link",
};
const RING = "outline: 3px solid var(--coach) !important; outline-offset: 2px; border-radius: 6px;";

export function CoachPanel({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const told = state?.lesson ?? null;
  const words = useSignal<LessonWords | null>(null);
  const away = useSignal(coached.read(store.id).away);
  useEffect(() => {
    if (!state || !told) return;
    void once(`lesson ${state.game} ${told.name}`, () => api.lesson(state.game, told.name)).then((found) => (words.value = found));
  }, [told?.name, lang.value]);
  useEffect(() => () => void (store.aims.value = NO_AIMS), [store]);
  if (!state || !told || !words.value || store.curtain.value !== null) return null;
  const leave = (gone: boolean): void => {
    away.value = gone;
    store.aims.value = NO_AIMS;
    coached.write(store.id, { ...coached.read(store.id), away: gone });
  };
  if (away.value)
    return (
      <div id="coach" class="coach away">
        <button type="button" onClick={() => leave(false)}>{t("coach.again")}</button>
      </div>
    );
  return <Coach store={store} lesson={words.value} told={told} leave={() => leave(true)} />;
}

interface Props {
  readonly store: TableStore;
  readonly lesson: LessonWords;
  readonly told: LessonState;
  readonly leave: () => void;
}

function Coach({ store, lesson, told, leave }: Props) {
  const state = store.state.value!;
  const shown = useSignal<number | null>(coached.read(store.id).step);
  const before = useSignal<number | null>(null);
  const busy = useSignal(false);
  const at = stepToShow(lesson.steps, told.step, shown.value, before.value);
  const step = lesson.steps[told.astray ? told.left_at : at]!;
  useEffect(() => {
    before.value = told.step;
    shown.value = at;
    coached.write(store.id, { ...coached.read(store.id), step: at });
  }, [at, told.step]);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    for (let up = card.current?.parentElement; up; up = up.parentElement) up.scrollTop = 0; // on a phone its words lie above the choices: each new one is read first
  }, [at, told.astray]);
  usePointing(store, told.astray || store.replay.value ? null : step);
  const turn = (to: number): void => void (shown.value = to);

  /** The table anew at an earlier step: dice that have been seen fall the same again. */
  const reopen = async (to: number): Promise<void> => {
    busy.value = true;
    try {
      const { id } = await api.learn(state.game, lesson.name, to);
      coached.write(id, { step: to, away: false });
      navigate(`/g/${id}`, true);
    } catch {
      busy.value = false;
    }
  };
  const takeBack = (to: number): void => {
    if (state.can_undo) store.undo();
    else void reopen(to);
  };
  const first = firstBefore(lesson.steps, told.step);
  const back = (): void => {
    if (at > first) turn(at - 1);
    else takeBack(first - 1);
  };
  const last = at === lesson.steps.length - 1;
  const asks = step.do !== null && at === told.step;
  const can = asks && state.legal.some(([verb, target]) => verb === step.do![0] && target === step.do![1]);
  return (
    <section ref={card} id="coach" class={told.astray ? "coach astray" : "coach"} aria-label={t("coach.title")}>
      <header>
        <h2>{fine(lesson.title)}</h2>
        <span class="coach-at">{t("coach.step", { n: at + 1, all: lesson.steps.length })}</span>
        <button type="button" class="close" onClick={leave} aria-label={t("coach.leave")} title={t("coach.leave")}>×</button>
      </header>
      <progress max={lesson.steps.length} value={at + 1} aria-hidden="true" />
      <div class="coach-says" aria-live="polite">
        {told.astray ? (
          <>
            <p>{step.do ? t("coach.astray", { action: store.say(step.do) }) : t("coach.astrayPlain")}</p>
            {step.other && <p>{fine(step.other)}</p>}
          </>
        ) : (
          <p key={at}>{fine(step.say)}</p>
        )}
        {!told.astray && asks && <p class="coach-todo">{can ? t("coach.todo", { action: store.say(step.do!) }) : t("coach.waiting")}</p>}
      </div>
      <footer>
        {told.astray ? (
          <>
            <button type="button" class="choice" onClick={() => takeBack(told.left_at)} disabled={busy.value}>{state.can_undo ? t("coach.takeBack") : t("coach.return")}</button>
            <button type="button" onClick={leave}>{t("coach.own")}</button>
          </>
        ) : (
          <>
            <button type="button" class="coach-back" onClick={back} disabled={(at === 0 && first === 0) || busy.value || store.pending.value}>{t("coach.back")}</button>
            {asks && <button type="button" class="coach-show" onClick={() => void store.act(step.do!)} disabled={!can || store.pending.value}>{t("coach.show")}</button>}
            {!asks && !last && <button type="button" class="choice coach-next" onClick={() => turn(at + 1)}>{t("coach.next")}</button>}
            {last && !asks && (state.result ? <Anew store={store} /> : <button type="button" class="choice" onClick={leave}>{t("coach.playOn")}</button>)}
            {last && !asks && <a class="button" href="/">{t("coach.lobby")}</a>}
          </>
        )}
        <Why store={store} rule={step.rule} />
      </footer>
    </section>
  );
}

function Anew({ store }: { readonly store: TableStore }) {
  const again = async (): Promise<void> => navigate(`/g/${(await api.rematch(store.id)).id}`);
  return <button type="button" class="choice" onClick={() => void again()}>{t("coach.anew")}</button>;
}

function Why({ store, rule }: { readonly store: TableStore; readonly rule: string }) {
  if (!rule) return null;
  const title = findRule(store.furniture.value?.rules, rule)?.title;
  const name = /^[A-Z]{0,3}\d/.test(rule) || !title ? t("coach.why", { rule }) : t("coach.whyNamed", { title });
  return <button type="button" class="rule-link" onClick={() => (store.ruleShown.value = rule)} title={title}>{name}</button>;
}

/** Keep the aims of a step on the screen: rings on the map by a layer of the board, the rest by a style sheet of its own. */
function usePointing(store: TableStore, step: LessonWords["steps"][number] | null): void {
  const state = store.state.value;
  const aims: Aims = step ? aimsOf(step, store.verbs.value, store.board.value, new Set(store.byId.value.keys())) : NO_AIMS;
  const name = JSON.stringify(aims);
  useEffect(() => {
    store.aims.value = aims;
    const [first, ...also] = [...aims.pieces.flatMap((id) => store.placeOf(id) ?? []), ...aims.places].filter((key) => store.board.peek()?.sheet.has(key));
    if (first) store.lookAtQuietly(first, also);
    const boxes = aims.pieces.flatMap((id) => store.placeOf(id) ?? []).filter((key) => !store.board.peek()?.sheet.has(key));
    const chosen = [...boxes.flatMap((key) => [`[data-box="${CSS.escape(key)}"]`, `.boxes:not([open]):has([data-box="${CSS.escape(key)}"]) > summary`]), ...aims.actions.map((action) => `[data-action="${CSS.escape(action)}"]`), ...aims.pieces.map((id) => `.spread [data-piece="${CSS.escape(id)}"] .ring .glow`), ...aims.parts.flatMap((part) => PARTS[part] ?? [])];
    if (!chosen.length) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(chosen.map((selector) => `${selector} { ${RING} }`).join("\n"));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [name, state?.version]);
}
