/** The odds of an action, opened into bars; the numbers are the game's own. */
import { percent, readOdds, type Shown } from "../../model/chances";
import { inPercent, t } from "../../text";
import type { TableStore } from "../../table/store";
import { RuleLink } from "../parts";
import { isExact, oddsName } from "./chances";

const SKIPPED = new Set(["rule", "exact", "method", "game", "alone"]);

export function OddsPanel({ store }: { readonly store: TableStore }) {
  const odds = store.odds.value;
  if (!odds) return null;
  const { answer } = odds;
  const name = (key: string): string => oddsName(store, key);
  return (
    <section class="odds" aria-label={t("odds.title", { action: store.say(odds.action) })}>
      <h3>
        {t("odds.title", { action: store.say(odds.action) })}
        <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (store.odds.value = null)}>×</button>
      </h3>
      {answer === "working" && <p class="hint">{t("odds.working")}</p>}
      {answer === null && <p class="hint">{t("odds.none")}</p>}
      {answer !== null && answer !== "working" && (
        <>
          <p class="odds-kind">
            <span class="badge">{isExact(answer) ? t("odds.exact") : t("odds.sampled")}</span>
            {typeof answer["rule"] === "string" && <RuleLink store={store} rule={answer["rule"]} />}
          </p>
          <Parts store={store} parts={readOdds(Object.fromEntries(Object.entries(answer).filter(([k]) => !SKIPPED.has(k))), name)} />
        </>
      )}
    </section>
  );
}

/** Bars of a side have its colour. */
function colourOf(store: TableStore, key: string | undefined): { fill: string } | undefined {
  const sides = store.sides.value;
  return key !== undefined && sides.includes(key) ? { fill: store.skin.value.colours(key, sides).fill } : undefined;
}

function Parts({ store, parts }: { readonly store: TableStore; readonly parts: readonly Shown[] }) {
  return (
    <>
      {parts.map((part, i) =>
        part.kind === "fact" ? (
          <p key={i} class="odds-fact">
            <span>{part.title}</span> <strong>{inPercent(part.value)}</strong>
          </p>
        ) : part.kind === "group" ? (
          <div key={i} class="odds-group">
            <h4>{part.title}</h4>
            <Parts store={store} parts={part.parts} />
          </div>
        ) : part.kind === "tally" ? (
          <div key={i} class="odds-group">
            <h4>{part.title}</h4>
            <ul class="tally-lines">
              {part.lines.map((line, j) => (
                <li key={j}>
                  <strong>{line.amount > 0 ? `+${line.amount}` : line.amount}</strong> {line.label} <RuleLink store={store} rule={line.rule} />
                </li>
              ))}
            </ul>
          </div>
        ) : part.kind === "table" ? (
          <details key={i} class="odds-group">
            <summary>{part.title}</summary>
            <div class="law">
              <table>
                <thead><tr>{part.heads.map((h) => <th key={h} scope="col">{h}</th>)}</tr></thead>
                <tbody>{part.rows.map((row, j) => <tr key={j}>{row.map((c, k) => <td key={k}>{inPercent(c)}</td>)}</tr>)}</tbody>
              </table>
            </div>
          </details>
        ) : (
          <table key={i} class="bars">
            <caption>{part.title}</caption>
            <tbody>
              {part.bars.map((bar) => (
                <tr key={bar.label} class={bar.share > 0 ? "" : "never"}>
                  <th scope="row">{bar.label}</th>
                  <td class="bar-cell">
                    <svg width="100%" height="12" aria-hidden="true">
                      <rect class="bar-room" width="100%" height="12" rx="2" />
                      <rect style={colourOf(store, part.of)} width={`${(bar.share * 100).toFixed(1)}%`} height="12" rx="2" />
                    </svg>
                  </td>
                  <td class="bar-share">{inPercent(percent(bar.share))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ),
      )}
    </>
  );
}
