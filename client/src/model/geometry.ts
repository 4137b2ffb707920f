/**
 * Where every hex lies on the drawn sheet. The same frame as the map compiler's pictures: one unit is one CSS pixel at
 * 100 %, a hex has a circumradius of RADIUS, the sheet a margin of MARGIN; x grows to the right, y downwards.
 */
import type { Grid } from "./mapfile";

export const RADIUS = 50;
export const MARGIN = 30;
const ROOT3 = Math.sqrt(3);

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Direction = "left" | "right" | "up" | "down";

export class Sheet {
  readonly width: number;
  readonly height: number;
  readonly flat: boolean;
  private readonly known: ReadonlySet<string>;
  private readonly cells = new Map<string, string>();

  constructor(
    readonly grid: Grid,
    numbers: Iterable<string>,
  ) {
    this.flat = grid.orientation === "flat";
    this.known = new Set(numbers);
    const { rows, cols } = grid;
    this.width = (this.flat ? RADIUS * (1.5 * cols + 0.5) : RADIUS * ROOT3 * (cols + 0.5)) + 2 * MARGIN;
    this.height = (this.flat ? RADIUS * ROOT3 * (rows + 0.5) : RADIUS * (1.5 * rows + 0.5)) + 2 * MARGIN;
    for (const number of this.known) this.cells.set(this.key(this.centre(number)), number);
  }

  /** Printed row and column of a printed number. */
  split(number: string): [row: number, col: number] {
    const cut = this.grid.numbering.digits[0];
    const pair: [number, number] = [Number(number.slice(0, cut)), Number(number.slice(cut))];
    return this.grid.numbering.order === "row-col" ? pair : [pair[1], pair[0]];
  }

  centre(number: string): Point {
    const { numbering, rows, cols, shifted, shift } = this.grid;
    const first = numbering.first ?? [1, 1];
    const [firstRow, firstCol] = numbering.order === "row-col" ? first : [first[1], first[0]];
    const [row, col] = this.split(number);
    const down = numbering.rows_grow === "south" ? row - firstRow : rows - 1 - (row - firstRow);
    const right = numbering.cols_grow === "east" ? col - firstCol : cols - 1 - (col - firstCol);
    const line = this.flat ? col : row;
    const moved = (Math.abs(line) % 2 === 1) === (shifted === "odd");
    const late = moved === (shift === "south" || shift === "east");
    const offset = late ? 1 : 0.5;
    const [x, y] = this.flat
      ? [RADIUS * (1.5 * right + 1), RADIUS * ROOT3 * (down + offset)]
      : [RADIUS * ROOT3 * (right + offset), RADIUS * (1.5 * down + 1)];
    return { x: x + MARGIN, y: y + MARGIN };
  }

  has(number: string): boolean {
    return this.known.has(number);
  }

  /** The six corners, clockwise; `scale` gives a smaller or larger hex around the same centre. */
  corners(number: string, scale = 1): Point[] {
    const { x, y } = this.centre(number);
    return Array.from({ length: 6 }, (_, i) => {
      const angle = ((60 * i + (this.flat ? 0 : 30)) * Math.PI) / 180;
      return { x: x + RADIUS * scale * Math.cos(angle), y: y + RADIUS * scale * Math.sin(angle) };
    });
  }

  outline(number: string, scale = 1): string {
    return this.corners(number, scale)
      .map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`)
      .join(" ");
  }

  neighbours(number: string): string[] {
    const { x, y } = this.centre(number);
    const step = RADIUS * ROOT3;
    const found: string[] = [];
    for (let i = 0; i < 6; i++) {
      const angle = ((60 * i + (this.flat ? 30 : 0)) * Math.PI) / 180;
      const next = this.cells.get(this.key({ x: x + step * Math.cos(angle), y: y + step * Math.sin(angle) }));
      if (next !== undefined) found.push(next);
    }
    return found;
  }

  /** The two ends of the side that two neighbours share; null if they are not neighbours. */
  side(a: string, b: string): [Point, Point] | null {
    const p = this.centre(a);
    const q = this.centre(b);
    const [dx, dy] = [q.x - p.x, q.y - p.y];
    const length = Math.hypot(dx, dy);
    if (length === 0 || Math.abs(length - RADIUS * ROOT3) > 1) return null;
    const [mx, my] = [(p.x + q.x) / 2, (p.y + q.y) / 2];
    const [nx, ny] = [(-dy / length) * (RADIUS / 2), (dx / length) * (RADIUS / 2)];
    return [
      { x: mx + nx, y: my + ny },
      { x: mx - nx, y: my - ny },
    ];
  }

  /** The outer border of some hexes, as an SVG path. */
  border(hexes: readonly string[]): string {
    const inside = new Set(hexes);
    let path = "";
    for (const hex of hexes) {
      const c = this.centre(hex);
      for (let i = 0; i < 6; i++) {
        const angle = ((60 * i + (this.flat ? 30 : 0)) * Math.PI) / 180;
        const next = this.cells.get(this.key({ x: c.x + RADIUS * ROOT3 * Math.cos(angle), y: c.y + RADIUS * ROOT3 * Math.sin(angle) }));
        if (next !== undefined && inside.has(next)) continue;
        const [p, q] = [-30, 30].map((turn) => angle + (turn * Math.PI) / 180).map((a) => ({ x: c.x + RADIUS * Math.cos(a), y: c.y + RADIUS * Math.sin(a) })) as [Point, Point];
        path += `M${p.x.toFixed(1)} ${p.y.toFixed(1)}L${q.x.toFixed(1)} ${q.y.toFixed(1)}`;
      }
    }
    return path;
  }

  /** The hex under a point of the sheet, if any. */
  at(point: Point): string | null {
    let best: string | null = null;
    let nearest = RADIUS * 1.01;
    for (const number of this.near(point)) {
      const c = this.centre(number);
      const d = Math.hypot(c.x - point.x, c.y - point.y);
      if (d < nearest) [best, nearest] = [number, d];
    }
    return best;
  }

  /** The neighbour that a cursor key leads to; `home` is the point from which a straight walk began. */
  step(from: string, direction: Direction, home: Point = this.centre(from)): string {
    const here = this.centre(from);
    const wanted = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number];
    let best = from;
    let score = 0.3;
    for (const next of this.neighbours(from)) {
      const c = this.centre(next);
      const length = Math.hypot(c.x - here.x, c.y - here.y);
      const along = ((c.x - here.x) * wanted[0] + (c.y - here.y) * wanted[1]) / length;
      const drift = wanted[0] === 0 ? Math.abs(c.x - home.x) : Math.abs(c.y - home.y);
      const value = along - drift / (RADIUS * 100);
      if (value > score) [best, score] = [next, value];
    }
    return best;
  }

  private key(p: Point): string {
    return `${Math.round(p.x / 5)},${Math.round(p.y / 5)}`;
  }

  private *near(point: Point): Iterable<string> {
    const reach = Math.ceil(RADIUS / 5) + 1;
    const [cx, cy] = [Math.round(point.x / 5), Math.round(point.y / 5)];
    for (let i = -reach; i <= reach; i++)
      for (let j = -reach; j <= reach; j++) {
        const number = this.cells.get(`${cx + i},${cy + j}`);
        if (number !== undefined) yield number;
      }
  }
}

/** From `a` towards `b`. */
function towards(a: Point, b: Point, far: number): Point {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) / length) * far, y: a.y + ((b.y - a.y) / length) * far };
}

/** A path of hexes as an SVG line that stops `short` of the last centre, for an arrow head, and begins `off` the first. */
export function arrowPath(points: readonly Point[], short = 30, off = 0): string {
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  if (!last || !before) return "";
  const all = [towards(points[0]!, points[1]!, off), ...points.slice(1, -1), towards(last, before, short)];
  let path = `M${all[0]!.x.toFixed(1)} ${all[0]!.y.toFixed(1)}`;
  for (let i = 1; i < all.length; i++) {
    const [p, next] = [all[i]!, all[i + 1]];
    if (next) path += `Q${p.x.toFixed(1)} ${p.y.toFixed(1)} ${((p.x + next.x) / 2).toFixed(1)} ${((p.y + next.y) / 2).toFixed(1)}`;
    else path += `L${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  }
  return path;
}
