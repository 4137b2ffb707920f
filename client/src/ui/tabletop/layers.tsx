/** What lies on a measured table: labels, objectives, markers, overlays, targets as pips, ways, tapes, arcs, sight. */
import type { Point } from "../../model/geometry";
import { bearing, centimetres, cloudsOf, CM, EDGE, FACING_NAMES, degrees, facingActions, gapBetween, meetsCloud, objectivesOf, quarter, QUARTER, unit, wayTo, wedge, type TableBoard } from "../../model/tabletop";
import { inWords } from "../../model/mapfile";
import { isShown, lookOf as colourOf } from "../../model/overlays";
import type { Overlay } from "../../skins/skin";
import { layers, overlayWishes } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { lang, t } from "../../text";
import { standing } from "./models";
import { Aircraft, CloudShape, Ranging } from "./sky";
import type { TableTools } from "./tools";

interface Props {
  readonly store: TableStore;
  readonly board: TableBoard;
}
interface ToolProps extends Props {
  readonly tools: TableTools;
}

const RINGS = [10, 20, 30, 40, 60, 80, 100]; // cm

const point = (p: Point): string => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
const polygon = (shape: readonly (readonly [number, number])[], place: (p: readonly [number, number]) => Point): string => `M${shape.map((p) => point(place(p))).join("L")}Z`;

export function Labels({ board }: { readonly board: TableBoard }) {
  if (layers.numbers.value === "off") return null;
  return (
    <g class="table-labels">
      {(board.table.document.label ?? []).map((label, i) => {
        const at = unit(label.at);
        return (
          <text key={i} x={at.x} y={at.y} font-size={label.size * CM * 0.85} {...(label.angle ? { transform: `rotate(${label.angle} ${at.x} ${at.y})` } : {})}>
            {inWords(label.text, lang.value)}
          </text>
        );
      })}
    </g>
  );
}

/** Brass tokens on what is fought for, with their points; the rim tells who holds it. */
export function Objectives({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.control.value === "off") return null;
  return (
    <g class="objectives">
      {objectivesOf(board, context.view, context.sides).map(({ id, points, side }) => {
        const at = board.objectiveAt(id);
        if (!at) return null;
        const rim = side === undefined ? "#7a5a1c" : store.skin.value.colours(side, context.sides).fill;
        return (
          <g key={id} transform={`translate(${at.x + 22} ${at.y + 18})`} class="objective">
            <title>{t("tabletop.objective", { name: context.words.name(id), points, side: side === undefined ? "–" : context.words.side(side) })}</title>
            <circle r="14" fill={rim} class="objective-rim" />
            <circle r="10.500" class="objective-face" />
            <text y="5.500">{points}</text>
          </g>
        );
      })}
    </g>
  );
}

interface Marker {
  readonly kind: string;
  readonly id?: string;
  readonly at?: string;
  readonly x?: number;
  readonly y?: number;
  readonly radius?: number;
  readonly box?: readonly [number, number, number, number];
  readonly side?: string;
  readonly text?: string | number;
  readonly thin?: boolean;
  readonly wide?: number;
  readonly deep?: number;
}

/** What is built on a table: barricades of sandbags and beams, coils of wire, iron hedgehogs, signs around mines; along an edge of the table. */
function Work({ marker }: { readonly marker: Marker }) {
  const [wide, deep] = [(marker.wide ?? 0) * QUARTER, (marker.deep ?? 0) * QUARTER];
  const long = Math.max(wide, deep);
  const turned = deep > wide ? "rotate(90)" : "";
  const places = (n: number): number[] => Array.from({ length: n }, (_, i) => (i + 0.5) * (long / n) - long / 2);
  if (marker.kind === "mines")
    return (
      <g>
        <rect x={-wide / 2} y={-deep / 2} width={wide} height={deep} rx="4" class="hazard" />
        {Array.from({ length: 10 }, (_, i) => <circle key={i} cx={((i % (wide > deep ? 5 : 2)) - (wide > deep ? 2 : 0.5)) * (wide > deep ? wide / 5 : wide / 2)} cy={(Math.floor(i / (wide > deep ? 5 : 2)) - (wide > deep ? 0.5 : 2)) * (wide > deep ? deep / 2 : deep / 5)} r="3" class="mine" />)}
      </g>
    );
  return (
    <g transform={turned} class="work">
      {marker.kind === "wire" && (
        <g>
          {places(5).map((x) => <path key={x} d={`M${x} -9V9`} class="stake" />)}
          <path d={`M${-long / 2} 0${"q5 -13 10 0t10 0".repeat(Math.round(long / 20))}`} class="coil" />
          <path d={`M${-long / 2} 3${"q5 13 10 0t10 0".repeat(Math.round(long / 20))}`} class="coil" />
        </g>
      )}
      {marker.kind === "obstacle" && places(4).map((x) => <path key={x} d={`M${x - 9} -9L${x + 9} 9M${x - 9} 9L${x + 9} -9M${x} -11V11`} class="hedgehog" />)}
      {marker.kind === "barricade" && (
        <g>
          <rect x={-long / 2} y="-7" width={long} height="16" rx="4" class="heap" />
          {places(7).map((x, i) => <rect key={x} x={x - 6.5} y={i % 2 ? -8 : -2} width="13" height="8" rx="3.500" class="sandbag" transform={`rotate(${(i * 37) % 26 - 13} ${x} 0)`} />)}
          <path d={`M${-long / 2 + 6} 6L${long / 2 - 20} -6M${-long / 2 + 26} -7L${long / 2 - 8} 7`} class="beam" />
        </g>
      )}
    </g>
  );
}

export function Markers({ store, board }: Props) {
  const given = store.context.value?.view["markers"];
  if (!Array.isArray(given)) return null;
  const words = store.words.value;
  return (
    <g class="markers">
      {(given as Marker[]).filter((marker) => marker.kind !== "objective").map((marker, i) => {
        const at = marker.at !== undefined && board.sheet.has(marker.at) ? board.sheet.centre(marker.at) : quarter(marker.x ?? 0, marker.y ?? 0);
        const title = words.find(`marker.${marker.kind}`) ?? marker.kind;
        const colour = marker.side === undefined ? "#7a5a1c" : store.skin.value.colours(marker.side, store.context.value?.sides ?? []).fill;
        if (marker.kind === "smoke" && marker.box) return <g key={i} class="marker"><title>{title}</title><CloudShape cloud={{ box: marker.box, thin: marker.thin === true }} seed={i} /></g>;
        if (marker.box) {
          const corner = quarter(marker.box[0], marker.box[1]);
          return <rect key={i} x={corner.x} y={corner.y} width={marker.box[2] * QUARTER} height={marker.box[3] * QUARTER} class={`marker box ${marker.kind}`}><title>{title}</title></rect>;
        }
        if (marker.wide !== undefined)
          return (
            <g key={i} transform={`translate(${point(at)})`} class={`marker ${marker.kind}`} data-work={marker.id}>
              <title>{marker.id ? `${title}: ${words.find(`name.${marker.id}`) ?? marker.id}` : title}</title>
              <Work marker={marker} />
            </g>
          );
        const r = (marker.radius ?? 10) * QUARTER;
        return (
          <g key={i} transform={`translate(${point(at)})`} class={`marker ${marker.kind}`}>
            <title>{title}</title>
            {marker.kind === "aircraft" ? <Aircraft colour={colour} /> : marker.kind === "ranging" ? <Ranging colour={colour} /> : marker.kind === "smoke" ? <Smoke r={r} seed={i} /> : marker.kind === "crater" ? <ellipse rx={r} ry={r * 0.9} class="crater" /> : marker.kind === "mines" || marker.kind === "wire" ? <Hazard kind={marker.kind} r={r} /> : <circle r={Math.max(8, r)} class="marker-disc" />}
            {marker.text !== undefined && <text y="5">{marker.text}</text>}
          </g>
        );
      })}
    </g>
  );
}

/** Cotton wool. */
function Smoke({ r, seed }: { readonly r: number; readonly seed: number }) {
  return (
    <g class="smoke">
      {Array.from({ length: 13 }, (_, i) => {
        const [a, d] = [(i * 137.5 + seed * 40) * (Math.PI / 180), r * 0.72 * Math.sqrt(i / 13)];
        return <circle key={i} cx={(Math.cos(a) * d).toFixed(1)} cy={(Math.sin(a) * d).toFixed(1)} r={(r * (0.48 - i * 0.014)).toFixed(1)} />;
      })}
    </g>
  );
}

function Hazard({ kind, r }: { readonly kind: string; readonly r: number }) {
  return kind === "mines" ? (
    <g>
      <circle r={r} class="hazard" />
      {[0, 72, 144, 216, 288].map((a) => <circle key={a} cx={Math.cos((a * Math.PI) / 180) * r * 0.6} cy={Math.sin((a * Math.PI) / 180) * r * 0.6} r="3" class="mine" />)}
    </g>
  ) : (
    <path d={`M${-r} 0q4 -9 8 0t8 0t8 0t8 0t8 0`} class="wire" />
  );
}

interface TableOverlay extends Overlay {
  readonly points?: { readonly [point: string]: string | number };
  readonly polygons?: readonly (readonly (readonly [number, number])[])[];
  readonly wedges?: readonly { readonly at: string; readonly facing: number; readonly width: number; readonly from?: number; readonly to: number }[];
  readonly rings?: readonly { readonly at: string; readonly to: number; readonly text?: string }[];
  readonly paths?: readonly (readonly string[])[];
  readonly tapes?: readonly { readonly from: string; readonly to: string; readonly text?: string }[];
}

/** What the game lays over the table: points with words, areas, arcs, rings, ways. */
export function Overlays({ store, board }: Props) {
  const context = store.context.value;
  if (!context) return null;
  const given = store.skin.value.overlays(context) as readonly TableOverlay[];
  const has = (name: string): boolean => board.sheet.has(name);
  return (
    <g class="laid">
      {given.map((overlay, i) => {
        const shown = overlayWishes.value[overlay.key] ?? (isShown(overlay, overlayWishes.value) || overlay.wedges !== undefined || overlay.paths !== undefined);
        if (!shown) return null;
        const { colour } = colourOf(i, overlay.side === undefined ? undefined : store.skin.value.colours(overlay.side, context.sides).fill);
        return (
          <g key={overlay.key} data-overlay={overlay.key} style={{ color: colour }}>
            {(overlay.polygons ?? []).map((shape, n) => <path key={n} d={polygon(shape, ([x, y]) => quarter(x, y))} class="laid-area" />)}
            {(overlay.wedges ?? []).filter((w) => has(w.at)).map((w, n) => <path key={n} d={wedge(board.sheet.centre(w.at), w.facing, w.width, w.to * QUARTER, (w.from ?? 0) * QUARTER)} class="laid-wedge" />)}
            {(overlay.rings ?? []).filter((r) => has(r.at)).map((r, n) => <Ring key={n} at={board.sheet.centre(r.at)} r={r.to * QUARTER} text={r.text ?? ""} />)}
            {(overlay.paths ?? []).map((way, n) => <path key={n} d={`M${way.filter(has).map((p) => point(board.sheet.centre(p))).join("L")}`} class="laid-path" />)}
            {Object.entries(overlay.key === "reach" ? {} : (overlay.points ?? {})).filter(([p]) => has(p)).map(([p, word]) => {
              const at = board.sheet.centre(p);
              return word === "" ? <rect key={p} x={at.x - 12.5} y={at.y - 12.5} width="25" height="25" class="laid-cell" /> : <text key={p} x={at.x} y={at.y + 4} class="laid-word">{word}</text>;
            })}
          </g>
        );
      })}
    </g>
  );
}

function Ring({ at, r, text }: { readonly at: Point; readonly r: number; readonly text: string }) {
  return (
    <g class="range-ring">
      <circle cx={at.x} cy={at.y} r={r} />
      {text && <text x={at.x} y={at.y - r - 3}>{text}</text>}
    </g>
  );
}

/** What cannot be seen from a point, in shade: row by row, one path. */
export function SightShadow({ store, tools, board }: ToolProps) {
  const seen = tools.seen.value;
  if (!tools.looking.value || !seen) return null;
  const { cols, rows } = board.sheet;
  const step = (board.table.size[0] * CM) / cols;
  const clouds = cloudsOf(store.context.value?.view["markers"]);
  const eye = board.sheet.centre(seen.from);
  const smoked = (col: number, row: number): boolean => clouds.some((cloud) => meetsCloud(eye, { x: (col + 0.5) * step + EDGE, y: (row + 0.5) * step + EDGE }, cloud));
  let path = "";
  for (let row = 0; row < rows; row++) {
    let start = -1;
    for (let col = 0; col <= cols; col++) {
      const hidden = col < cols && (seen.blockers[row * cols + col] !== 0 || (clouds.length > 0 && smoked(col, row)));
      if (hidden && start < 0) start = col;
      if (!hidden && start >= 0) {
        path += `M${(start * step + EDGE).toFixed(1)} ${(row * step + EDGE).toFixed(1)}h${((col - start) * step).toFixed(1)}v${step.toFixed(1)}h${(-(col - start) * step).toFixed(1)}z`;
        start = -1;
      }
    }
  }
  const at = board.sheet.centre(seen.from);
  return (
    <g class="sight">
      <path d={path} />
      <circle cx={at.x} cy={at.y} r="6" class="sight-eye" />
    </g>
  );
}

/** Points that may be chosen: one path of dots, so that a thousand cost no more than ten. */
export function Pips({ store, board, tools }: ToolProps) {
  const places = store.places.value;
  if (!places.size) return null;
  const names = [...places.keys()];
  const dots = (some: readonly string[]): string => some.map((p) => `M${point(board.sheet.centre(p))}h0`).join("");
  const near = tools.drag.value?.to ?? tools.near.value ?? (store.selected.value?.kind === "hex" ? store.selected.value.key : null);
  const many = names.length > 1600;
  return (
    <g class={many ? "pips many" : "pips"} data-count={names.length}>
      <path d={dots(names)} class="pip-case" />
      <path d={dots(names)} class="pip" />
      {near !== null && places.has(near) && <circle cx={board.sheet.centre(near).x} cy={board.sheet.centre(near).y} r="10" class="pip-near" data-near={near} />}
    </g>
  );
}

/** The way of what is in hand to the point under the pointer, and how long it is. */
function measured({ store, board, tools }: ToolProps) {
  const to = tools.drag.value?.to ?? tools.near.value ?? (store.selected.value?.kind === "hex" ? store.selected.value.key : null);
  const held = [...store.held.value].map((id) => store.placeOf(id)).find((p): p is string => p !== null && board.sheet.has(p));
  if (to === null || !held || !store.choices.value.hexes.has(to)) return null;
  const way = wayTo(to, store.context.value?.view["ways"], board);
  const points = (way?.points ?? [held, to]).map((p) => board.sheet.centre(p));
  const reach = (store.skin.value.overlays(store.context.value!) as readonly TableOverlay[]).find((o) => o.key === "reach");
  const cm = way?.cm ?? reach?.points?.[to] ?? centimetres(board.sheet.centre(held), board.sheet.centre(to));
  return { points, cm, straight: !way };
}

/** The ribbon to the point under the pointer. */
export function Ribbon(props: ToolProps) {
  const found = measured(props);
  if (!found) return null;
  const path = `M${found.points.map(point).join("L")}`;
  return (
    <g class={found.straight ? "ribbon straight" : "ribbon"}>
      <path d={path} class="ribbon-case" />
      <path d={path} class="ribbon-line" />
    </g>
  );
}

/** The length of the ribbon: over the models, so that none hides it. */
export function RibbonLength(props: ToolProps) {
  const found = measured(props);
  if (!found) return null;
  return (
    <g class="ribbon-length">
      <Tag at={found.points[found.points.length - 1]!} words={t("tabletop.cm", { cm: found.cm })} />
    </g>
  );
}

/** From what is in hand to the unit that is aimed at: the line, and how far it is from edge to edge. */
export function Aim({ store, board, tools }: ToolProps) {
  const context = store.context.value;
  const selected = store.selected.value;
  const aimed = tools.aimed.value ?? (selected?.kind === "piece" ? selected.key : null);
  const held = [...store.held.value].find((id) => id !== aimed && board.sheet.has(store.placeOf(id) ?? ""));
  const [from, to] = [held === undefined ? undefined : store.byId.value.get(held), aimed === null ? undefined : store.byId.value.get(aimed)];
  if (!context || !from || !to || !store.choices.value.pieces.has(to.id) || !board.sheet.has(store.placeOf(to.id) ?? "")) return null;
  const [a, b] = [board.sheet.centre(store.placeOf(from.id)!), board.sheet.centre(store.placeOf(to.id)!)];
  const skin = store.skin.value;
  const cm = gapBetween(standing(from, skin.sideOf(from, context.sides), a), standing(to, skin.sideOf(to, context.sides), b));
  return (
    <g class="aim" data-aim={to.id}>
      <path d={`M${point(a)}L${point(b)}`} class="aim-case" />
      <path d={`M${point(a)}L${point(b)}`} class="aim-line" />
      <circle cx={b.x} cy={b.y} r="34" class="aim-ring" />
      <Tag at={{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 + 15 }} words={t("tabletop.cm", { cm })} />
    </g>
  );
}

function Tag({ at, words }: { readonly at: Point; readonly words: string }) {
  const wide = words.length * 9.5 + 18;
  return (
    <g transform={`translate(${at.x} ${at.y - 30})`} class="tape-tag">
      <rect x={-wide / 2} y="-15" width={wide} height="26" rx="13" />
      <text y="4">{words}</text>
    </g>
  );
}

/** A measuring tape with centimetres, and what stands in the way. */
export function Tape({ store, board, tools }: ToolProps) {
  const ruler = tools.ruler.value;
  if (!ruler) return null;
  const from = board.sheet.centre(ruler.from);
  const target = ruler.to ?? tools.near.value;
  if (target === null || target === ruler.from) return <circle cx={from.x} cy={from.y} r="7" class="tape-end" />;
  const to = board.sheet.centre(target);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const smoke = cloudsOf(store.context.value?.view["markers"]).some((cloud) => meetsCloud(from, to, cloud));
  const blocker = tools.blocker(ruler.from, target) ?? (smoke ? "smoke" : null);
  const words = `${t("tabletop.cm", { cm: centimetres(from, to) })} ${bearing(from, to)}${blocker ? ` · ${t("tabletop.blocked", { name: store.words.value.name(blocker) })}` : ""}`;
  const ticks = Array.from({ length: Math.floor(length / CM) + 1 }, (_, i) => `M${i * CM} -4v${i % 10 === 0 ? 8 : i % 5 === 0 ? 5 : 3}`).join("");
  return (
    <g class={blocker ? "tape blocked" : "tape"}>
      <g transform={`translate(${point(from)}) rotate(${turn.toFixed(2)})`}>
        <rect x="0" y="-4" width={length} height="8" class="tape-band" />
        <path d={ticks} class="tape-ticks" />
        {Array.from({ length: Math.floor(length / (10 * CM)) }, (_, i) => <text key={i} x={(i + 1) * 10 * CM} y="2.500" class="tape-number">{(i + 1) * 10}</text>)}
      </g>
      <Tag at={{ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }} words={words} />
    </g>
  );
}

/** Range rings and the front arc of what is selected or in hand. */
export function Rings({ store, board, tools }: ToolProps) {
  if (!tools.rings.value) return null;
  const selected = store.selected.value;
  const id = selected?.kind === "piece" ? selected.key : [...store.held.value][0];
  const piece = id === undefined ? undefined : store.byId.value.get(id);
  const place = id === undefined ? (selected?.kind === "hex" ? selected.key : null) : store.placeOf(id);
  if (place === null || !board.sheet.has(place)) return null;
  const at = board.sheet.centre(place);
  const far = Math.hypot(board.width, board.height) / 2;
  const facing = piece?.["turret"] ?? piece?.["facing"];
  return (
    <g class="rings">
      {typeof facing === "number" && <path d={wedge(at, facing, 90, 60 * CM)} class="front-arc" />}
      {RINGS.filter((cm) => cm * CM < far).map((cm) => <Ring key={cm} at={at} r={cm * CM} text={t("tabletop.cm", { cm })} />)}
    </g>
  );
}

export function Rose({ store, board }: Props) {
  const roses = facingActions(store.choices.value.buttons);
  const held = [...store.held.value].map((id) => store.placeOf(id)).find((p): p is string => p !== null && board.sheet.has(p));
  if (!held || !roses.size) return null;
  const at = board.sheet.centre(held);
  return (
    <g class="rose" transform={`translate(${point(at)})`} data-no-pan="">
      {[...roses].slice(0, 2).map(([verb, actions], ring) => {
        const r = 58 + ring * 40;
        return (
          <g key={verb}>
            <circle r={r} class="rose-ring" />
            {actions.map((action) => {
              const facing = (FACING_NAMES as readonly string[]).indexOf(action[1]);
              const a = (degrees(facing) * Math.PI) / 180;
              return (
                <g key={action[1]} transform={`translate(${(Math.sin(a) * r).toFixed(1)} ${(-Math.cos(a) * r).toFixed(1)}) rotate(${degrees(facing).toFixed(1)})`} class="rose-point" data-face={`${verb} ${action[1]}`} onClick={(event) => (event.stopPropagation(), void store.act(action))}>
                  <title>{store.say(action)}</title>
                  <circle r="12" class="rose-hit" />
                  <path d="M0 -10L7 7L0 3L-7 7Z" class="rose-arrow" />
                </g>
              );
            })}
          </g>
        );
      })}
    </g>
  );
}

/** Tracks of what moved and was fired, from the log. */
export function Tracks({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.arrows.value === "off") return null;
  const arrows = store.arrows.value.slice(-8);
  return (
    <g class="tracks">
      {arrows.map((arrow, i) => {
        const { fill } = store.skin.value.colours(arrow.side, context.sides);
        const points = arrow.hexes.map((h) => board.sheet.centre(h));
        const shot = /fire|shot|shoot|hit/.test(arrow.kind);
        return <path key={`${arrow.n} ${i}`} d={`M${points.map(point).join("L")}`} stroke={fill} class={shot ? "track shot" : "track"} opacity={0.35 + (0.5 * (i + 1)) / arrows.length} />;
      })}
    </g>
  );
}
