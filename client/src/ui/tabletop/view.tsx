/** A measured table: mat and scenery, models, targets as points; mouse, touch and keyboard. It knows views and no game. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Spot } from "../../model/board";
import type { Point } from "../../model/geometry";
import { byDistance, CM, EDGE, roofPath, tableTitle, type TableBoard } from "../../model/tabletop";
import { layers } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { lang, t } from "../../text";
import type { Piece } from "../../wire";
import { about, Camera, type About } from "../board/camera";
import { CoachLayer } from "../board/coach";
import { GlideLayer } from "../board/glide";
import { ReportLayer } from "../board/layers";
import { HoverCard, useHover } from "../board/hover";
import { Aim, Labels, Markers, Objectives, Overlays, Pips, Ribbon, RibbonLength, Rings, Rose, SightShadow, Tape, Tracks } from "./layers";
import { baseSize, lookOf, Model, Sign } from "./models";
import { TableTools } from "./tools";

const SNAP = 26; // units within which a click finds a pip
const FAR = 45; // percent of zoom below which models are signs
const COMPASS: { readonly [key: string]: number } = { ArrowUp: 0, PageUp: 2, ArrowRight: 4, PageDown: 6, ArrowDown: 8, End: 10, ArrowLeft: 12, Home: 14 };
const LISTED = 40;

interface Props {
  readonly store: TableStore;
  readonly board: TableBoard;
}

export function TableView({ store, board }: Props) {
  const camera = useMemo(() => new Camera(), [board]);
  const tools = useMemo(() => new TableTools(store.card.peek()?.game ?? "", board), [board]);
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const dragged = useRef(false);

  useEffect(() => camera.attach(frame.current!, world.current!, board, () => mattersNow(store, board)), [camera, board]);
  const look = store.look.value;
  useEffect(() => {
    if (look && board.sheet.has(look.hex)) camera.showAll([look.hex, ...(look.also ?? [])].map((hex) => board.sheet.centre(hex)));
  }, [look]);
  const eye = eyeOf(store, board);
  useEffect(() => {
    if (tools.looking.peek() && eye) void tools.look(eye.at, eye.up);
  }, [eye?.at, eye?.up]);

  const spotUnder = (event: MouseEvent): Spot | null => {
    const piece = (event.target as Element).closest("[data-piece]")?.getAttribute("data-piece");
    const choices = store.choices.peek();
    if (piece && !tools.measuring.peek() && (!choices.hexes.size || choices.pieces.has(piece))) return { kind: "piece", key: piece };
    const at = camera.toSheet(event.clientX, event.clientY);
    const target = snapped(at, store, board);
    if (target) return { kind: "hex", key: target };
    if (piece) return { kind: "piece", key: piece };
    const point = board.sheet.at(at);
    return point === null ? null : { kind: "hex", key: point };
  };
  const hover = useHover(store, spotUnder);

  const touchAt = (event: MouseEvent): void => {
    if (hover.swallowed() || camera.wasDrag() || dragged.current) {
      dragged.current = false;
      return;
    }
    store.hover.value = null;
    const spot = spotUnder(event);
    if (tools.measuring.peek()) {
      const point = spot?.kind === "piece" ? store.placeOf(spot.key) : (spot?.key ?? null);
      if (point) tools.measure(point);
    } else if (spot) store.touch(spot);
    else store.letGo();
  };

  const pressed = (event: PointerEvent): void => {
    hover.onPointerDown(event);
    dragged.current = false;
    const id = (event.target as Element).closest("[data-drag]")?.getAttribute("data-drag");
    if (!id || event.button || tools.measuring.peek()) return;
    tools.drag.value = { piece: id, from: camera.toSheet(event.clientX, event.clientY), to: null };
    frame.current?.setPointerCapture(event.pointerId);
  };
  const moved = (event: PointerEvent): void => {
    hover.onPointerMove(event);
    const at = camera.toSheet(event.clientX, event.clientY);
    const drag = tools.drag.peek();
    if (drag) {
      if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > 12 && !dragged.current) {
        dragged.current = true;
        void store.setOut(drag.piece);
      }
      if (dragged.current) tools.drag.value = { ...drag, to: snapped(at, store, board, 400) };
      return;
    }
    if (event.pointerType !== "mouse" || event.buttons) return;
    const aimed = (event.target as Element).closest("[data-piece]")?.getAttribute("data-piece") ?? null;
    if (aimed !== tools.aimed.peek()) tools.aimed.value = aimed;
    const near = tools.measuring.peek() ? board.sheet.at(at) : snapped(at, store, board);
    if (near !== tools.near.peek()) tools.near.value = near;
  };
  const released = (event: PointerEvent): void => {
    hover.onPointerUp(event);
    const drag = tools.drag.peek();
    if (!drag) return;
    tools.drag.value = null;
    const acts = drag.to === null || !dragged.current ? [] : store.actionsOn({ kind: "hex", key: drag.to });
    if (acts.length === 1) void store.act(acts[0]!);
    else if (acts.length > 1) store.selected.value = { kind: "hex", key: drag.to! };
  };

  const moveCursor = (to: string): void => {
    store.cursor.value = to;
    tools.near.value = store.choices.peek().hexes.has(to) ? to : null;
    camera.show(board.sheet.centre(to));
    store.announcement.value = spoken(store, board, to);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const first = eyeOf(store, board)?.at ?? store.choices.peek().hexes.keys().next().value ?? [...store.stacks.peek().keys()].find((k) => board.sheet.has(k)) ?? board.numbers[0]!;
    const here = store.cursor.peek() ?? first;
    const facing = COMPASS[event.key];
    if (facing !== undefined) {
      let to = store.cursor.peek() ? here : first;
      if (store.cursor.peek()) for (let i = 0; i < (event.shiftKey ? 4 : 1); i++) to = board.sheet.go(to, facing);
      moveCursor(to);
    } else if (event.key === "Enter" || event.key === " ") {
      if (tools.measuring.peek()) tools.measure(here);
      else enter(store, here);
    } else if (event.key === "+" || event.key === "=") camera.zoom(1.25);
    else if (event.key === "-") camera.zoom(0.8);
    else if (event.key === "0") camera.fit();
    else if (event.key === "n" || event.key === "p") {
      const next = nextTarget(store, board, here, event.key === "n" ? 1 : -1);
      if (next) moveCursor(next);
    } else if (event.key === "m") toggleTape(tools);
    else if (event.key === "r") tools.rings.value = !tools.rings.peek();
    else if (event.key === "v") toggleSight(tools, store, board, here);
    else if (event.key === "Escape" && (tools.measuring.peek() || tools.drag.peek())) {
      tools.drag.value = null;
      tools.measuring.value = false;
      tools.ruler.value = null;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const { width, height } = board;
  const title = tableTitle(board.table, lang.value);
  return (
    <section class="board tabletop" aria-label={title}>
      <div
        class={tools.measuring.value ? "frame measuring" : "frame"}
        ref={frame}
        tabIndex={0}
        role="application"
        id="board"
        aria-label={t("tabletop.label", { title })}
        onKeyDown={keys}
        onClick={touchAt}
        onPointerLeave={() => (store.point([]), (tools.near.value = null), (tools.aimed.value = null), hover.onPointerLeave())}
        onPointerMove={moved}
        onPointerDown={pressed}
        onPointerUp={released}
      >
        <div class="world table-world" ref={world} style={{ width: `${width}px`, height: `${height}px` }}>
          <Scenery store={store} board={board} />
          <Zoomed camera={camera}>
            <svg class="overlay" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
              <Labels board={board} />
              <SightShadow store={store} tools={tools} board={board} />
              <Overlays store={store} board={board} />
              <Rings store={store} board={board} tools={tools} />
              <Tracks store={store} board={board} />
              <Pips store={store} board={board} tools={tools} />
              <Ribbon store={store} board={board} tools={tools} />
              <Models store={store} board={board} />
              <Markers store={store} board={board} />
              <RibbonLength store={store} board={board} tools={tools} />
              <Aim store={store} board={board} tools={tools} />
              <Objectives store={store} board={board} />
              <ReportLayer store={store} board={board} />
              <Cursor store={store} board={board} />
              <GlideLayer store={store} board={board} />
              <CoachLayer store={store} board={board} round />
              <Rose store={store} board={board} />
              <Tape store={store} board={board} tools={tools} />
            </svg>
          </Zoomed>
        </div>
      </div>
      <HoverCard store={store} />
      <Tools store={store} board={board} camera={camera} tools={tools} />
      <Targets store={store} board={board} />
    </section>
  );
}

/** The mat and what stands on it, as pictures; roofs of houses with somebody in them are off. */
function Scenery({ store, board }: Props) {
  const game = store.card.value?.game ?? "";
  const art = store.furniture.value?.art ?? [];
  const picture = (layer: string): string | null => (art.includes(`table.${board.name}.${layer}.webp`) ? `/api/games/${game}/art/table.${board.name}.${layer}.webp` : null);
  const [ground, standing] = [picture("ground"), picture("standing")];
  const [wide, deep] = [board.table.size[0] * CM, board.table.size[1] * CM];
  const box = { left: `${EDGE}px`, top: `${EDGE}px`, width: `${wide}px`, height: `${deep}px` };
  const taken = [...store.stacks.value.keys()].filter((key) => board.sheet.has(key));
  return (
    <>
      <div class="table-wood" />
      {ground ? <img src={ground} class="table-layer" style={box} alt="" draggable={false} /> : <Plain board={board} />}
      {standing && layers.pieces.value === "on" && <img src={standing} class="table-layer standing" style={{ ...box, clipPath: `path(evenodd, "${roofPath(board, taken)}")` }} alt="" draggable={false} />}
      <div class="shade" />
    </>
  );
}

/** A table that nobody has painted: its outlines. */
function Plain({ board }: { readonly board: TableBoard }) {
  const { document, size } = board.table;
  const shape = (points: readonly (readonly [number, number])[]): string => points.map(([x, y]) => `${x * CM + EDGE},${y * CM + EDGE}`).join(" ");
  return (
    <svg class="table-layer plain-table" width={board.width} height={board.height} viewBox={`0 0 ${board.width} ${board.height}`}>
      <rect x={EDGE} y={EDGE} width={size[0] * CM} height={size[1] * CM} class={`mat ${document.mat ?? "grass"}`} />
      {(document.area ?? []).map((a) => <polygon key={a.id} points={shape(a.outline ?? [])} class={`ground ${a.kind}`} />)}
      {(document.road ?? []).map((r) => <polyline key={r.id} points={shape(r.path ?? [])} class="road" stroke-width={(r.width ?? 5) * CM} />)}
      {(document.line ?? []).map((l) => <polyline key={l.id} points={shape(l.path ?? [])} class={`line ${l.kind}`} />)}
      {(document.building ?? []).flatMap((b) => b.section).map((s) => <polygon key={s.id} points={shape(s.outline ?? [])} class="house" />)}
    </svg>
  );
}

/** Far away models are signs. Apart from the rest, since it follows the zoom. */
function Zoomed({ camera, children }: { readonly camera: Camera; readonly children: ComponentChildren }) {
  return <div class={camera.percent.value < FAR ? "zoomed far" : "zoomed near"}>{children}</div>;
}

function Models({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.pieces.value === "off") return null;
  const choices = store.choices.value;
  const snow = board.table.document.mat === "snow";
  const skin = store.skin.value;
  const entries = [...store.stacks.value].filter(([key]) => board.sheet.has(key));
  const order = (p: Piece): number => (p["state"] === "wreck" ? 0 : store.held.value.has(p.id) ? 3 : 1);
  const apart = (p: Piece): boolean => typeof p["aboard"] !== "string";
  const pieces = entries
    .flatMap(([key, stack]) => stack.filter(apart).map((piece, i, all) => ({ key, piece, i, many: all.length, riders: stack.filter((p) => p["aboard"] === piece.id) })))
    .sort((a, b) => order(a.piece) - order(b.piece));
  return (
    <g class="models">
      {pieces.map(({ key, piece, i, many, riders }) => {
        const middle = board.sheet.centre(key);
        const off = many > 1 ? (i - (many - 1) / 2) * 16 : 0;
        const side = skin.sideOf(piece, context.sides);
        const look = lookOf(piece, side);
        const { fill, ink } = skin.colours(side ?? "", context.sides);
        const selected = store.selected.value;
        const chosen = selected?.kind === "piece" && selected.key === piece.id;
        const [can, held] = [choices.pieces.has(piece.id), store.held.value.has(piece.id)];
        const drags = held || (can && side !== null && store.mine.value.includes(side)); // others are shot at
        const wreck = piece["state"] === "wreck";
        const [w, h] = baseSize(look.base);
        return (
          <g key={piece.id} class={`unit${can ? " can" : ""}${held ? " held" : ""}${chosen ? " chosen" : ""}${piece["state"] === "shaken" ? " shaken" : ""}`} transform={`translate(${middle.x + off} ${middle.y + off * 0.6})`} data-piece={piece.id} data-at={key} {...(drags ? { "data-drag": piece.id, "data-no-pan": "" } : {})}>
            <title>{skin.describe(piece, context)}</title>
            {(can || held || chosen) && <circle r={Math.max(w, h) / 2 + 8} class={`unit-ring${can ? " can" : ""}${held ? " held" : ""}${chosen ? " chosen" : ""}`} />}
            <Model piece={piece} look={look} snow={snow} wreck={wreck} riders={riders} />
            {riders.map((rider, n) => <Rider key={rider.id} rider={rider} n={n} title={skin.describe(rider, context)} can={choices.pieces.has(rider.id)} held={store.held.value.has(rider.id)} ink={ink} fill={fill} />)}
            <Sign piece={piece} look={look} fill={fill} ink={ink} label={short(skin.describe(piece, context))} />
            {wreck && <Burning />}
            <Badges piece={piece} words={(word) => context.words.find(`mark.${word}`) ?? word} />
          </g>
        );
      })}
    </g>
  );
}

/** Who is aboard, as a token beside the vehicle that can be clicked when it may act. */
function Rider({ rider, n, title, can, held, ink, fill }: { readonly rider: Piece; readonly n: number; readonly title: string; readonly can: boolean; readonly held: boolean; readonly ink: string; readonly fill: string }) {
  return (
    <g transform={`translate(26 ${-16 + n * 17})`} class={`rider${can ? " can" : ""}${held ? " held" : ""}`} data-piece={rider.id}>
      <title>{title}</title>
      <circle r="8" fill={fill} class="rider-disc" />
      <text y="3.500" fill={ink}>{short(title).slice(0, 2)}</text>
    </g>
  );
}

const short = (name: string): string => name.replace(/[^\p{L}\p{N} ]/gu, "").split(" ").map((w) => w[0] ?? "").join("").slice(0, 3).toUpperCase();

function Burning() {
  return (
    <g class="burning">
      {[0, 1, 2, 3].map((i) => <circle key={i} cx={4 + i * 6} cy={-4 - i * 8} r={7 + i * 2.5} opacity={0.6 - i * 0.12} />)}
    </g>
  );
}

/** Small pictures for states; a state without one shows the first letter of its word. */
const ICONS: { readonly [mark: string]: string } = {
  activated: "M-3.500 0L-1 2.800L3.500 -2.800",
  moved: "M-3.500 -2.500L-.5 0L-3.500 2.500M.5 -2.500L3.500 0L.5 2.500",
  fired: "M0 -4V4M-4 0H4M-2.800 -2.800L2.800 2.800M2.800 -2.800L-2.800 2.800",
  suppressed: "M0 -4V1M0 3.200V3.800",
  "shot-at": "M0 -4.500V-1.500M0 1.500V4.500M-4.500 0H-1.500M1.500 0H4.500",
  hidden: "M-4 0Q0 -4.500 4 0Q0 4.500 -4 0M-3.500 3.500L3.500 -3.500",
  "dug-in": "M-4 -1Q0 5 4 -1M-4 -1H-2.500M4 -1H2.500",
  immobilised: "M-2.500 -3.500V3.500M2.500 -3.500V3.500",
  jammed: "M-3 -3L3 3M3 -3L-3 3",
  "out-of-ammo": "M-3.500 3.500L3.500 -3.500M0 -4A4 4 0 1 0 .01 -4",
  aboard: "M-4 2H4M-3 2V-2H1L3 0V2M-2 3.500A.8 .8 0 1 0 -1.990 3.500M2 3.500A.8 .8 0 1 0 2.010 3.500",
  bunker: "M-4 3V-1L-2 -3H2L4 -1V3ZM-2 0H2",
  "commander-out": "M0 -3.500A1.600 1.600 0 1 0 .01 -3.500M-3 4Q0 -1.500 3 4",
};

/** What state a unit is in: a badge for each word, with a title. */
function Badges({ piece, words }: { readonly piece: Piece; readonly words: (word: string) => string }) {
  const given = piece["marks"];
  const marks = Array.isArray(given) ? (given as string[]) : [];
  const floor = piece["floor"];
  return (
    <g class="badges">
      {marks.slice(0, 6).map((mark, i) => (
        <g key={mark} transform={`translate(${((i - (Math.min(marks.length, 6) - 1) / 2) * 13).toFixed(1)} -38)`} class={`badge ${mark}`}>
          <title>{words(mark)}</title>
          <circle r="6.500" />
          {ICONS[mark] ? <path d={ICONS[mark]} class="badge-icon" /> : <text y="3.200">{(words(mark)[0] ?? "?").toUpperCase()}</text>}
        </g>
      ))}
      {typeof floor === "number" && floor > 0 && (
        <g transform="translate(20 -18)" class="badge floor">
          <title>{t("tabletop.floor", { floor })}</title>
          <circle r="7" />
          <text y="3.500">{floor}</text>
        </g>
      )}
    </g>
  );
}

function Cursor({ store, board }: Props) {
  const cursor = store.cursor.value;
  const pointed = [...store.pointed.value].filter((p) => board.sheet.has(p));
  const cross = (p: Point): string => `M${p.x - 18} ${p.y}h12m12 0h12M${p.x} ${p.y - 18}v12m0 12v12`;
  return (
    <g class="pointed-layer">
      {pointed.map((p) => <circle key={p} cx={board.sheet.centre(p).x} cy={board.sheet.centre(p).y} r="20" class="point-mark" />)}
      {cursor && board.sheet.has(cursor) && (
        <g class="crosshair" data-cursor={cursor}>
          <path d={cross(board.sheet.centre(cursor))} class="cross-case" />
          <path d={cross(board.sheet.centre(cursor))} class="cross" />
        </g>
      )}
    </g>
  );
}

const Icon = ({ d }: { readonly d: string }) => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d={d} fill="none" stroke="currentColor" stroke-width="1.600" stroke-linejoin="round" />
  </svg>
);

function Tools({ store, board, camera, tools }: Props & { readonly camera: Camera; readonly tools: TableTools }) {
  const place = (): string => eyeOf(store, board)?.at ?? store.cursor.peek() ?? board.numbers[0]!;
  return (
    <div class="tools" data-no-pan="">
      <button type="button" onClick={() => camera.zoom(1.25)} aria-label={t("board.zoomIn")} title={t("board.zoomIn")}>+</button>
      <output class="percent" aria-live="off">{camera.percent.value} %</output>
      <button type="button" onClick={() => camera.zoom(0.8)} aria-label={t("board.zoomOut")} title={t("board.zoomOut")}>−</button>
      <button type="button" onClick={() => camera.fit()} aria-label={t("board.fit")} title={t("board.fit")}>⤢</button>
      <button type="button" class="tool-tape" aria-pressed={tools.measuring.value} onClick={() => toggleTape(tools)} aria-label={t("tabletop.tape")} title={`${t("tabletop.tape")} (M)`}><Icon d="M2 14L14 2L18 6L6 18ZM5 11l2 2M8 8l1.500 1.500M11 5l2 2" /></button>
      <button type="button" class="tool-rings" aria-pressed={tools.rings.value} onClick={() => (tools.rings.value = !tools.rings.peek())} aria-label={t("tabletop.rings")} title={`${t("tabletop.rings")} (R)`}><Icon d="M10 2a8 8 0 1 0 .01 0M10 6a4 4 0 1 0 .01 0M10 9.500a.5 .5 0 1 0 .01 0" /></button>
      <button type="button" class="tool-sight" aria-pressed={tools.looking.value} onClick={() => toggleSight(tools, store, board, place())} aria-label={t("tabletop.sight")} title={`${t("tabletop.sight")} (V)`}><Icon d="M1.500 10Q10 1.500 18.500 10Q10 18.500 1.500 10ZM10 7a3 3 0 1 0 .01 0" /></button>
      <details class="layers">
        <summary aria-label={t("board.layers")} title={t("board.layers")}>☰</summary>
        <div class="layers-list">
          {(["arrows", "control", "numbers", "pieces"] as const).map((key) => (
            <label key={key}>
              <input type="checkbox" checked={layers[key].value === "on"} onChange={(e) => (layers[key].value = e.currentTarget.checked ? "on" : "off")} />
              {t(`tabletop.layer.${key}`)}
            </label>
          ))}
        </div>
      </details>
    </div>
  );
}

/** For ears and for those who like lists: the targets by distance and bearing. */
function Targets({ store, board }: Props) {
  const choices = store.choices.value;
  const from = eyeOf(store, board)?.at ?? null;
  const [points, pieces] = [[...choices.hexes.keys()], [...choices.pieces.keys()].filter((id) => board.sheet.has(store.placeOf(id) ?? ""))];
  if (!points.length && !pieces.length) return null;
  const near = byDistance(points, from, board.sheet);
  const units = byDistance(pieces.map((id) => store.placeOf(id)!), from, board.sheet);
  return (
    <details class="boxes target-list" data-no-pan="">
      <summary>{t("tabletop.targets", { n: points.length + pieces.length })}</summary>
      <ul>
        {units.slice(0, LISTED).flatMap(({ point, cm, bearing }) =>
          (store.stacks.value.get(point) ?? []).filter((p) => choices.pieces.has(p.id)).map((p) => (
            <li key={p.id}>
              <button type="button" class="box can" onClick={() => store.touch({ kind: "piece", key: p.id })}>{t("tabletop.target", { name: store.nameOf(p.id), cm, bearing })}</button>
            </li>
          )),
        )}
        {near.slice(0, LISTED).map(({ point, cm, bearing }) => (
          <li key={point}>
            <button type="button" class="box can" onClick={() => store.touch({ kind: "hex", key: point })}>{t("tabletop.target", { name: board.describe(point, store.words.value), cm, bearing })}</button>
          </li>
        ))}
        {near.length > LISTED && <li>{t("tabletop.more", { n: near.length - LISTED })}</li>}
      </ul>
    </details>
  );
}

/** Where we look from: what is in hand, else what is selected. */
function eyeOf(store: TableStore, board: TableBoard): { readonly at: string; readonly up: number } | null {
  const selected = store.selected.value;
  const id = selected?.kind === "piece" ? selected.key : [...store.held.value].find((h) => board.sheet.has(store.placeOf(h) ?? ""));
  const floor = id === undefined ? 0 : store.byId.value.get(id)?.["floor"];
  const at = id === undefined ? (selected?.kind === "hex" ? selected.key : null) : store.placeOf(id);
  return at !== null && board.sheet.has(at) ? { at, up: typeof floor === "number" ? floor : 0 } : null;
}

/** The target nearest to a place, if it is near enough. */
export function snapped(at: Point, store: TableStore, board: TableBoard, reach = SNAP): string | null {
  const targets = store.places.peek();
  if (!targets.size) return null;
  const exact = board.sheet.at(at);
  if (exact !== null && targets.has(exact)) return exact;
  let [best, nearest] = [null as string | null, reach];
  for (const name of targets.keys()) {
    const c = board.sheet.centre(name);
    const d = Math.hypot(c.x - at.x, c.y - at.y);
    if (d < nearest) [best, nearest] = [name, d];
  }
  return best;
}

function toggleTape(tools: TableTools): void {
  tools.measuring.value = !tools.measuring.peek();
  if (!tools.measuring.peek()) tools.ruler.value = null;
}

function toggleSight(tools: TableTools, store: TableStore, board: TableBoard, here: string): void {
  tools.looking.value = !tools.looking.peek();
  const eye = eyeOf(store, board);
  if (tools.looking.peek()) void tools.look(eye?.at ?? here, eye?.up ?? 0);
}

/** A point for ears: what lies there, who stands there, how far and in which direction from what is in hand. */
function spoken(store: TableStore, board: TableBoard, point: string): string {
  const eye = eyeOf(store, board);
  const words = store.describeHex(point);
  if (!eye || eye.at === point) return words;
  const [found] = byDistance([point], eye.at, board.sheet);
  return found ? `${t("tabletop.away", { cm: found.cm, bearing: found.bearing })}: ${words}` : words;
}

/** Where what can be done now lies, else the pieces. */
function mattersNow(store: TableStore, board: TableBoard): About {
  const choices = store.choices.peek();
  const places = choices.hexes.size ? [...choices.hexes.keys()] : [...store.stacks.peek().keys()].filter((key) => board.sheet.has(key));
  if (!places.length) return { x: board.width / 2, y: board.height / 2, width: board.width, height: board.height };
  return about(places.map((p) => board.sheet.centre(p)));
}

function enter(store: TableStore, point: string): void {
  const stack = store.stacks.peek().get(point) ?? [];
  const only = stack.find((p) => store.choices.peek().pieces.has(p.id));
  if (only && !store.choices.peek().hexes.has(point)) store.touch({ kind: "piece", key: only.id });
  else store.touch({ kind: "hex", key: point });
}

/** The next target, by distance from what is in hand; the nearest to a cursor that is on none. */
function nextTarget(store: TableStore, board: TableBoard, here: string, step: 1 | -1): string | null {
  const choices = store.choices.peek();
  const places = new Set(choices.hexes.keys());
  for (const [key, stack] of store.stacks.peek()) if (board.sheet.has(key) && stack.some((p) => choices.pieces.has(p.id))) places.add(key);
  const sorted = byDistance(places, eyeOf(store, board)?.at ?? null, board.sheet).map(({ point }) => point);
  if (!sorted.length) return null;
  const at = sorted.indexOf(here);
  if (at < 0 && store.cursor.peek()) return byDistance(places, here, board.sheet)[0]!.point;
  return sorted[(at + step + sorted.length) % sorted.length] ?? sorted[0]!;
}
