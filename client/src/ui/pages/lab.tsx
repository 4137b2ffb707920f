/** The designer's page: choose a rule, let the computer play it both ways, watch the interval shrink, open any game. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { api, once, type Balance, type DataFile, type Experiment, type Run } from "../../net/api";
import { lang, levelName, t } from "../../text";
import type { GameCard } from "../../wire";
import { scenarioTitle } from "../../model/options";
import { navigate } from "../router";
import { TopBar } from "../topbar";
import { Counted, Files, Papers, Tables } from "./labcount";
import { Course } from "./labcourse";
import { signedSaid as points } from "./labsaid";

const EVERY = 1500; // milliseconds between two looks

export function LabPage() {
  const cards = useSignal<readonly GameCard[]>([]);
  const runs = useSignal<readonly (Experiment | Balance)[]>([]);
  const files = useSignal<readonly DataFile[]>([]);
  const formats = useSignal<readonly string[]>([]);
  const there = useSignal(false);
  const chosen = useSignal<string | null>(null);
  const shown = useSignal<Experiment | Balance | null>(null);
  const problem = useSignal<string | null>(null);
  const failed = (error: Error): void => void (problem.value = error.message);
  const look = async (): Promise<void> => {
    const found = await api.experiments();
    there.value = true;
    runs.value = found.runs;
    files.value = found.files;
    formats.value = found.formats;
    const id = chosen.value ?? found.runs.find((run) => run.running)?.run ?? null;
    if (id) shown.value = await api.experiment(id).catch(() => null);
  };
  useEffect(() => {
    once("games", api.games).then((list) => (cards.value = list.filter((g) => g.playable)), failed);
    look().catch(failed);
    const timer = setInterval(() => void look().catch(() => undefined), EVERY);
    return () => clearInterval(timer);
  }, [lang.value]);
  const begun = (work: Promise<{ run?: string }>): void => {
    problem.value = null;
    work.then((found) => {
      chosen.value = found.run ?? chosen.value;
      return look();
    }, failed);
  };
  const rest = (id: string): void => void api.rest(id).then(look, failed);
  const run = shown.value;
  const more = run && <><Papers run={run} formats={formats.value} /><Games run={run} onProblem={failed} /></>;
  return (
    <>
      <TopBar />
      <main class="page lab-page">
        <h1>{t("lab.title")}</h1>
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {there.value && cards.value.length > 0 && <Choice cards={cards.value} formats={formats.value} onBegin={begun} />}
        {run?.kind === "ab" && <Result run={run} onStop={rest}>{more}</Result>}
        {run?.kind === "balance" && <Counted run={run} onStop={rest}>{more}</Counted>}
        <Files files={files.value} onStop={rest} />
        {runs.value.length > 0 && (
          <section>
            <h2>{t("lab.all")}</h2>
            <p class="lab-links">
              <a class="button" href={api.labReport("all")} target="_blank" rel="noopener">{t("lab.report-all")}</a>
              <Tables run="all" formats={formats.value} />
            </p>
            <ul class="lab-runs">
              {runs.value.map((one) => (
                <li key={one.run}>
                  <button type="button" class="plain" aria-pressed={run?.run === one.run} onClick={() => { chosen.value = one.run; void look(); }}>
                    <strong>{t("lab.head", { title: one.title, what: one.kind === "ab" ? one.what : t("lab.balance") })}</strong>{" "}
                    {one.kind === "ab" ? one.sentence : t("lab.progress", { done: String(one.games), most: String(one.most) })}
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

const ASKED = ["rule", "balance", "data"] as const;

interface ChoiceProps {
  readonly cards: readonly GameCard[];
  readonly formats: readonly string[];
  readonly onBegin: (work: Promise<{ run?: string }>) => void;
}

function Choice({ cards, formats, onBegin }: ChoiceProps) {
  const asked = useSignal<(typeof ASKED)[number]>("rule");
  const game = useSignal(cards[0]!.game);
  const card = cards.find((c) => c.game === game.value) ?? cards[0]!;
  const [scenario, option, first, second, level, format] = [useSignal(""), useSignal(""), useSignal(""), useSignal(""), useSignal(""), useSignal("")];
  const [most, worth, games, luck] = [useSignal(200), useSignal(10), useSignal(40), useSignal(false)];
  const now = card.scenarios?.find((s) => s.name === scenario.value) ?? card.scenarios?.[0];
  const rule = card.options?.find((o) => o.name === option.value) ?? card.options?.[0];
  const levels = now?.levels ?? card.levels ?? [];
  const values = rule?.choices ?? [];
  const one = values.includes(first.value) ? first.value : (rule?.default ?? "");
  const two = values.includes(second.value) && second.value !== one ? second.value : (values.find((v) => v !== one) ?? "");
  const who = levels.includes(level.value) ? level.value : levels.includes("greedy") ? "greedy" : (levels[0] ?? "random");
  const file = formats.includes(format.value) ? format.value : (formats[0] ?? "jsonl");
  const valueName = (value: string): string => (value === "on" ? t("new.on") : value === "off" ? t("new.off") : value);
  const begin = (): void => {
    const wish = { game: card.game, scenario: now?.name ?? "", level: who };
    if (asked.value === "rule") onBegin(api.begin({ ...wish, option: rule?.name ?? "", first: one, second: two, worth: worth.value, most: most.value }));
    else if (asked.value === "balance") onBegin(api.count({ ...wish, games: games.value, luck: luck.value }));
    else onBegin(api.write({ ...wish, games: games.value, format: file }).then(() => ({})));
  };
  return (
    <form class="new-table lab-form" onSubmit={(e) => { e.preventDefault(); begin(); }}>
      <fieldset class="lab-asked">
        <legend>{t("lab.asked")}</legend>
        {ASKED.map((what) => <label key={what}><input type="radio" name="asked" value={what} checked={asked.value === what} onChange={() => (asked.value = what)} /> {t(`lab.ask-${what}`)}</label>)}
      </fieldset>
      <p class="tagline">{t(`lab.about-${asked.value}`)}</p>
      <label>{t("lab.game")}<select name="game" value={card.game} onChange={(e) => (game.value = e.currentTarget.value)}>{cards.map((c) => <option key={c.game} value={c.game}>{c.title}</option>)}</select></label>
      <label>{t("new.scenario")}<select name="scenario" value={now?.name} onChange={(e) => (scenario.value = e.currentTarget.value)}>{(card.scenarios ?? []).map((s) => <option key={s.name} value={s.name}>{scenarioTitle(s)}</option>)}</select></label>
      {asked.value === "rule" && (
        <>
          <label>{t("lab.rule")}<select name="option" value={rule?.name} onChange={(e) => (option.value = e.currentTarget.value)}>{(card.options ?? []).map((o) => <option key={o.name} value={o.name}>{o.rule ? `${o.rule} ` : ""}{o.title}</option>)}</select></label>
          <label>{t("lab.first")}<select name="first" value={one} onChange={(e) => (first.value = e.currentTarget.value)}>{values.map((v) => <option key={v} value={v}>{valueName(v)}</option>)}</select></label>
          <label>{t("lab.second")}<select name="second" value={two} onChange={(e) => (second.value = e.currentTarget.value)}>{values.filter((v) => v !== one).map((v) => <option key={v} value={v}>{valueName(v)}</option>)}</select></label>
        </>
      )}
      <label>{t("lab.players")}<select name="level" value={who} onChange={(e) => (level.value = e.currentTarget.value)}>{levels.map((l) => <option key={l} value={l}>{levelName(l)}</option>)}</select></label>
      {asked.value === "rule" ? (
        <>
          <label>{t("lab.worth")}<input name="worth" type="number" min={1} max={50} value={worth.value} onChange={(e) => (worth.value = Number(e.currentTarget.value))} /></label>
          <label>{t("lab.most")}<input name="most" type="number" min={64} max={2000} value={most.value} onChange={(e) => (most.value = Number(e.currentTarget.value))} /></label>
        </>
      ) : (
        <label>{t("lab.number")}<input name="games" type="number" min={1} max={2000} value={games.value} onChange={(e) => (games.value = Number(e.currentTarget.value))} /></label>
      )}
      {asked.value === "balance" && <label class="check"><input type="checkbox" name="luck" checked={luck.value} onChange={(e) => (luck.value = e.currentTarget.checked)} /> {t("lab.with-luck")}</label>}
      {asked.value === "data" && <label>{t("lab.format")}<select name="format" value={file} onChange={(e) => (format.value = e.currentTarget.value)}>{formats.map((f) => <option key={f} value={f}>{t(`lab.format-${f === "parquet" ? "parquet" : "jsonl"}`)}</option>)}</select></label>}
      <button type="submit" class="choice">{t("lab.run")}</button>
    </form>
  );
}

function Result({ run, onStop, children }: { readonly run: Experiment; readonly onStop: (id: string) => void; readonly children?: ComponentChildren }) {
  return (
    <section class="lab-result" aria-live="polite">
      <h2>{t("lab.head", { title: run.title, what: run.what })}</h2>
      <p><strong>{run.pairs ? run.sentence : t("lab.begun")}</strong></p>
      {run.pairs > 0 && <Interval run={run} />}
      {run.running && <progress max={run.most} value={run.pairs} aria-label={t("lab.title")} />}
      {run.course && <Course course={run.course} most={run.most} centre={0} signed side={run.side} />}
      <p class="hint">{t("lab.figures", { pairs: String(run.pairs), most: String(run.most), touched: String(run.touched), unequal: String(run.unequal), worth: String(Math.round(run.worth * 100)) })}</p>
      {run.running && <button type="button" onClick={() => onStop(run.run)}>{t("lab.stop")}</button>}
      {children}
    </section>
  );
}

function Games({ run, onProblem }: { readonly run: Run & { readonly kind: string }; readonly onProblem: (error: Error) => void }) {
  const open = (pair: number, place: number): void => {
    api.openGame(run.run, pair, place).then((found) => navigate(`/g/${found.id}`), onProblem);
  };
  if (!run.games_list || run.games_list.length === 0) return null;
  const paired = run.kind === "ab";
  return (
    <details>
      <summary>{t("lab.games")}</summary>
      <table>
        <thead><tr><th>{t(paired ? "lab.pair" : "lab.one-game")}</th>{paired && <th>{t("lab.arm")}</th>}<th>{t("lab.winner")}</th><th>{t("lab.turns")}</th><th /></tr></thead>
        <tbody>
          {run.games_list.map((g) => (
            <tr key={`${g.pair}-${g.place}`}>
              <td>{g.pair + 1}</td>
              {paired && <td>{g.arm}</td>}
              <td>{g.ended}</td>
              <td>{g.turns}</td>
              <td><button type="button" class="plain" onClick={() => open(g.pair, g.place)}>{t("lab.open")}</button></td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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
      {(reach > run.worth * 1.4 ? [-reach, -run.worth, 0, run.worth, reach] : [-run.worth, 0, run.worth]).map((v) => <text key={v} x={x(v)} y="76" text-anchor="middle">{points(v)}</text>)}
    </svg>
  );
}
