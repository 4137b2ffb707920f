/** The end of a game: who won and why, how it stands, and what turned it, each with its way into the replay. */
import { useSignal } from "@preact/signals";
import { api, ServerError } from "../../net/api";
import { capital } from "../../model/words";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import { RuleLink } from "../parts";
import { signedAmount, turnAt, useReport, whatCame, Working } from "../reporting";
import { navigate } from "../router";
import { Standing } from "./status";

const TOLD = 4; // turning points; the report has the others
const LIGHT = 8; // what moved the game so many times less than the weightiest turned nothing

export function GameOver({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  if (!state?.result || store.replay.value) return null;
  const { result } = state;
  const again = async (): Promise<void> => {
    try {
      const next = await api.rematch(store.id);
      navigate(`/g/${next.id}`);
    } catch (error) {
      if (error instanceof ServerError) store.complain(error.body);
    }
  };
  const title = result.winner === null ? t("table.drawn") : t("table.winner", { side: store.words.value.side(result.winner) });
  const text = fine(result.text ?? "");
  const bare = text.startsWith(title) ? text.slice(title.length).replace(/^[\s:.,]+/, "") : text;
  const said = capital(result.rule ? bare.replace(` (${result.rule})`, "").replace(` (${result.rule})`, "") : bare); // the link says the rule
  return (
    <section class="game-over" aria-label={t("table.over")}>
      <h3>{title}</h3>
      {said && <p>{said} {result.rule && store.furniture.value?.rules.has(result.rule) && <RuleLink store={store} rule={result.rule} />}</p>}
      <div class="menu">
        {state.mine.length > 0 && <button type="button" class="choice" onClick={() => void again()}>{t("table.rematch")}</button>}
        <a class="button" href={`/g/${store.id}/report`}>{t("report.open")}</a>
        <button type="button" onClick={() => void store.goTo(0)}>{t("replay.open")}</button>
        <button type="button" onClick={() => void store.verify()}>{t("table.verify")}</button>
        {store.rematch.value && <a class="button" href={`/g/${store.rematch.value}`}>{t("new.go")}</a>}
      </div>
      <details class="over-standing" open>
        <summary>{t("over.standing")}</summary>
        <Standing store={store} />
      </details>
      <TurningPoints store={store} />
    </section>
  );
}

/** What moved the game most: told to its players at once, worked out for watchers who ask. */
function TurningPoints({ store }: { readonly store: TableStore }) {
  const asked = useSignal(false);
  const wanted = asked.value || (store.state.value?.mine.length ?? 0) > 0;
  const { report, progress, failed } = useReport(store.id, wanted);
  const context = store.context.value;
  if (!context || failed) return null;
  if (!wanted) return <button type="button" onClick={() => (asked.value = true)}>{t("report.turning")}</button>;
  if (!report) return <Working progress={progress} />;
  const unit = report.measure === "chance" ? t("report.unitChance") : t("report.unitScore");
  const most = Math.max(0, ...report.turning.map((row) => Math.abs(row.moved)));
  const rows = report.turning.filter((row) => Math.abs(row.moved) * LIGHT >= most).slice(0, TOLD).sort((a, b) => a.n - b.n); // the weightiest, as they happened
  const look = (event: Event, n: number): void => {
    event.preventDefault();
    void store.goTo(n);
  };
  return (
    <div class="turning">
      <h4>{t("report.turning")}</h4>
      {!rows.length && <p class="hint">{t("over.even")}</p>}
      <ol class="report-list">
        {rows.map((row) => (
          <li key={row.n}>
            <span class={row.moved > 0 ? "amount up" : "amount down"} title={unit}>{signedAmount(row.moved, report.measure)}</span>
            <span>
              <i class="chip" style={{ background: store.skin.value.colours(row.side, context.sides).fill }} title={context.words.side(row.side)} /> <small>{t("lobby.turn", { turn: turnAt(report, row.n) })}</small> <a href={`/g/${store.id}?at=${row.n}`} onClick={(e) => look(e, row.n)} title={t("report.replay")} data-at={row.n}>{whatCame(row)}</a> {row.dice && <small>{t("report.byDice")}</small>}
            </span>
          </li>
        ))}
      </ol>
      {rows.length > 0 && <p class="hint">{t("report.forFirst", { side: context.words.side(report.sides[0]!), unit })}</p>}
    </div>
  );
}
