/** The board: map, pieces, targets; mouse, touch and keyboard. It knows views, maps and legal lists, and no game. */
import { computed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { capital } from "../../model/words";
import type { Board as MapBoard, Spot } from "../../model/board";
import type { Direction, Point } from "../../model/geometry";
import { inWords } from "../../model/mapfile";
import { lang, t } from "../../text";
import type { TableStore } from "../../table/store";
import { layers, mapStyle, type MapStyle } from "../../table/settings";
import { about, Camera, type About } from "./camera";
import { ArrowHeads, ArrowLayer, BattleLayer, ControlLayer, DragLayer, MarkLayer, PointedLayer, PreviewLayer, ReportLayer, TargetLayer, ThenLayer, WayLayer } from "./layers";
import { dressed, Legend, OverlayLayer, OverlayWords, wish } from "./overlays";
import { useDrag } from "./drag";
import { CoachLayer } from "./coach";
import { GlideLayer } from "./glide";
import { HoverCard, useHover } from "./hover";
import { NameLayer, PieceLayer, hiddenNames, SpreadLayer } from "./pieces";
import { Terrain } from "./terrain";
import { PieceFace } from "./piece";

const ARROWS: { readonly [key: string]: Direction } = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const STYLES = ["classic", "colour-blind", "contrast"] as const;

export function BoardView({ store, board }: { readonly store: TableStore; readonly board: MapBoard }) {
  const camera = useMemo(() => new Camera(), [board]);
  const hidden = useMemo(() => computed(() => hiddenNames(store, board)), [store, board]);
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const walk = useRef<Point | null>(null);

  useEffect(() => camera.attach(frame.current!, world.current!, board, () => mattersNow(store, board)), [camera, board]);
  const look = store.look.value;
  useEffect(() => {
    if (look && board.sheet.has(look.hex)) camera.showAll([look.hex, ...(look.also ?? [])].map((hex) => board.sheet.centre(hex)));
  }, [look]);

  const version = store.state.value?.version;
  useEffect(() => camera.bringOne(placesNow(store, board).map((hex) => board.sheet.centre(hex))), [camera, version]);

  const hover = useHover(store, (event) => spotUnder(event, store, board, camera));
  const drag = useDrag(store, board, camera, hover.hush);
  const touchAt = (event: MouseEvent): void => {
    if (drag.dropped() || hover.swallowed() || camera.wasDrag()) return;
    store.hover.value = null;
    const spot = spotUnder(event, store, board, camera);
    if (spot) store.touch(spot);
    else store.letGo();
  };

  const moveCursor = (to: string): void => {
    store.cursor.value = to;
    camera.show(board.sheet.centre(to));
    store.announcement.value = store.describeHex(to);
  };

  const keys = (event: KeyboardEvent): void => {
    const here = store.cursor.peek() ?? store.choices.peek().hexes.keys().next().value ?? firstOwn(store, board) ?? board.numbers[0]!;
    const direction = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      const home = walk.current ?? board.sheet.centre(here);
      walk.current = home;
      moveCursor(store.cursor.peek() ? board.sheet.step(here, direction, home) : here);
      const now = board.sheet.centre(store.cursor.peek()!);
      walk.current = direction === "up" || direction === "down" ? { x: home.x, y: now.y } : { x: now.x, y: home.y };
    } else if (event.key === "Enter" || event.key === " ") {
      enter(store, here);
    } else if (event.key === "+" || event.key === "=") camera.zoom(1.25);
    else if (event.key === "-") camera.zoom(0.8);
    else if (event.key === "0") camera.fit();
    else if (event.key === "n" || event.key === "p") {
      const next = nextTarget(store, here, event.key === "n" ? 1 : -1);
      if (next) moveCursor(next);
      else store.announcement.value = t("board.noTarget");
      walk.current = null;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const pointerLeaves = (): void => {
    store.point([]);
    hover.onPointerLeave();
  };
  const { width, height } = board;
  return (
    <section class="board" aria-label={inWords(board.file.title, lang.value)}>
      <div
        class="frame"
        ref={frame}
        tabIndex={0}
        role="application"
        id="board"
        aria-label={t("board.label", { title: inWords(board.file.title, lang.value) })}
        onKeyDown={keys}
        onClick={touchAt}
        onPointerLeave={pointerLeaves}
        onPointerMove={hover.onPointerMove}
        onPointerDown={hover.onPointerDown}
        onPointerUp={hover.onPointerUp}
        onPointerDownCapture={drag.onPointerDownCapture}
        onPointerMoveCapture={drag.onPointerMoveCapture}
        onPointerUpCapture={drag.onPointerUpCapture}
        onPointerCancelCapture={drag.onPointerCancelCapture}
      >
        <div class="world" ref={world} style={{ width: `${width}px`, height: `${height}px` }}>
          <Terrain board={board} art={store.furniture.value?.art ?? []} game={store.card.value?.game ?? ""} lang={lang.value} numbers={layers.numbers.value === "on"} style={mapStyle.value} camera={camera} hidden={hidden} />
          <svg class="overlay" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            <ArrowHeads store={store} />
            <ControlLayer store={store} board={board} />
            <OverlayLayer store={store} board={board} />
            <TargetLayer store={store} board={board} />
            <ThenLayer store={store} board={board} />
            <OverlayWords store={store} board={board} />
            <PointedLayer store={store} board={board} />
            <PieceLayer store={store} board={board} />
            <NameLayer hidden={hidden} />
            <MarkLayer store={store} board={board} />
            <ReportLayer store={store} board={board} />
            <BattleLayer store={store} board={board} />
            <ArrowLayer store={store} board={board} />
            <WayLayer store={store} board={board} />
            <PreviewLayer store={store} board={board} />
            <CoachLayer store={store} board={board} />
            <GlideLayer store={store} board={board} />
            <SpreadLayer store={store} board={board} camera={camera} />
            <DragLayer store={store} board={board} />
          </svg>
        </div>
      </div>
      <HoverCard store={store} />
      <Tools store={store} camera={camera} />
      <Legend store={store} />
      <Boxes store={store} board={board} />
    </section>
  );
}

/** The hexes that our decision asks about: those to choose from, else where a piece could be picked up. */
function placesNow(store: TableStore, board: MapBoard): string[] {
  const choices = store.choices.peek();
  if (choices.hexes.size) return [...choices.hexes.keys()].filter((key) => board.sheet.has(key));
  return [...store.stacks.peek()].filter(([key, stack]) => board.sheet.has(key) && stack.some((p) => choices.pieces.has(p.id))).map(([key]) => key);
}

/** Where what can be done now lies, else our pieces, else all: its middle and how far it reaches. */
function mattersNow(store: TableStore, board: MapBoard): About {
  const stacks = [...store.stacks.peek()].filter(([key]) => board.sheet.has(key));
  const own = stacks.filter(([, stack]) => stack.some((p) => store.skin.peek().sideOf(p, store.sides.peek()) === store.state.peek()?.as));
  const now = placesNow(store, board);
  const hexes = now.length ? now : (own.length ? own : stacks).map(([key]) => key);
  const { width, height } = board.sheet;
  if (!hexes.length) return { x: width / 2, y: height / 2, width, height };
  return about(hexes.map((hex) => board.sheet.centre(hex)));
}

/** What lies under the pointer: a piece, a side, a box, else the hex. */
function spotUnder(event: MouseEvent, store: TableStore, board: MapBoard, camera: Camera): Spot | null {
  const element = event.target as Element;
  const piece = element.closest("[data-piece]")?.getAttribute("data-piece");
  if (piece) {
    const pile = element.closest("[data-pile]")?.getAttribute("data-pile");
    const stack = pile ? (store.stacks.peek().get(pile) ?? []) : [];
    const choices = store.choices.peek();
    if (pile && stack.length > 1) return { kind: board.sheet.has(pile) ? "hex" : "area", key: pile };
    if (pile && !choices.pieces.has(piece) && choices.hexes.has(pile)) return { kind: "hex", key: pile };
    return { kind: "piece", key: piece };
  }
  const side = element.closest("[data-side]")?.getAttribute("data-side");
  if (side) return { kind: "side", key: side };
  const area = element.closest("[data-area]")?.getAttribute("data-area");
  if (area) return { kind: "area", key: area };
  if (element.closest(".spread")) return null;
  const hex = board.sheet.at(camera.toSheet(event.clientX, event.clientY));
  return hex === null ? null : { kind: "hex", key: hex };
}

/** Enter on the cursor: a lone piece is meant itself, a pile opens, a target acts. */
function enter(store: TableStore, hex: string): void {
  const stack = store.stacks.peek().get(hex) ?? [];
  const only = stack.length === 1 ? stack[0]! : null;
  const area = store.areaAt(hex);
  if (only && store.choices.peek().pieces.has(only.id) && !store.choices.peek().hexes.has(hex)) store.touch({ kind: "piece", key: only.id });
  else if (area !== null && !store.choices.peek().hexes.has(hex)) store.touch({ kind: "area", key: area });
  else store.touch({ kind: "hex", key: hex });
}

/** Where the first of one's own units stands: who walks over the map by keys begins there. */
function firstOwn(store: TableStore, board: MapBoard): string | undefined {
  const [as, sides, skin] = [store.state.peek()?.as, store.sides.peek(), store.skin.peek()];
  return [...store.stacks.peek()].filter(([key, stack]) => board.sheet.has(key) && stack.some((piece) => skin.sideOf(piece, sides) === as)).map(([key]) => key).sort()[0];
}

/** The next hex with something to do, in the order of the numbers. */
function nextTarget(store: TableStore, here: string, step: 1 | -1): string | null {
  const choices = store.choices.peek();
  const found = new Set(choices.hexes.keys());
  for (const [key, stack] of store.stacks.peek()) if (stack.some((p) => choices.pieces.has(p.id)) && store.board.peek()?.sheet.has(key)) found.add(key);
  const board = store.board.peek();
  for (const key of choices.areas.keys()) {
    const hexes = board?.area(key)?.hexes;
    if (hexes?.length) found.add([...hexes].sort()[Math.floor(hexes.length / 2)]!); // a zone, by one of its hexes
  }
  const sorted = [...found].sort();
  if (!sorted.length) return null;
  if (step === 1) return sorted.find((h) => h > here) ?? sorted[0]!;
  return sorted.reverse().find((h) => h < here) ?? sorted[0]!;
}

/** Apart from the tools, since it changes at every step of a zoom. */
const Percent = ({ camera }: { readonly camera: Camera }) => <output class="percent" aria-live="off">{camera.percent.value} %</output>;

function Tools({ store, camera }: { readonly store: TableStore; readonly camera: Camera }) {
  return (
    <div class="tools" data-no-pan="">
      <button type="button" onClick={() => camera.zoom(1.25)} aria-label={t("board.zoomIn")} title={t("board.zoomIn")}>+</button>
      <Percent camera={camera} />
      <button type="button" onClick={() => camera.zoom(0.8)} aria-label={t("board.zoomOut")} title={t("board.zoomOut")}>−</button>
      <button type="button" onClick={() => camera.fit()} aria-label={t("board.fit")} title={t("board.fit")}>⤢</button>
      <details class="layers">
        <summary aria-label={t("board.layers")} title={t("board.layers")}>☰</summary>
        <div class="layers-list">
          {(["arrows", "control", "numbers", "pieces"] as const).map((key) => (
            <label key={key}>
              <input type="checkbox" checked={layers[key].value === "on"} onChange={(e) => (layers[key].value = e.currentTarget.checked ? "on" : "off")} />
              {t(`board.layer.${key}`)}
            </label>
          ))}
          {STYLES.some((style) => style !== "classic" && store.furniture.value?.art.includes(`base.${style}.svg`)) && (
            <label>
              {t("board.style")}{" "}
              <select value={mapStyle.value} onChange={(e) => (mapStyle.value = e.currentTarget.value as MapStyle)}>
                {STYLES.map((style) => <option key={style} value={style}>{t(`board.style.${style}`)}</option>)}
              </select>
            </label>
          )}
          {dressed(store).map(({ overlay, shown }) => (
            <label key={overlay.key}>
              <input type="checkbox" checked={shown} onChange={(e) => wish(overlay, e.currentTarget.checked)} />
              {overlay.title}
            </label>
          ))}
        </div>
      </details>
    </div>
  );
}

/** Boxes beside the map, and places that the map does not show, with the pieces in them. */
function Boxes({ store, board }: { readonly store: TableStore; readonly board: MapBoard }) {
  const context = store.context.value;
  if (!context) return null;
  const stacks = store.stacks.value;
  const choices = store.choices.value;
  const keys = new Set(board.boxes().map(([key]) => key));
  for (const key of stacks.keys()) if (!board.sheet.has(key) && !board.centre({ kind: "area", key })) keys.add(key);
  const live = [...keys].filter((key) => stacks.get(key)?.length || choices.areas.has(key));
  if (!live.length) return null;
  const wanted = live.some((key) => choices.areas.has(key) || (stacks.get(key) ?? []).some((p) => choices.pieces.has(p.id)));
  const narrow = globalThis.matchMedia?.("(max-width: 600px)").matches ?? false; // where an open box would hide the front
  return (
    <details class={wanted ? "boxes wanted" : "boxes"} data-no-pan="" open={(wanted && !narrow) || undefined}>
      <summary>{t("board.boxes")} ({live.reduce((sum, key) => sum + (stacks.get(key)?.length ?? 0), 0) || live.length})</summary>
      <ul>
        {live.map((key) => {
          const stack = stacks.get(key) ?? [];
          const can = choices.areas.has(key) || stack.some((p) => choices.pieces.has(p.id));
          return (
            <li key={key}>
              <button type="button" data-box={key} class={can ? "box can" : "box"} onClick={() => store.touch({ kind: "area", key })}>
                <span class="box-name">{capital(store.nameOf(key))}</span>
                <svg width={Math.min(stack.length, 6) * 30 + 4} height="32" aria-hidden="true">
                  {stack.slice(0, 6).map((p, i) => (
                    <PieceFace key={p.id} face={store.skin.value.face(p, context)} x={17 + i * 30} y={16} size={26} />
                  ))}
                </svg>
                {stack.length > 6 && <span class="more">+{stack.length - 6}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
