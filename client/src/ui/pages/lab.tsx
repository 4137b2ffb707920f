/** The designer's page: choose a rule, let the computer play it both ways, watch the interval shrink, open any game. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, once, type Experiment } from "../../net/api";
import { lang, levelName, t } from "../../text";
import type { GameCard } from "../../wire";
import { navigate } from "../router";
import { TopBar } from "../topbar";

const EVERY = 1500; // milliseconds between two looks

const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)}`;

export function LabPage() {
  const cards = useSignal<readonly GameCard[]>([]);
  const runs = useSignal<readonly Experiment[]>([]);
  const chosen = useSignal<string | null>(null);
  const shown = useSignal<Experiment | null>(null);
  const problem = useSignal<string | null>(null);
  const failed = (error: Error): void => void (problem.value = error.message);
  const look = async (): Promise<void> => {
    const found = await api.experiments();
    runs.value = found.runs;
    const id = chosen.value ?? found.runs.find((run) => run.running)?.run ?? null;
    if (id) shown.value = await api.experiment(id).catch(() => null);
  };
  useEffect(() => {
    once("games", api.games).then((list) => (cards.value = list.filter((g) => g.playable)), failed);
    look().catch(failed);
    const timer = setInterval(() => void look().catch(() => undefined), EVERY);
    return () => clearInterval(timer);
  }, [lang.value]);
  const begin = (wish: Wish): void => {
    problem.value = null;
    api.begin(wish).then((found) => {
      chosen.value = found.run;
      return look();
    }, failed);
  };
  return (
    <>
      <TopBar />
      <main class="page lab-page">
        <h1>{t("lab.title")}</h1>
        <p class="tagline">{t("lab.about")}</p>
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {cards.value.length > 0 && <Choice cards={cards.value} onBegin={begin} />}
        {shown.value && <Result run={shown.value} onStop={(id) => void api.rest(id).then(look, failed)} onProblem={failed} />}
        {runs.value.length > 0 && (
          <section>
            <h2>{t("lab.all")}</h2>
            <ul class="lab-runs">
              {runs.value.map((run) => (
                <li key={run.run}>
                  <button type="button" class="plain" aria-pressed={shown.value?.run === run.run} onClick={() => { chosen.value = run.run; void look(); }}>
                    <strong>{run.title}: {Object.keys(run.second)[0]}</strong> {run.sentence}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </main>
    </>
  );
}

export interface Wish {
  readonly game: string;
  readonly scenario: string;
  readonly option: string;
  readonly first: string;
  readonly second: string;
  readonly level: string;
  readonly worth: number;
  readonly most: number;
}

function Choice({ cards, onBegin }: { readonly cards: readonly GameCard[]; readonly onBegin: (wish: Wish) => void }) {
  const game = useSignal(cards[0]!.game);
  const card = cards.find((c) => c.game === game.value) ?? cards[0]!;
  const [scenario, option, first, second, level] = [useSignal(""), useSignal(""), useSignal(""), useSignal(""), useSignal("")];
  const most = useSignal(200);
  const now = card.scenarios?.find((s) => s.name === scenario.value) ?? card.scenarios?.[0];
  const rule = card.options?.find((o) => o.name === option.value) ?? card.options?.[0];
  const levels = now?.levels ?? card.levels ?? [];
  const values = rule?.choices ?? [];
  const one = values.includes(first.value) ? first.value : (rule?.default ?? "");
  const two = values.includes(second.value) && second.value !== one ? second.value : (values.find((v) => v !== one) ?? "");
  const who = levels.includes(level.value) ? level.value : levels.includes("greedy") ? "greedy" : (levels[0] ?? "random");
  const valueName = (value: string): string => (value === "on" ? t("new.on") : value === "off" ? t("new.off") : value);
  return (
    <form class="new-table" onSubmit={(e) => { e.preventDefault(); onBegin({ game: card.game, scenario: now?.name ?? "", option: rule?.name ?? "", first: one, second: two, level: who, worth: 10, most: most.value }); }}>
      <label>{t("lab.game")}<select name="game" value={card.game} onChange={(e) => (game.value = e.currentTarget.value)}>{cards.map((c) => <option key={c.game} value={c.game}>{c.title}</option>)}</select></label>
      <label>{t("new.scenario")}<select name="scenario" value={now?.name} onChange={(e) => (scenario.value = e.currentTarget.value)}>{(card.scenarios ?? []).map((s) => <option key={s.name} value={s.name}>{s.title}</option>)}</select></label>
      <label>{t("lab.rule")}<select name="option" value={rule?.name} onChange={(e) => (option.value = e.currentTarget.value)}>{(card.options ?? []).map((o) => <option key={o.name} value={o.name}>{o.rule ? `${o.rule} ` : ""}{o.title}</option>)}</select></label>
      <label>{t("lab.first")}<select name="first" value={one} onChange={(e) => (first.value = e.currentTarget.value)}>{values.map((v) => <option key={v} value={v}>{valueName(v)}</option>)}</select></label>
      <label>{t("lab.second")}<select name="second" value={two} onChange={(e) => (second.value = e.currentTarget.value)}>{values.filter((v) => v !== one).map((v) => <option key={v} value={v}>{valueName(v)}</option>)}</select></label>
      <label>{t("lab.players")}<select name="level" value={who} onChange={(e) => (level.value = e.currentTarget.value)}>{levels.map((l) => <option key={l} value={l}>{levelName(l)}</option>)}</select></label>
      <label>{t("lab.most")}<input name="most" type="number" min={64} max={2000} value={most.value} onChange={(e) => (most.value = Number(e.currentTarget.value))} /></label>
      <button type="submit" class="main">{t("lab.run")}</button>
    </form>
  );
}

function Result({ run, onStop, onProblem }: { readonly run: Experiment; readonly onStop: (id: string) => void; readonly onProblem: (error: Error) => void }) {
  const open = (pair: number, place: number): void => {
    api.openGame(run.run, pair, place).then((found) => navigate(`/g/${found.id}`), onProblem);
  };
  return (
    <section class="lab-result" aria-live="polite">
      <h2>{run.title}: {Object.keys(run.second)[0]}</h2>
      <p><strong>{run.sentence}</strong></p>
      <Interval run={run} />
      <p class="hint">{t("lab.figures", { pairs: String(run.pairs), most: String(run.most), touched: String(run.touched), unequal: String(run.unequal) })}</p>
      {run.running && <button type="button" onClick={() => onStop(run.run)}>{t("lab.stop")}</button>}
      {run.games_list && run.games_list.length > 0 && (
        <details>
          <summary>{t("lab.games")}</summary>
          <table>
            <thead><tr><th>{t("lab.pair")}</th><th>{t("lab.arm")}</th><th>{t("lab.winner")}</th><th>{t("lab.turns")}</th><th /></tr></thead>
            <tbody>
              {run.games_list.map((g) => (
                <tr key={`${g.pair}-${g.place}`}>
                  <td>{g.pair + 1}</td>
                  <td>{g.arm}</td>
                  <td>{g.ended}</td>
                  <td>{g.turns}</td>
                  <td><button type="button" class="plain" onClick={() => open(g.pair, g.place)}>{t("lab.open")}</button></td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}

/** The estimate with its interval on a scale, and the band in which a difference would not matter. */
function Interval({ run }: { readonly run: Experiment }) {
  const [low, high] = run.interval;
  const reach = Math.max(0.2, Math.min(1, Math.max(Math.abs(low), Math.abs(high)))) * 1.1;
  const x = (value: number): number => 320 + (Math.max(-reach, Math.min(reach, value)) / reach) * 300;
  const said = t("lab.said", { mean: points(run.mean), low: points(low), high: points(high), side: run.side });
  return (
    <svg class="lab-interval" viewBox="0 0 640 84" role="img" aria-label={said}>
      <rect x={x(-run.worth)} y="10" width={x(run.worth) - x(-run.worth)} height="44" class="lab-same" />
      <line x1={x(0)} y1="6" x2={x(0)} y2="58" class="lab-zero" />
      <line x1={x(low)} y1="32" x2={x(high)} y2="32" class="lab-bar" />
      <line x1={x(low)} y1="22" x2={x(low)} y2="42" class="lab-bar" />
      <line x1={x(high)} y1="22" x2={x(high)} y2="42" class="lab-bar" />
      <circle cx={x(run.mean)} cy="32" r="8" class="lab-mean" />
      {[-reach, -run.worth, 0, run.worth, reach].map((v) => <text key={v} x={x(v)} y="76" text-anchor="middle">{points(v)}</text>)}
    </svg>
  );
}
