/** The log: what happened, with the rule of each event; pointing at a line shows where. */
import { useEffect, useRef } from "preact/hooks";
import { capital, sentence } from "../../model/words";
import type { GameEvent, Line } from "../../wire";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import { RuleLink } from "../parts";
import { Die } from "./battle";

/** Events that open a part of the game: they stand out, so that one finds one's way in a long log. */
const HEADS = /^(turn|month|phase|player|wave)$/;

export function LogPanel({ store }: { readonly store: TableStore }) {
  const state = store.shown.value;
  const end = useRef<HTMLDivElement>(null);
  const length = state?.log.length ?? 0;
  useEffect(() => {
    end.current?.parentElement?.scrollTo({ top: end.current.offsetTop });
  }, [length]);
  if (!state) return null;
  return (
    <div class="log" tabIndex={0} role="region" aria-label={t("log.title")}>
      {!length && !state.opening?.length && <p class="hint">{t("log.empty")}</p>}
      {(state.opening ?? []).map((event, i) => (
        <EventText key={`o${i}`} store={store} event={event} />
      ))}
      {state.log.map((line) => (
        <LogLine key={line.n} store={store} line={line} />
      ))}
      <div ref={end} />
    </div>
  );
}

export function LogLine({ store, line }: { readonly store: TableStore; readonly line: Line }) {
  const context = store.context.value;
  const known = context?.sides.includes(line.side);
  const colour = context && known ? store.skin.value.colours(line.side, context.sides).fill : "var(--line)";
  const name = known ? store.words.value.side(line.side) : t("log.table");
  if (!line.events.length && !line.text) return null;
  return (
    <div class={line.events.length ? "line" : "line bare"} style={{ borderColor: colour }}>
      <button type="button" class="line-number" onClick={() => void store.goTo(line.n)} title={t("log.go", { n: line.n })} aria-label={t("log.go", { n: line.n })}>
        {line.n}
      </button>
      <div class="line-body">
        {line.text && (
          <p class="line-action">
            <span class="who">{name}</span> · {fine(capital(line.text.replace(/ \[[^\]]*\]/g, "")))}
          </p>
        )}
        {line.events.map((event, i) => (
          <EventText key={i} store={store} event={event} />
        ))}
      </div>
    </div>
  );
}

function EventText({ store, event }: { readonly store: TableStore; readonly event: GameEvent }) {
  const dice = event.kind === "roll" && Array.isArray(event["dice"]) ? event["dice"].filter((d): d is number => typeof d === "number") : [];
  const faces = typeof event["faces"] === "number" ? event["faces"] : 6;
  if (event["said"] === true) return null; // dice that the next sentence tells
  const point = (): void => store.pointAtEvent(event);
  const go = (): void => {
    point();
    const first = [...store.pointed.peek()].find((key) => store.board.peek()?.sheet.has(key));
    if (first) store.lookAt(first);
  };
  return (
    <p class={HEADS.test(event.kind) ? "event head" : "event"} onMouseEnter={point} onMouseLeave={() => store.point([])} onClick={go}>
      {dice.length ? dice.map((value, i) => <Die key={i} value={value} faces={faces} turn={0} size={18} />) : fine(sentence(event.text ?? event.kind))} {event.rule && <RuleLink store={store} rule={event.rule} />}
    </p>
  );
}

/** What others did while we were away. */
export function SincePanel({ store }: { readonly store: TableStore }) {
  const lines = store.since.value;
  if (!lines.length) return null;
  return (
    <section class="since" aria-label={t("since.title")}>
      <h3>
        {t("since.title")} <small>{t("since.count", { n: lines.reduce((n, l) => n + l.events.length, 0) })}</small>
      </h3>
      <div class="since-lines">
        {lines.slice(-40).map((line) => (
          <LogLine key={line.n} store={store} line={line} />
        ))}
      </div>
      <button type="button" class="choice" onClick={() => store.seenAll()}>{t("since.close")}</button>
    </section>
  );
}
