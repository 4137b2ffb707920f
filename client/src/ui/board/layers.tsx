/** What lies between the map and the pieces, and over them: control, overlays, targets, arrows, battles. */
import { arrowPath, RADIUS, type Point } from "../../model/geometry";
import type { Board, Spot } from "../../model/board";
import { pathOf } from "../../model/happenings";
import { PieceFace } from "./piece";
import type { TableStore } from "../../table/store";
import { layers } from "../../table/settings";
import { t } from "../../text";

interface Props {
  readonly store: TableStore;
  readonly board: Board;
}

/** Flags of empty places: whoever stands in a place says himself whose it is. */
export function ControlLayer({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.control.value === "off") return null;
  const skin = store.skin.value;
  const control = skin.control(context);
  const few = control.size <= 60;
  return (
    <g class="control">
      {[...control].map(([hex, side]) => {
        if (store.stacks.value.has(hex)) return null;
        const { fill } = skin.colours(side, context.sides);
        const { x, y } = board.sheet.centre(hex);
        if (!few) return <path key={hex} d={`M${x - 31} ${y + 27}v-17h15v9h-15`} fill={fill} class="small-flag" />;
        return (
          <g key={hex} transform={`translate(${x - RADIUS * 0.7} ${y - RADIUS * 0.5}) scale(0.8)`}>
            <title>{context.words.side(side)}</title>
            <path d="M0 26V0" class="pole" />
            <path d="M0 0q7 -4 13 0t12 0v13q-6 4 -12 0t-13 0z" fill={fill} class="flag" />
          </g>
        );
      })}
    </g>
  );
}

/** Markers of a hex (works, ruins, depots) lie over its pieces. */
export function MarkLayer({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.control.value === "off") return null;
  return (
    <g class="control">
      {store.skin.value.hexMarks(context).map((mark, i) => {
        const { x, y } = board.sheet.centre(mark.hex);
        return (
          <g key={`m${i}`} transform={`translate(${x + RADIUS * 0.5} ${y - RADIUS * 0.45})`} class={`hex-mark ${mark.tone ?? "plain"}`}>
            <title>{mark.title}</title>
            <rect x="-11" y="-9" width="22" height="17" rx="3" {...(mark.fill ? { fill: mark.fill } : {})} />
            <text y="4">{mark.text}</text>
          </g>
        );
      })}
    </g>
  );
}

/** Targets glow by a double outline and a tick in the corner, never by colour alone. */
export function TargetLayer({ store, board }: Props) {
  const choices = store.choices.value;
  const selected = store.selected.value;
  const areas = [...choices.areas.keys()].filter((key) => board.area(key)?.hexes?.length);
  const boxes = board.drawnBoxes();
  return (
    <g class="targets">
      {[...choices.hexes.keys()].map((hex) => (
        <g key={hex} class={`target${selected?.kind === "hex" && selected.key === hex ? " chosen" : ""}${store.isFoeAt(hex) ? " foe" : ""}`} data-target={hex}>
          <polygon points={board.sheet.outline(hex, 0.93)} class="glow-under" />
          <polygon points={board.sheet.outline(hex, 0.93)} class="glow" />
          <Tick at={board.sheet.centre(hex)} flat={board.sheet.flat} />
        </g>
      ))}
      {areas.map((key) => {
        const hexes = board.area(key)!.hexes!;
        const edge = board.sheet.border(hexes);
        const middle = board.centre({ kind: "area", key })!;
        return (
          <g key={key} class="area-target" data-area={key}>
            {hexes.map((hex) => <polygon key={hex} points={board.sheet.outline(hex)} class="area-hit" />)}
            <path d={edge} class="glow-under" />
            <path d={edge} class="glow" />
            <text x={middle.x} y={middle.y} class="area-name">{store.nameOf(key)}</text>
          </g>
        );
      })}
      {boxes.map(([key, box]) => (
        <g key={key} class={choices.areas.has(key) ? "box-target can" : "box-target"} data-area={key}>
          {choices.areas.has(key) && <rect {...box} rx="6" class="glow-under" />}
          <rect {...box} rx="6" class={choices.areas.has(key) ? "glow" : "box-hit"} />
        </g>
      ))}
      {[...choices.sides.keys()].map((key) => {
        const ends = board.sheet.side(...(key.split("|") as [string, string]));
        return ends ? <line key={key} x1={ends[0].x} y1={ends[0].y} x2={ends[1].x} y2={ends[1].y} class="side-glow" data-side={key} /> : null;
      })}
    </g>
  );
}

/** Where the selected piece could go once it is picked up: dotted, and one click does both. */
export function ThenLayer({ store, board }: Props) {
  const then = store.then.value;
  if (!then) return null;
  const over = store.dragged.value?.over ?? null;
  const { reach } = then.next;
  return (
    <g class="thens">
      {[...then.choices.hexes.keys()].map((hex) => {
        const { x, y } = board.sheet.centre(hex);
        return (
          <g key={hex} class={`then${hex === over ? " over" : ""}${store.isFoeAt(hex) ? " foe" : ""}`} data-then={hex}>
            <polygon points={board.sheet.outline(hex, 0.9)} />
            {reach[hex] !== undefined && reach[hex] !== "" && !store.stacks.value.has(hex) && <text x={x} y={y + 6}>{reach[hex]}</text>}
          </g>
        );
      })}
      {[...then.choices.areas.keys()].map((key) => {
        const box = board.boxAt(key);
        const hexes = board.area(key)?.hexes;
        if (box) return <rect key={key} {...box} rx="6" class="then" data-area={key} data-then={key} />;
        return hexes?.length ? <path key={key} d={board.sheet.border(hexes)} class="then" /> : null;
      })}
    </g>
  );
}

/** The way of what the pointer rests on, as the rules would go it. */
export function PreviewLayer({ store, board }: Props) {
  const hover = store.hover.value;
  const orders = hover ? store.plannedAt(hover.spot) : [];
  const next = store.ahead.of(orders);
  if (!next) return null;
  const ways = next.told.map((event) => pathOf(event, board)).filter((path) => path.length > 1);
  return (
    <g class="preview">
      {ways.map((path, i) => (
        <g key={i}>
          <path d={arrowPath(path.map((hex) => board.sheet.centre(hex)), 20, 14)} class="preview-case" />
          <path d={arrowPath(path.map((hex) => board.sheet.centre(hex)), 20, 14)} class="preview-line" marker-end="url(#head-way)" />
        </g>
      ))}
    </g>
  );
}

/** The piece that is being dragged. */
export function DragLayer({ store }: Props) {
  const drag = store.dragged.value;
  const context = store.context.value;
  const piece = drag ? store.byId.value.get(drag.piece) : undefined;
  if (!drag || !context || !piece) return null;
  return (
    <g class="dragging" data-dragged={drag.piece}>
      <PieceFace face={store.skin.value.face(piece, context)} x={drag.x} y={drag.y} size={54} />
    </g>
  );
}

function Tick({ at, flat }: { readonly at: Point; readonly flat: boolean }) {
  const y = at.y + RADIUS * (flat ? 0.72 : 0.74);
  return <circle cx={at.x} cy={y} r="4" class="tick" />;
}

export function PointedLayer({ store, board }: Props) {
  const selected = store.selected.value;
  const cursor = store.cursor.value;
  const outline = (hex: string, name: string) => (board.sheet.has(hex) ? <polygon key={name + hex} points={board.sheet.outline(hex, 0.98)} class={name} /> : null);
  return (
    <g class="pointed-layer">
      {[...store.pointed.value].map((hex) => outline(hex, "pointed"))}
      {selected?.kind === "hex" && outline(selected.key, "selected")}
      {cursor && outline(cursor, "cursor")}
    </g>
  );
}

/** Where the second noun may lie, when what is selected can be meant in several ways: one more click says which. */
export function WayLayer({ store, board }: Props) {
  const selected = store.selected.value;
  const ways = store.ways.value;
  if (!selected || !ways.length) return null;
  const place = (spot: Spot): Spot | null => {
    if (spot.kind !== "piece") return spot;
    const key = store.placeOf(spot.key);
    return key === null ? null : { kind: board.sheet.has(key) ? "hex" : "area", key };
  };
  const middle = (spot: Spot): Point | null => {
    const at = place(spot);
    return at && board.centre(at);
  };
  const target = middle(selected);
  return (
    <g class="ways">
      {ways.map(({ spot, action }) => {
        const [at, from] = [place(spot), middle(spot)];
        if (!at || !from) return null;
        const arrow = target && selected.kind !== "piece" && (from.x !== target.x || from.y !== target.y);
        return (
          <g key={action[1]} class="way" data-way={at.key} {...(at.kind === "area" ? { "data-area": at.key } : {})}>
            <title>{store.say(action)}</title>
            {at.kind === "hex" && <polygon points={board.sheet.outline(at.key, 0.86)} class="way-edge" />}
            {at.kind === "area" && board.boxAt(at.key) && <rect {...board.boxAt(at.key)} rx="6" class="way-edge" />}
            {arrow && <path d={arrowPath([from, target], 30, 30)} class="way-line" marker-end="url(#head-way)" />}
          </g>
        );
      })}
    </g>
  );
}

export function ArrowLayer({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.arrows.value === "off") return null;
  const skin = store.skin.value;
  return (
    <g class="arrows">
      {store.arrows.value.map((arrow, i) => {
        const path = arrowPath(arrow.hexes.map((h) => board.sheet.centre(h)), 34, 22);
        const { fill } = skin.colours(arrow.side, context.sides);
        const last = i === store.arrows.value.length - 1;
        return (
          <g key={`${arrow.n} ${i}`} class={last ? "arrow last" : "arrow"} style={{ color: fill }}>
            <path d={path} class="arrow-case" />
            <path d={path} class="arrow-line" stroke={fill} marker-end={`url(#head-${Math.max(0, context.sides.indexOf(arrow.side))})`} />
          </g>
        );
      })}
    </g>
  );
}

export function ArrowHeads({ store }: { readonly store: TableStore }) {
  const sides = store.sides.value;
  return (
    <defs>
      <marker id="head-way" viewBox="0 0 10 10" refX="4" refY="5" markerWidth="3.4" markerHeight="3.4" orient="auto">
        <path d="M0 0.500 9.500 5 0 9.500 2.500 5z" class="way-head" />
      </marker>
      {sides.map((side, i) => (
        <marker key={side} id={`head-${i}`} viewBox="0 0 10 10" refX="4" refY="5" markerWidth="3.8" markerHeight="3.8" orient="auto">
          <path d="M0 0.500 9.500 5 0 9.500 2.500 5z" fill={store.skin.value.colours(side, sides).fill} stroke="#fffaf0" stroke-width="0.5" />
        </marker>
      ))}
    </defs>
  );
}

/** Where this turn's battles were fought. */
export function ReportLayer({ store, board }: Props) {
  const fought = new Map<string, number>();
  for (const report of store.turnReports.value) if (report.place !== null && board.sheet.has(report.place)) fought.set(report.place, (fought.get(report.place) ?? 0) + 1);
  return (
    <g class="reports-layer">
      {[...fought].map(([hex, n]) => {
        const { x, y } = board.sheet.centre(hex);
        return (
          <g key={hex} transform={`translate(${x - RADIUS * 0.56} ${y + RADIUS * 0.5})`} class="burst" data-report={hex}>
            <title>{t("report.turn", { n })}</title>
            <path d="M0 -10 2.600 -4 8.700 -6.700 5.500 -1 11 2 4.800 3.500 5 10 0 5.500 -5 10 -4.800 3.500 -11 2 -5.500 -1 -8.700 -6.700 -2.600 -4z" />
            {n > 1 && <text y="4">{n}</text>}
          </g>
        );
      })}
    </g>
  );
}

export function BattleLayer({ store, board }: Props) {
  const fought = store.battle.value?.hex ?? store.aim.value;
  const hexes = new Set([...store.contested.value, ...(fought && board.sheet.has(fought) ? [fought] : [])]);
  return (
    <g class="battles">
      {[...hexes].map((hex) => {
        const { x, y } = board.sheet.centre(hex);
        return (
          <g key={hex} class={hex === fought ? "fight fought" : "fight"}>
            {hex === fought && <polygon points={board.sheet.outline(hex, 1)} class="battle-ring" />}
            <g transform={`translate(${x} ${y - RADIUS * 0.72})`}>
              <title>{t(hex === store.aim.value ? "board.aim" : "board.battle")}</title>
              <circle r="12" />
              <path d="M-6 -6 6 6M6 -6 -6 6M-7 3l4 4M7 3l-4 4" />
            </g>
          </g>
        );
      })}
    </g>
  );
}
