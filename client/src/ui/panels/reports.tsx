/** How battles and other throws of the dice ended: a card each, the newest in sight, those of the turn in a list. */
import { counted, dealt, noneLost, type Report } from "../../model/reports";
import type { Roll } from "../../model/happenings";
import { TableBoard } from "../../model/tabletop";
import { sentence } from "../../model/words";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import type { GameEvent, Side } from "../../wire";
import { RuleLink } from "../parts";
import { Die } from "./battle";
import { newestReport } from "./newest";

const DICE = 24; // more dice than this are counted, not drawn

export function NewestReport({ store }: { readonly store: TableStore }) {
  const newest = newestReport(store);
  if (!newest) return null;
  return (
    <section class="report newest" aria-label={t("report.title")}>
      <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (store.reportSeen.value = newest.to)}>×</button>
      <ReportCard store={store} report={newest} />
    </section>
  );
}

export function TurnReports({ store }: { readonly store: TableStore }) {
  const reports = store.turnReports.value;
  if (!reports.length) return null;
  return (
    <details class="turn-reports">
      <summary>{t("report.turn", { n: reports.length })}</summary>
      <ol>
        {[...reports].reverse().map((report) => (
          <li key={report.from} class="report">
            <ReportCard store={store} report={report} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A card is of a place; where places have no names, of who was shot at. */
function titleOf(store: TableStore, { place, about, side }: Report): string {
  if (about !== null && (place === null || store.board.value instanceof TableBoard)) return store.nameOf(about);
  return place === null ? store.words.value.side(side) : store.placeInWords(place);
}

export function ReportCard({ store, report }: { readonly store: TableStore; readonly report: Report }) {
  const context = store.context.value;
  if (!context) return null;
  const { place, side } = report;
  const [head, ...inside] = report.heads;
  const look = (): void => {
    if (place !== null && store.board.peek()?.sheet.has(place)) store.lookAt(place);
  };
  const { shown, left } = dealt(report.rolls, DICE);
  const colour = context.sides.includes(side) ? store.skin.value.colours(side, context.sides).fill : "var(--line)";
  return (
    <article class="report-card" style={{ borderColor: colour }} onMouseEnter={() => place !== null && store.point([place])} onMouseLeave={() => store.point([])}>
      <h4>
        <button type="button" class="plain report-place" onClick={look} title={t("report.show")}>{titleOf(store, report)}</button>
      </h4>
      <Sentence store={store} event={head!} />
      {inside.map((event, i) => <Sentence key={i} store={store} event={event} />)}
      <div class="dice-row" role="group" aria-label={t("battle.dice")}>
        {shown.map((roll, i) => (
          <span key={i} class="throw" title={fine(sentence(roll.outcome?.text ?? ""))}>
            <Roller store={store} side={rollerOf(store, report, roll)} />
            {roll.dice.map((value, j) => <Die key={j} value={value} faces={roll.faces} turn={0} size={20} />)}
          </span>
        ))}
        {left > 0 && <span class="hint">+{left}</span>}
      </div>
      {report.reasons.length > 0 && (
        <details class="report-how">
          <summary>{t("report.how")}</summary>
          {report.reasons.map((event, i) => <Sentence key={i} store={store} event={event} />)}
        </details>
      )}
      {report.results.map((event, i) => <Sentence key={i} store={store} event={event} />)}
      <Told store={store} title={t("report.losses")} events={report.losses} {...(noneLost(report, store.reports.value, context.view) ? { none: t("report.noLosses") } : {})} />
      <Told store={store} title={t("report.ground")} events={report.ground} />
    </article>
  );
}

/** Whose dice: as the throw says, else by the unit or the role of which its outcome tells. */
function rollerOf(store: TableStore, report: Report, { side, outcome }: Roll): Side | null {
  const unit = typeof outcome?.["unit"] === "string" ? store.byId.value.get(outcome["unit"]) : undefined;
  return side ?? (unit ? store.skin.value.sideOf(unit, store.context.value!.sides) : outcome?.["role"] === "attacker" ? report.side : null);
}

function Roller({ store, side }: { readonly store: TableStore; readonly side: Side | null }) {
  const context = store.context.value;
  if (side === null || !context) return null;
  const said = t("battle.rolled", { side: context.words.side(side) });
  return <span class="chip" style={{ background: store.skin.value.colours(side, context.sides).fill }} role="img" aria-label={said} title={said} />;
}

/** Sentences under a heading; what happened several times is told once, with its count. */
export function Told({ store, title, events, none }: { readonly store: TableStore; readonly title: string; readonly events: readonly GameEvent[]; readonly none?: string }) {
  if (!events.length) return none === undefined ? null : <p class="hint">{none}</p>;
  return (
    <div class="told">
      <h5>{title}</h5>
      <ul>
        {counted(events).map(({ event, n }, i) => (
          <li key={i} onMouseEnter={() => store.pointAtEvent(event)} onMouseLeave={() => store.point([])}>
            {fine(sentence(event.text ?? event.kind))} {n > 1 && <small>×{n}</small>} {event.rule && <RuleLink store={store} rule={event.rule} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

const Sentence = ({ store, event }: { readonly store: TableStore; readonly event: GameEvent }) => (
  <p class="report-line">
    {fine(sentence(event.text ?? event.kind))} {event.rule && <RuleLink store={store} rule={event.rule} />}
  </p>
);
