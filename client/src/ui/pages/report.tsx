/** After the game: how it stood, what the dice gave, what turned it, what cost much; and a picture to share. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../../net/api";
import { sentence, Words } from "../../model/words";
import { skinFor } from "../../skins";
import { generic } from "../../skins/generic";
import type { Skin } from "../../skins/skin";
import { fine, inNumber, lang, t } from "../../text";
import type { GameReport, Side, TableCard } from "../../wire";
import { signedAmount, turnAt, useReport, whatCame, Working } from "../reporting";
import { TopBar } from "../topbar";

const WIDE = 860;
const HIGH = 300;
const EDGE = { left: 46, right: 14, top: 16, bottom: 26 } as const;

interface Loaded {
  readonly card: TableCard;
  readonly words: Words;
  readonly skin: Skin;
}

export function ReportPage({ id }: { readonly id: string }) {
  const { report, progress, failed } = useReport(id);
  const unknown = useSignal<string | null>(null);
  const loaded = useSignal<Loaded | null>(null);
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      try {
        const card = await api.table(id);
        const [texts, skin] = await Promise.all([api.texts(card.game), skinFor(card.game).catch(() => generic)]);
        if (!gone) loaded.value = { card, words: new Words(lang.peek(), texts), skin };
      } catch (error) {
        unknown.value = error instanceof Error ? error.message : String(error);
      }
    };
    void load();
    return () => {
      gone = true;
    };
  }, [id, lang.value]);
  const { value: now } = loaded;
  const trouble = unknown.value ?? failed;
  return (
    <>
      <TopBar title={now?.card.title ?? ""} />
      <main class="page report-page">
        <p class="back"><a href={`/g/${id}`}>← {t("report.toTable")}</a></p>
        <h1>{t("report.page")}</h1>
        {trouble && <p class="failed" role="alert">{trouble}</p>}
        {!report && !trouble && <Working progress={progress} />}
        {report && now && <Whole id={id} report={report} now={now} />}
      </main>
    </>
  );
}

function Whole({ id, report, now }: { readonly id: string; readonly report: GameReport; readonly now: Loaded }) {
  const { words, skin, card } = now;
  const colour = (side: Side): string => skin.colours(side, card.seats.map((seat) => seat.side)).fill;
  const picture = useRef<SVGSVGElement>(null);
  const unit = report.measure === "chance" ? t("report.unitChance") : t("report.unitScore");
  const signed = (value: number): string => signedAmount(value, report.measure);
  const at = (n: number): string => `/g/${id}?at=${n}`;
  const result = report.result;
  const title = !result ? "" : result.winner === null ? t("table.drawn") : t("table.winner", { side: words.side(result.winner) });
  const text = sentence(fine(result?.text ?? ""));
  const said = text.startsWith(title) ? text.slice(title.length).replace(/^[\s:.,]+/, "") : text;
  const line = (row: { readonly n: number; readonly text: string; readonly came: string }) => <a href={at(row.n)} title={t("report.replay")}>{whatCame(row)}</a>;
  return (
    <>
      {title && <p class="verdict"><strong>{title}</strong>{said && `: ${said}`}</p>}
      <section class="sheet-card">
        <h2>{report.measure === "chance" ? t("report.curve") : t("report.curveScore")}</h2>
        {report.measure === "score" && <p class="hint">{t("report.noChance")}</p>}
        <Curve report={report} colour={colour} words={words} id={id} />
        <Legend sides={report.sides} colour={colour} words={words} />
      </section>
      <div class="report-columns">
        <section class="sheet-card">
          <h2>{t("report.turning")}</h2>
          <ol class="report-list">
            {report.turning.map((row) => (
              <li key={row.n}>
                <span class={row.moved > 0 ? "amount up" : "amount down"} title={unit}>{signed(row.moved)}</span>
                <span><i class="chip" style={{ background: colour(row.side) }} /> <small>{t("lobby.turn", { turn: turnAt(report, row.n) })}</small> {line(row)} {row.dice && <small>{t("report.byDice")}</small>}</span>
              </li>
            ))}
          </ol>
          <p class="hint">{t("report.forFirst", { side: words.side(report.sides[0]!), unit })}</p>
        </section>
        <section class="sheet-card">
          <h2>{t("report.luck")}</h2>
          <ul class="luck">
            {report.sides.map((side) => (
              <li key={side}><i class="chip" style={{ background: colour(side) }} /> {words.side(side)} <strong>{signed(report.luck[side] ?? 0)}</strong> <small>{unit}</small></li>
            ))}
          </ul>
          <p class="hint">{t("report.weighed", { weighed: report.weighed[0], all: report.weighed[1], exact: report.weighed[2] })}</p>
          <ol class="report-list">
            {report.rolls.filter((row) => row.luck !== 0).map((row) => (
              <li key={row.n}>
                <span class={row.luck > 0 ? "amount up" : "amount down"}>{row.exact ? "" : "≈ "}{signed(row.luck)}</span>
                <span><i class="chip" style={{ background: colour(row.side) }} /> {line(row)}</span>
              </li>
            ))}
          </ol>
          {report.dice.length > 0 && (
            <table class="by-side">
              <thead><tr><th scope="col">{t("report.dice")}</th><th scope="col">{t("report.thrown")}</th><th scope="col">{t("report.mean")}</th><th scope="col">{t("report.expected")}</th></tr></thead>
              <tbody>
                {report.dice.map((row) => (
                  <tr key={`${row.side} ${row.faces}`}><th scope="row">{row.side ? words.side(row.side) : t("report.everybody")}, {t("report.die", { faces: row.faces })}</th><td>{row.n}</td><td>{row.mean.toLocaleString(lang.value)}</td><td>{row.expected.toLocaleString(lang.value)}</td></tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
      </div>
      <section class="sheet-card">
        <h2>{t("report.costly")}</h2>
        {!report.costly.length && <p>{t("report.noneCostly", { n: report.judged })}</p>}
        <ol class="report-list">
          {report.costly.map((row) => (
            <li key={row.n}>
              <span class="amount down">−{report.measure === "chance" ? inNumber(row.cost) : Math.round(row.cost)}</span>
              <span><i class="chip" style={{ background: colour(row.side) }} /> {line(row)}<br /><small>{t("report.instead", { action: row.instead })}</small></span>
            </li>
          ))}
        </ol>
        {report.costly.length > 0 && <p class="hint">{t("report.judged", { n: report.judged, unit })}</p>}
      </section>
      <section class="sheet-card">
        <h2>{t("report.strength")}</h2>
        <Strength report={report} colour={colour} words={words} />
        <Legend sides={report.sides} colour={colour} words={words} />
      </section>
      <section class="sheet-card">
        <h2>{t("report.picture")}</h2>
        <SharedPicture box={picture} report={report} title={card.title} verdict={title} colour={colour} words={words} signed={signed} />
        <div class="menu">
          <button type="button" onClick={() => save(picture.current!, `grognard-${id}.svg`)}>{t("report.saveSvg")}</button>
          <button type="button" onClick={() => savePng(picture.current!, `grognard-${id}.png`)}>{t("report.savePng")}</button>
        </div>
      </section>
    </>
  );
}

type Colour = (side: Side) => string;

function Legend({ sides, colour, words }: { readonly sides: readonly Side[]; readonly colour: Colour; readonly words: Words }) {
  return <p class="chart-legend">{sides.map((side) => <span key={side}><i class="chip" style={{ background: colour(side) }} /> {words.side(side)}</span>)}</p>;
}

interface Scale {
  x(n: number): number;
  y(value: number): number;
}

function scaleOf(last: number, low: number, high: number): Scale {
  const [wide, tall] = [WIDE - EDGE.left - EDGE.right, HIGH - EDGE.top - EDGE.bottom];
  return { x: (n) => EDGE.left + (wide * n) / Math.max(1, last), y: (value) => EDGE.top + tall * (1 - (value - low) / Math.max(1, high - low)) };
}

const pathOf = (points: readonly (readonly [number, number])[]): string => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** Where turns begin: told below the curves. */
function turnsOf(rows: readonly { readonly n: number; readonly turn: number }[]): { readonly n: number; readonly turn: number }[] {
  return rows.filter((row, i) => i > 0 && row.turn !== rows[i - 1]!.turn);
}

function Curve({ report, colour, words, id }: { readonly report: GameReport; readonly colour: Colour; readonly words: Words; readonly id: string }) {
  const chance = report.measure === "chance";
  const shown = chance ? report.sides.slice(0, 1) : report.sides;
  const values = report.curve.flatMap((point) => point.values.slice(0, shown.length));
  const [low, high] = chance ? [0, 100] : [Math.min(...values, 0), Math.max(...values, 0)];
  const scale = scaleOf(report.entries, low, high);
  const lines = chance ? [0, 25, 50, 75, 100] : [low, 0, high];
  const byN = (n: number): number => {
    const after = report.curve.find((point) => point.n >= n) ?? report.curve[report.curve.length - 1]!;
    return after.values[0]!;
  };
  const first = report.curve.map((point): [number, number] => [scale.x(point.n), scale.y(point.values[0]!)]);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={t(chance ? "report.curve" : "report.curveScore")}>
      {lines.map((value) => (
        <g key={value} class={value === (chance ? 50 : 0) ? "grid-line middle" : "grid-line"}>
          <line x1={EDGE.left} x2={WIDE - EDGE.right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={EDGE.left - 6} y={scale.y(value) + 4}>{chance ? `${value} %` : Math.round(value)}</text>
        </g>
      ))}
      {turnsOf(report.curve).map((point) => (
        <g key={point.n} class="turn-line">
          <line x1={scale.x(point.n)} x2={scale.x(point.n)} y1={EDGE.top} y2={HIGH - EDGE.bottom} />
          <text x={scale.x(point.n) + 3} y={HIGH - EDGE.bottom + 14}>{point.turn}</text>
        </g>
      ))}
      {chance && <path d={`${pathOf(first)}L${scale.x(report.entries)} ${scale.y(50)}L${EDGE.left} ${scale.y(50)}Z`} fill={colour(report.sides[0]!)} opacity="0.16" />}
      {shown.map((side, i) => <path key={side} d={pathOf(report.curve.map((point) => [scale.x(point.n), scale.y(point.values[i]!)]))} class="curve" stroke={colour(side)} />)}
      {report.turning.map((row) => (
        <a key={row.n} href={`/g/${id}?at=${row.n}`}>
          <title>{`${words.side(row.side)}: ${row.text}`}</title>
          <circle cx={scale.x(row.n)} cy={scale.y(byN(row.n))} r="6" class="turning-dot" />
        </a>
      ))}
    </svg>
  );
}

function Strength({ report, colour, words }: { readonly report: GameReport; readonly colour: Colour; readonly words: Words }) {
  const most = Math.max(1, ...report.strength.flatMap((point) => Object.values(point.sides)));
  const scale = scaleOf(report.entries, 0, most);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={t("report.strength")}>
      {[0, Math.round(most / 2), most].map((value) => (
        <g key={value} class="grid-line">
          <line x1={EDGE.left} x2={WIDE - EDGE.right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={EDGE.left - 6} y={scale.y(value) + 4}>{value}</text>
        </g>
      ))}
      {report.sides.map((side) => (
        <g key={side}>
          <path d={pathOf(report.strength.map((point) => [scale.x(point.n), scale.y(point.sides[side] ?? 0)]))} class="curve" stroke={colour(side)} />
          {report.strength.map((point) => (
            <circle key={point.n} cx={scale.x(point.n)} cy={scale.y(point.sides[side] ?? 0)} r="3.5" fill={colour(side)}>
              <title>{`${words.side(side)}, ${t("lobby.turn", { turn: point.turn })}: ${point.sides[side] ?? 0}`}</title>
            </circle>
          ))}
        </g>
      ))}
    </svg>
  );
}

/** One card that stands alone: its colours are written into it. */
function SharedPicture({ box, report, title, verdict, colour, words, signed }: { readonly box: { current: SVGSVGElement | null }; readonly report: GameReport; readonly title: string; readonly verdict: string; readonly colour: Colour; readonly words: Words; readonly signed: (value: number) => string }) {
  const chance = report.measure === "chance";
  const [wide, high] = [800, 420];
  const values = report.curve.map((point) => point.values[0]!);
  const [low, top] = chance ? [0, 100] : [Math.min(...values, 0), Math.max(...values, 0)];
  const x = (n: number): number => 40 + (720 * n) / Math.max(1, report.entries);
  const y = (value: number): number => 120 + 210 * (1 - (value - low) / Math.max(1, top - low));
  const line = report.curve.map((point): [number, number] => [x(point.n), y(point.values[0]!)]);
  const zero = y(chance ? 50 : 0);
  const first = report.sides[0]!;
  return (
    <svg ref={box} class="shared" xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${wide} ${high}`} width={wide} height={high} font-family="Georgia, 'Liberation Serif', serif" role="img" aria-label={t("report.picture")}>
      <rect width={wide} height={high} fill="#fbf7ec" />
      <rect x="6" y="6" width={wide - 12} height={high - 12} fill="none" stroke="#cfc0a0" stroke-width="2" />
      <text x="40" y="52" font-size="26" font-weight="700" fill="#2a2119">{title}</text>
      <text x="40" y="84" font-size="19" fill="#8a2c27">{verdict}</text>
      <line x1="40" x2="760" y1={zero} y2={zero} stroke="#b8a988" stroke-dasharray="4 5" />
      <path d={`${pathOf(line)}L${x(report.entries)} ${zero}L40 ${zero}Z`} fill={colour(first)} opacity="0.2" />
      <path d={pathOf(line)} fill="none" stroke={colour(first)} stroke-width="3.5" stroke-linejoin="round" />
      {report.turning.map((row) => {
        const after = report.curve.find((point) => point.n >= row.n) ?? report.curve[report.curve.length - 1]!;
        return <circle key={row.n} cx={x(row.n)} cy={y(after.values[0]!)} r="5" fill="#b4770f" stroke="#fffaf0" stroke-width="1.5" />;
      })}
      <text x="40" y="362" font-size="16" fill="#5d4f3f">{t(chance ? "report.shareCurve" : "report.shareScore", { side: words.side(first) })}</text>
      <text x="40" y="390" font-size="16" fill="#5d4f3f">{t("report.shareLuck", { luck: report.sides.map((side) => `${words.side(side)} ${signed(report.luck[side] ?? 0)}`).join(", ") })}</text>
      <text x="760" y="390" font-size="16" text-anchor="end" fill="#8a7a60">Grognard</text>
    </svg>
  );
}

const sourceOf = (svg: SVGSVGElement): Blob => new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}

const save = (svg: SVGSVGElement, name: string): void => download(sourceOf(svg), name);

function savePng(svg: SVGSVGElement, name: string): void {
  const image = new Image();
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1600, 840];
    canvas.getContext("2d")!.drawImage(image, 0, 0, 1600, 840);
    canvas.toBlob((blob) => blob && download(blob, name), "image/png");
  };
  image.src = url;
}
