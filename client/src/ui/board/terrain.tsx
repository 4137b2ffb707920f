/** The map itself: the drawn layers of the map compiler where a game has them, else hexes drawn from the map file. */
import { render, type VNode } from "preact";
import { effect, type ReadonlySignal } from "@preact/signals";
import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import terrainCss from "../../styles/terrain.css?inline";
import type { Camera } from "./camera";
import { Painter, type Layer } from "./painter";
import type { Hidden } from "./pieces";
import type { Board } from "../../model/board";
import { RADIUS, type Point } from "../../model/geometry";
import { inWords } from "../../model/mapfile";
import { coveredOf, labelsOf, printedAs, type Labels } from "../../model/printed";

const TINTS: { readonly [terrain: string]: string } = {
  clear: "#ece2c2", open: "#ece2c2", plain: "#ece2c2", wood: "#b9c796", forest: "#b3c98b", bocage: "#cdd99b", hill: "#dcc391",
  hills: "#dcc391", rough: "#dcc391", mountain: "#c4a57e", mountains: "#c4a57e", marsh: "#bcd4c6", swamp: "#bcd4c6",
  difficult: "#d3bd8d", broken: "#d8cba0", bare: "#e6dab6", hilly: "#dcc391", arctic: "#e3e6df", tundra: "#dadfc9", steppe: "#ebdfae", urban: "#dfc0a6",
  desert: "#f0dfae", city: "#dfc0a6", town: "#e5cfb4", lake: "#a5c8d6", sea: "#adcbd7", water: "#a5c8d6",
};
const SIGNS: { readonly [terrain: string]: "trees" | "hill" | "peaks" | "reeds" | "waves" | undefined } = {
  wood: "trees", forest: "trees", bocage: "trees", hill: "hill", hills: "hill", rough: "hill", difficult: "hill", mountain: "peaks",
  mountains: "peaks", marsh: "reeds", swamp: "reeds", lake: "waves", sea: "waves",
};

interface Props {
  readonly board: Board;
  readonly art: readonly string[];
  readonly game: string;
  readonly lang: string;
  readonly numbers: boolean;
  readonly style: string;
  readonly camera?: Camera;
  /** What pieces hide of the printed names: it is left away. */
  readonly hidden?: ReadonlySignal<Hidden>;
}

const NEARBY = RADIUS * 3.5; // of a place, that its printed name may be away; a town of several hexes is told beside any of them

/** Maps with more hexes than this are painted once into a picture: thousands of shapes would make every pan slow. */
const MANY = 250;

export const Terrain = memo(function Terrain(props: Props) {
  const { board, art, lang, numbers, style } = props;
  const drawn = artFile(art, board.name, "base", style) !== null;
  if (!drawn && !board.beside && board.numbers.length <= MANY)
    return (
      <div class="terrain" aria-hidden="true">
        <Drawn board={board} lang={lang} numbers={numbers} />
        <div class="shade" />
      </div>
    );
  return <Picture {...props} />;
});

/** A coarse bitmap of the sheet, and over it the part on the screen at the screen's own scale. */
function Picture({ board, art, game, lang, numbers, style, camera, hidden }: Props) {
  const far = useRef<HTMLCanvasElement>(null);
  const near = useRef<HTMLCanvasElement>(null);
  const names = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const painter = new Painter(far.current!, near.current!, names.current!, board);
    const labels = printedOn(board, art, game, lang, style);
    void painter.load(layersOf(board, art, game, lang, numbers, style, labels));
    const stop = camera?.watch(painter);
    let leave = (): void => undefined;
    void labels.then((found) => {
      if (!hidden || !found) return;
      leave = effect(() =>
        painter.hide([
          ...hidden.value.plates.flatMap(({ key, name }) => printedAs(name, board.sheet.centre(key), found.printed, NEARBY)),
          ...hidden.value.bare.flatMap((pile) => coveredOf(pile.name, pile, found.printed, RADIUS * 2)),
        ]),
      );
    });
    return () => {
      stop?.();
      void labels.then(() => leave());
      painter.close();
    };
  }, [board, art, game, lang, numbers, style, camera, hidden]);
  return (
    <div class="terrain" style={{ width: `${board.width}px`, height: `${board.height}px` }} aria-hidden="true">
      <canvas class="art" ref={far} style={{ width: `${board.width}px`, height: `${board.height}px` }} />
      <canvas class="art" ref={near} hidden />
      <canvas class="art" ref={names} hidden />
      <div class="shade" />
    </div>
  );
}

const artUrl = (game: string, file: string): string => `/api/games/${game}/art/${file}`;

/** The names of places that the drawn map prints; null where it is drawn here. */
async function printedOn(board: Board, art: readonly string[], game: string, lang: string, style: string): Promise<Labels | null> {
  const file = artFile(art, board.name, "labels", style, lang);
  return file ? labelsOf(await fetchText(artUrl(game, file))) : null;
}

/** What to paint, from below: the drawn map or one made from the file, the names, the sheet of boxes. */
function layersOf(board: Board, art: readonly string[], game: string, lang: string, numbers: boolean, style: string, labels: Promise<Labels | null>): Layer[] {
  const { width, height } = board.sheet;
  const of = (map: string, x: number, wide: number, high: number): Layer[] =>
    [artFile(art, map, "base", style), artFile(art, map, "labels", style, lang)].flatMap((file) => (file ? [{ source: () => fetchText(artUrl(game, file)), x, width: wide, height: high }] : []));
  const part = (key: "others" | "places", source: Layer["source"]): Layer["source"] => async () => (await labels)?.[key] ?? (key === "others" ? source() : "");
  const main = of(board.name, 0, width, height).flatMap((layer, i) => (i === 0 ? [layer] : [{ ...layer, source: part("others", layer.source) }, { ...layer, source: part("places", layer.source), names: true }]));
  const made = { source: () => Promise.resolve(asText(<Drawn board={board} lang={lang} numbers={numbers} />)), x: 0, width, height };
  const beside = board.beside ? of(board.beside.name, board.besideX, board.beside.size[0], board.beside.size[1]) : [];
  return [...(main.length ? main : [made]), ...beside];
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

/** A drawing as the text of an SVG file that carries its own style. */
function asText(drawing: VNode): string {
  const host = document.createElement("div");
  render(drawing, host);
  const svg = host.querySelector("svg")!;
  const css = document.createElementNS("http://www.w3.org/2000/svg", "style");
  css.textContent = `:root{--serif:Georgia,"Liberation Serif",serif;--sans:"Liberation Sans",Arial,sans-serif}${terrainCss}`;
  svg.prepend(css);
  const text = new XMLSerializer().serializeToString(svg);
  render(null, host);
  return text;
}

/** A map that nobody has drawn yet, from its file alone. */
function Drawn({ board, lang, numbers }: { readonly board: Board; readonly lang: string; readonly numbers: boolean }) {
  const { width, height } = board.sheet;
  return (
    <svg class="drawn" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <rect x="3" y="3" width={width - 6} height={height - 6} class="sheet-edge" />
      <rect x="9" y="9" width={width - 18} height={height - 18} class="sheet-line" />
      <Land board={board} lang={lang} numbers={numbers} />
      <Labels board={board} lang={lang} />
    </svg>
  );
}

/** The hexes of a board with all that lies in and between them. */
export function Land({ board, lang, numbers }: { readonly board: Board; readonly lang: string; readonly numbers: boolean }) {
  return (
    <g>
      <Ground board={board} />
      <Rivers board={board} />
      <Links board={board} />
      <Places board={board} lang={lang} />
      {numbers && <Numbers board={board} />}
    </g>
  );
}

/** The file of a layer: `NAME.base.STYLE.svg`, else `base.STYLE.svg` (for the map itself), else without a style. */
export function artFile(art: readonly string[], map: string, layer: string, style: string, lang?: string): string | null {
  const tail = lang === undefined ? "" : `.${lang}`;
  const own = [`${map}.${layer}.${style}${tail}.svg`, `${map}.${layer}.classic${tail}.svg`, `${map}.${layer}${tail}.svg`];
  const main = map === "boxes" ? [] : [`${layer}.${style}${tail}.svg`, `${layer}.classic${tail}.svg`, `${layer}${tail}.svg`];
  return [...own, ...main].find((name) => art.includes(name)) ?? null;
}

function Ground({ board }: { readonly board: Board }) {
  return (
    <g>
      {board.numbers.map((n) => {
        const hex = board.file.hexes[n]!;
        const water = hex.kind === "sea" || hex.kind === "lake";
        const tint = hex.kind === "out" ? "#ddd3bb" : (TINTS[hex.terrain] ?? (water ? TINTS["sea"]! : tintOf(hex.terrain)));
        return <polygon key={n} points={board.sheet.outline(n)} fill={tint} class={water ? "hex water" : "hex"} />;
      })}
      {board.numbers.map((n) => {
        const sign = SIGNS[board.file.hexes[n]!.terrain];
        return sign ? <Sign key={n} kind={sign} at={board.sheet.centre(n)} seed={Number(n) || 1} /> : null;
      })}
    </g>
  );
}

/** A quiet colour for a terrain that we have no tint for, always the same for the same word. */
function tintOf(terrain: string): string {
  let sum = 0;
  for (const letter of terrain) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${sum} 28% 78%)`;
}

function Sign({ kind, at, seed }: { readonly kind: string; readonly at: Point; readonly seed: number }) {
  const spots = scatter(seed, kind === "peaks" ? 5 : kind === "hill" ? 4 : 9, RADIUS * 0.68);
  const path = spots
    .map(({ x, y }) => {
      const [px, py] = [(at.x + x).toFixed(1), (at.y + y).toFixed(1)];
      if (kind === "trees") return `M${px} ${py}m-5 2a5 5 0 1 1 10 0a4 4 0 0 1 -10 0m5 3v4`;
      if (kind === "hill") return `M${px} ${py}m-9 4q9 -13 18 0m-13 3l-2 4m6 -5l0 4m5 -3l2 4`;
      if (kind === "peaks") return `M${px} ${py}m-9 6l9 -15l9 15m-9 -15l-2 8l3 4`;
      if (kind === "reeds") return `M${px} ${py}m-6 0h12m-8 0v-5m4 5v-7`;
      return `M${px} ${py}q4 -4 8 0t8 0`;
    })
    .join("");
  return <path d={path} class={`sign sign-${kind}`} />;
}

/** Points inside a hex that look strewn by hand but are the same on every machine. */
function scatter(seed: number, count: number, reach: number): Point[] {
  let state = seed * 7919 + 13;
  const next = (): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const found: Point[] = [];
  for (let tries = 0; found.length < count && tries < 60; tries++) {
    const angle = next() * Math.PI * 2;
    const r = Math.sqrt(next()) * reach;
    const p = { x: Math.cos(angle) * r, y: Math.sin(angle) * r };
    if (found.every((q) => Math.hypot(p.x - q.x, p.y - q.y) > 15)) found.push(p);
  }
  return found.sort((a, b) => a.y - b.y);
}

function Rivers({ board }: { readonly board: Board }) {
  const rivers: [Point, Point][] = [];
  const others: { ends: [Point, Point]; kind: string }[] = [];
  for (const [pair, side] of Object.entries(board.file.sides ?? {})) {
    const ends = board.sheet.side(...(pair.split("|") as [string, string]));
    if (!ends) continue;
    if (side.river) rivers.push(ends);
    if (side.water) others.push({ ends, kind: "water" });
    if (side.fort) others.push({ ends, kind: "fort" });
    if (side["impassable"]) others.push({ ends, kind: "closed" });
    if (side["mountain"]) others.push({ ends, kind: "mountain" });
    if (side.frontier) others.push({ ends, kind: "frontier" });
    if (side.strait) others.push({ ends, kind: "strait" });
  }
  const path = chains(rivers).map(smooth).join("");
  return (
    <g>
      {others.map(({ ends: [a, b], kind }, i) => (
        <line key={i} x1={a.x} y1={a.y} x2={b.x} y2={b.y} class={`hexside hexside-${kind}`} />
      ))}
      <path d={path} class="river-case" />
      <path d={path} class="river" />
    </g>
  );
}

/** Sides joined end to end into long lines, so that a river flows. */
function chains(sides: readonly [Point, Point][]): Point[][] {
  const key = (p: Point): string => `${Math.round(p.x)},${Math.round(p.y)}`;
  const left = new Set(sides);
  const lines: Point[][] = [];
  for (const start of sides) {
    if (!left.delete(start)) continue;
    const line = [...start];
    for (const forward of [true, false]) {
      for (;;) {
        const end = key(forward ? line[line.length - 1]! : line[0]!);
        const next = [...left].find(([a, b]) => key(a) === end || key(b) === end);
        if (!next) break;
        left.delete(next);
        const point = key(next[0]) === end ? next[1] : next[0];
        if (forward) line.push(point);
        else line.unshift(point);
      }
    }
    lines.push(line);
  }
  return lines;
}

/** A line through the middles of its sides, rounded at the corners. */
function smooth(points: readonly Point[]): string {
  const first = points[0]!;
  if (points.length < 3) return `M${first.x.toFixed(1)} ${first.y.toFixed(1)}L${points[1]!.x.toFixed(1)} ${points[1]!.y.toFixed(1)}`;
  let path = `M${first.x.toFixed(1)} ${first.y.toFixed(1)}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [p, q] = [points[i]!, points[i + 1]!];
    path += `Q${p.x.toFixed(1)} ${p.y.toFixed(1)} ${((p.x + q.x) / 2).toFixed(1)} ${((p.y + q.y) / 2).toFixed(1)}`;
  }
  const last = points[points.length - 1]!;
  return `${path}L${last.x.toFixed(1)} ${last.y.toFixed(1)}`;
}

function Links({ board }: { readonly board: Board }) {
  const lines = { road: "", rail: "" };
  for (const [pair, link] of Object.entries(board.file.links ?? {})) {
    const [a, b] = pair.split("|") as [string, string];
    if (!board.sheet.has(a) || !board.sheet.has(b)) continue;
    const [p, q] = [board.sheet.centre(a), board.sheet.centre(b)];
    const line = `M${p.x.toFixed(1)} ${p.y.toFixed(1)}L${q.x.toFixed(1)} ${q.y.toFixed(1)}`;
    if (link["road"]) lines.road += line;
    if (link["rail"]) lines.rail += line;
  }
  return (
    <g>
      {lines.road && <path d={lines.road} class="road-case" />}
      {lines.road && <path d={lines.road} class="road" />}
      {lines.rail && <path d={lines.rail} class="rail-case" />}
      {lines.rail && <path d={lines.rail} class="rail" />}
    </g>
  );
}

function Places({ board, lang }: { readonly board: Board; readonly lang: string }) {
  const many = Object.keys(board.file.places ?? {}).length > 40;
  return (
    <g>
      {Object.entries(board.file.places ?? {}).map(([key, place]) => {
        const first = place.hexes[0];
        if (first === undefined || !board.sheet.has(first)) return null;
        const { x, y } = board.sheet.centre(first);
        return (
          <g key={key}>
            {place.hexes.map((h) => {
              const c = board.sheet.centre(h);
              if (many) return <circle key={h} cx={c.x} cy={c.y} r={/major|capital|city/.test(place.class ?? "") ? 8 : 5.5} class="town-dot" />;
              return <path key={h} class="houses" d={`M${c.x - 17} ${c.y + 14}h9v-8h7v8M${c.x + 2} ${c.y + 14}v-12l6 -6l6 6v12zM${c.x - 8} ${c.y - 4}h8v-7l-4 -4l-4 4z`} />;
            })}
            <text x={x} y={y + RADIUS * 0.8} class={many ? "place small" : "place"}>
              {inWords(place.name, lang)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Numbers({ board }: { readonly board: Board }) {
  return (
    <g class="numbers">
      {board.numbers.map((n) => {
        const { x, y } = board.sheet.centre(n);
        return (
          <text key={n} x={x} y={y - RADIUS * (board.sheet.flat ? 0.68 : 0.7)}>
            {n}
          </text>
        );
      })}
    </g>
  );
}

function Labels({ board, lang }: { readonly board: Board; readonly lang: string }) {
  return (
    <g>
      {(board.file.labels ?? []).map((label, i) => (
        <text key={i} x={label.at[0]} y={label.at[1]} class={`map-label ${label.style ?? ""}`} transform={`rotate(${label.rot ?? 0} ${label.at[0]} ${label.at[1]})`}>
          {inWords(label.text, lang)}
        </text>
      ))}
    </g>
  );
}
