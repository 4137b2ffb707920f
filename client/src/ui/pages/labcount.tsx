/** Of the designer's page: the balance of a scenario with luck and history, reports and pictures, data sets. */
import type { ComponentChildren } from "preact";
import { api, type Balance, type DataFile, type Run } from "../../net/api";
import { levelName, t } from "../../text";
import { Course } from "./labcourse";
import { shareSaid as percent } from "./labsaid";

/** How far something is, for eyes and for screen readers. */
export function Progress({ done, most, label }: { readonly done: number; readonly most: number; readonly label: string }) {
  return (
    <p class="lab-progress">
      <progress value={done} max={Math.max(1, most)} aria-label={label} /> {t("lab.progress", { done: String(done), most: String(most) })}
    </p>
  );
}

export function Counted({ run, onStop, children }: { readonly run: Balance; readonly onStop: (id: string) => void; readonly children?: ComponentChildren }) {
  return (
    <section class="lab-result" aria-live="polite">
      <h2>{t("lab.head", { title: run.title, what: t("lab.balance") })}</h2>
      <p>{t("lab.between", { level: levelName(run.level) })}</p>
      {run.games < run.most && <Progress done={run.games} most={run.most} label={t("lab.balance")} />}
      {run.running && <button type="button" onClick={() => onStop(run.run)}>{t("lab.stop")}</button>}
      {run.games > 0 && (
        <>
          <Shares run={run} />
          {run.course && <Course course={run.course} most={run.most} centre={0.5} signed={false} side={run.shares[0]?.side ?? ""} />}
          <p class="hint">{t("lab.counted", { games: String(run.games), drawn: run.drawn })}</p>
          {run.length && <Rows title={t("lab.length")} rows={run.length} />}
          {run.luck_rows && run.luck_rows.length > 0 && <Rows title={t("lab.luck")} rows={run.luck_rows} />}
          {run.history && (run.history.rows.length > 0 ? <Rows title={t("lab.history")} head={run.history.head} rows={run.history.rows} /> : <p class="hint">{t("lab.no-history")}</p>)}
        </>
      )}
      {children}
    </section>
  );
}

/** Each side's share of the points with its interval, on a scale from nothing to everything. */
function Shares({ run }: { readonly run: Balance }) {
  const x = (share: number): number => 150 + share * 440;
  const high = 40 * run.shares.length + 30;
  return (
    <svg class="lab-interval" viewBox={`0 0 740 ${high}`} role="img" aria-label={run.shares.map((s) => t("lab.share", { side: s.side, share: percent(s.share), low: percent(s.low), high: percent(s.high) })).join(" ")}>
      <line x1={x(0.5)} y1="4" x2={x(0.5)} y2={high - 24} class="lab-zero" />
      {run.shares.map((s, i) => (
        <g key={s.side}>
          <text x="140" y={40 * i + 29} text-anchor="end">{s.side}</text>
          <line x1={x(s.low)} y1={40 * i + 24} x2={x(s.high)} y2={40 * i + 24} class="lab-bar" />
          <line x1={x(s.low)} y1={40 * i + 15} x2={x(s.low)} y2={40 * i + 33} class="lab-bar" />
          <line x1={x(s.high)} y1={40 * i + 15} x2={x(s.high)} y2={40 * i + 33} class="lab-bar" />
          <circle cx={x(s.share)} cy={40 * i + 24} r="8" class="lab-mean" />
          <text x="604" y={40 * i + 29}>{percent(s.share)}</text>
        </g>
      ))}
      {[0, 0.5, 1].map((v) => <text key={v} x={x(v)} y={high - 6} text-anchor="middle">{v * 100} %</text>)}
    </svg>
  );
}

function Rows({ title, head, rows }: { readonly title: string; readonly head?: readonly string[]; readonly rows: readonly (readonly string[])[] }) {
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={title}>
      <h3>{title}</h3>
      <table>
        {head && <thead><tr>{head.map((cell) => <th key={cell}>{cell}</th>)}</tr></thead>}
        <tbody>{rows.map((row) => <tr key={row[0]}>{row.map((cell, i) => <td key={i}>{cell}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

/** The games of a run, or of all, as a table: a row a game. */
export function Tables({ run, formats }: { readonly run: string; readonly formats: readonly string[] }) {
  const kinds = ["csv", ...formats.filter((f) => f === "parquet")];
  return <>{kinds.map((kind) => <a key={kind} class="button" href={api.labRows(run, `games.${kind}`)} download={`${run}.${kind}`}>{t(`lab.rows-${kind === "csv" ? "csv" : "parquet"}`)}</a>)}</>;
}

/** The report of a run and its pictures, to look at and to keep. */
export function Papers({ run, formats }: { readonly run: Run; readonly formats: readonly string[] }) {
  if (!run.pictures || run.pictures.length === 0) return null;
  return (
    <details class="lab-papers">
      <summary>{t("lab.papers")}</summary>
      <p class="lab-links">
        <a class="button" href={api.labReport(run.run)} target="_blank" rel="noopener">{t("lab.report")}</a>
        <a class="button" href={`${api.labReport(run.run)}&keep=1`} download={`${run.run}.html`}>{t("lab.keep")}</a>
        <Tables run={run.run} formats={formats} />
      </p>
      {run.pictures.map(({ name, title }) => {
        const png = name.replace(/\.svg$/, ".png");
        return (
          <figure key={name}>
            <figcaption>
              {title} <a href={api.labPicture(run.run, name)} download={name}>SVG</a> <a href={api.labPicture(run.run, png)} download={png}>PNG</a>
            </figcaption>
            <img src={api.labPicture(run.run, name)} alt={title} loading="lazy" />
          </figure>
        );
      })}
    </details>
  );
}

const size = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} ${t("lab.kb")}` : `${(bytes / 1e6).toFixed(1)} ${t("lab.mb")}`);

export function Files({ files, onStop }: { readonly files: readonly DataFile[]; readonly onStop: (name: string) => void }) {
  if (files.length === 0) return null;
  return (
    <section>
      <h2>{t("lab.files")}</h2>
      <ul class="lab-runs">
        {files.map((file) => (
          <li key={file.name}>
            {file.running ? (
              <>
                <strong>{file.name}</strong> <Progress done={file.done ?? 0} most={file.most ?? 0} label={file.name} />
                <button type="button" onClick={() => onStop(file.name)}>{t("lab.stop")}</button>
              </>
            ) : (
              <><a href={api.dataFile(file.name)} download={file.name}>{file.name}</a> <span class="hint">{size(file.bytes)}</span></>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
