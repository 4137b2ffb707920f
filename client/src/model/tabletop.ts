/**
 * A measured table as a board. Points of the lattice take the part of hexes, so that targets, cursor and words work as on a
 * map; what is different (facings, lengths, sight) is here. Ten units are a centimetre; rules measure in quarters of one.
 */
import type { Side } from "../wire";
import { Board, type Spot } from "./board";
import { Sheet, type Direction, type Point } from "./geometry";
import type { Action } from "../wire";
import { inWords, type MapFile, type Words } from "./mapfile";

export const CM = 10; // units of the drawing
export const QUARTER = CM / 4;
export const EDGE = 26; // the wooden frame around the table

export interface TableFeature {
  readonly id: string;
  readonly kind?: string;
  readonly outline?: readonly (readonly [number, number])[];
  readonly path?: readonly (readonly [number, number])[];
  readonly width?: number;
  readonly floors?: number;
  readonly level?: number;
}

export interface TableDocument {
  readonly ground: string;
  readonly north?: string;
  readonly mat?: string;
  readonly area?: readonly TableFeature[];
  readonly road?: readonly TableFeature[];
  readonly line?: readonly TableFeature[];
  readonly building?: readonly { readonly id: string; readonly roof?: string; readonly posts?: number; readonly section: readonly TableFeature[] }[];
  readonly objective?: readonly { readonly id: string; readonly vp: number; readonly section?: string; readonly building?: string; readonly area?: string; readonly at?: readonly [number, number]; readonly radius?: number; readonly outline?: readonly (readonly [number, number])[] }[];
  readonly label?: readonly { readonly text: Words; readonly at: readonly [number, number]; readonly size: number; readonly angle?: number }[];
}

/** A board as the server tells it: `{"kind": "table", …}`. */
export interface TableFile {
  readonly kind: "table";
  readonly name: string;
  readonly title: Words;
  readonly size: readonly [number, number];
  readonly lattice: number;
  readonly facings: readonly string[];
  readonly features: readonly (readonly [id: string, group: string, kind: string])[];
  readonly document: TableDocument;
}

export const isTable = (file: unknown): file is TableFile => (file as { kind?: unknown } | null)?.kind === "table";

/** The sixteen facings as steps, clockwise from the top. */
export const FACINGS: readonly (readonly [number, number])[] = [
  [0, -1], [1, -2], [1, -1], [2, -1], [1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [-1, 2], [-1, 1], [-2, 1], [-1, 0], [-2, -1], [-1, -1], [-1, -2],
];
export const FACING_NAMES = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"] as const;

/** Degrees clockwise from the top. */
export const degrees = (facing: number): number => {
  const [dx, dy] = FACINGS[((facing % 16) + 16) % 16]!;
  return (Math.atan2(dx, -dy) * 180) / Math.PI;
};

/** The facing nearest to a direction. */
export function facingOf(dx: number, dy: number): number {
  const wanted = (Math.atan2(dx, -dy) * 180) / Math.PI;
  const off = (f: number): number => Math.abs(((degrees(f) - wanted + 540) % 360) - 180);
  return FACINGS.reduce((best, _, f) => (off(f) < off(best) - 1e-9 ? f : best), 0);
}

/** What a sheet of hexes wants to be told, and a table has not. */
const NO_GRID: MapFile["grid"] = { orientation: "flat", rows: 1, cols: 1, numbering: { order: "row-col", digits: [1, 1], rows_grow: "south", cols_grow: "east" }, shifted: "odd", shift: "south" };

/** The points of a table: `091-041` is 91 cm from the left and 41 from the top, on the middle of a cell of the lattice. */
export class TableSheet extends Sheet {
  readonly cols: number;
  readonly rows: number;
  private readonly spacing: number;

  constructor(readonly table: TableFile) {
    super(NO_GRID, []);
    this.spacing = table.lattice * QUARTER;
    this.cols = Math.floor((table.size[0] * CM) / this.spacing);
    this.rows = Math.floor((table.size[1] * CM) / this.spacing);
    Object.assign(this, { width: table.size[0] * CM + 2 * EDGE, height: table.size[1] * CM + 2 * EDGE });
  }

  /** Column and row of a name; null if it is none. */
  cell(name: string): readonly [number, number] | null {
    const found = /^(\d{3})-(\d{3})$/.exec(name);
    if (!found) return null;
    const [col, row] = [1, 2].map((i) => Math.floor((Number(found[i]) * CM) / this.spacing)) as [number, number];
    return col < this.cols && row < this.rows && this.name(col, row) === name ? [col, row] : null;
  }

  name(col: number, row: number): string {
    const word = (n: number): string => String(Math.floor(((n + 0.5) * this.spacing) / CM)).padStart(3, "0");
    return `${word(col)}-${word(row)}`;
  }

  /** Every point, row by row, as the server counts them. */
  names(): string[] {
    return Array.from({ length: this.cols * this.rows }, (_, i) => this.name(i % this.cols, Math.floor(i / this.cols)));
  }

  number(name: string): number {
    const cell = this.cell(name);
    return cell ? cell[1] * this.cols + cell[0] : -1;
  }

  override has(name: string): boolean {
    return this.cell(name) !== null;
  }

  override centre(name: string): Point {
    const [col, row] = this.cell(name) ?? [0, 0];
    return { x: (col + 0.5) * this.spacing + EDGE, y: (row + 0.5) * this.spacing + EDGE };
  }

  override corners(name: string, scale = 1): Point[] {
    const { x, y } = this.centre(name);
    const r = (this.spacing / 2) * scale;
    return [{ x: x - r, y: y - r }, { x: x + r, y: y - r }, { x: x + r, y: y + r }, { x: x - r, y: y + r }];
  }

  override neighbours(name: string): string[] {
    const cell = this.cell(name);
    if (!cell) return [];
    return FACINGS.flatMap(([dx, dy]) => {
      const [col, row] = [cell[0] + dx, cell[1] + dy];
      return col >= 0 && row >= 0 && col < this.cols && row < this.rows ? [this.name(col, row)] : [];
    });
  }

  override side(): null {
    return null;
  }

  override border(): string {
    return "";
  }

  override at({ x, y }: Point): string | null {
    const [col, row] = [Math.floor((x - EDGE) / this.spacing), Math.floor((y - EDGE) / this.spacing)];
    return col >= 0 && row >= 0 && col < this.cols && row < this.rows ? this.name(col, row) : null;
  }

  override step(from: string, direction: Direction): string {
    return this.go(from, { up: 0, right: 4, down: 8, left: 12 }[direction]);
  }

  /** The point a step further in a facing; the same at the edge. */
  go(from: string, facing: number): string {
    const cell = this.cell(from);
    if (!cell) return from;
    const [dx, dy] = FACINGS[facing]!;
    const [col, row] = [cell[0] + dx, cell[1] + dy];
    return col >= 0 && row >= 0 && col < this.cols && row < this.rows ? this.name(col, row) : from;
  }
}


export class TableBoard extends Board {
  declare readonly sheet: TableSheet;
  declare readonly numbers: readonly string[];

  constructor(
    name: string,
    readonly table: TableFile,
  ) {
    super(name, { format: 1, name, title: table.title, grid: NO_GRID, terrain: {}, hexes: {} });
    const sheet = new TableSheet(table);
    Object.assign(this, { sheet, numbers: sheet.names(), width: sheet.width, height: sheet.height });
  }

  override spot(word: string): Spot | null {
    return this.sheet.has(word) ? { kind: "hex", key: word } : null;
  }

  override features(): readonly [] {
    return [];
  }

  /** A point in words: its name and what lies there. */
  override describe(point: string, words: { readonly lang: string; find(key: string): string | undefined }): string {
    const { x, y } = this.sheet.centre(point);
    const found = this.lying((x - EDGE) / CM, (y - EDGE) / CM);
    const kinds = found.map((kind) => words.find(`terrain.${kind}`) ?? words.find(`name.${kind}`) ?? kind.replace("-", " "));
    return [point, ...kinds].join(", ");
  }

  /** What lies at a place in centimetres, the uppermost first; bare ground if nothing does. */
  lying(x: number, y: number): string[] {
    const { document } = this.table;
    const houses = (document.building ?? []).flatMap((b) => b.section).filter((s) => s.outline && inside(s.outline, x, y));
    if (houses.length) return ["building"];
    const roads = (document.road ?? []).filter((r) => r.path && nearLine(r.path, x, y) <= (r.width ?? 5) / 2);
    if (roads.length) return [roads[0]!.kind ?? "road"];
    const areas = (document.area ?? []).filter((a) => a.outline && inside(a.outline, x, y)).map((a) => a.kind ?? "");
    const hills = areas.filter((kind) => kind.includes("hill"));
    const others = areas.filter((kind) => !kind.includes("hill"));
    return [...(others.length ? others.slice(-1) : [document.ground]), ...hills.slice(0, 1)];
  }

  /** The section of a house at a point. */
  sectionAt(point: string): TableFeature | null {
    const { x, y } = this.sheet.centre(point);
    const [cx, cy] = [(x - EDGE) / CM, (y - EDGE) / CM];
    for (const house of this.table.document.building ?? [])
      for (const section of house.section) if (section.outline && inside(section.outline, cx, cy)) return section;
    return null;
  }

  /** Where an objective lies, in units of the drawing. */
  objectiveAt(id: string): Point | null {
    const { document } = this.table;
    const goal = (document.objective ?? []).find((o) => o.id === id);
    if (!goal) return null;
    if (goal.at) return unit(goal.at);
    const house = (document.building ?? []).find((b) => b.id === goal.building);
    const section = goal.section ? (document.building ?? []).flatMap((b) => b.section).find((s) => s.id === goal.section) : house?.section[0];
    const shape = goal.outline ?? section?.outline ?? (document.area ?? []).find((a) => a.id === goal.area)?.outline;
    if (!shape) return null;
    const [xs, ys] = [shape.map((p) => p[0]), shape.map((p) => p[1])];
    return unit([(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2]);
  }
}

/** Centimetres of the file to the drawing. */
export const unit = ([x, y]: readonly [number, number]): Point => ({ x: x * CM + EDGE, y: y * CM + EDGE });

/** Quarter centimetres of a view to the drawing. */
export const quarter = (x: number, y: number): Point => ({ x: x * QUARTER + EDGE, y: y * QUARTER + EDGE });

export function inside(shape: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let within = false;
  let [ax, ay] = shape[shape.length - 1]!;
  for (const [bx, by] of shape) {
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) within = !within;
    [ax, ay] = [bx, by];
  }
  return within;
}

function nearLine(path: readonly (readonly [number, number])[], x: number, y: number): number {
  let best = Infinity;
  for (let i = 1; i < path.length; i++) {
    const [[ax, ay], [bx, by]] = [path[i - 1]!, path[i]!];
    const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
    const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    best = Math.min(best, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
  }
  return best;
}

/** Whole centimetres between two places of the drawing, rounded up, as rules do. */
export const centimetres = (a: Point, b: Point): number => Math.ceil(Math.hypot(a.x - b.x, a.y - b.y) / CM - 1e-6);

/** The bearing from one place to another in words: `NNE`. */
export const bearing = (a: Point, b: Point): string => FACING_NAMES[facingOf(b.x - a.x, b.y - a.y)]!;

/** What stands in the way to each point: 0 if it is seen, else 1 + the number of the feature. */
export function unrolled(runs: readonly number[]): number[] {
  const found: number[] = [];
  for (let i = 0; i + 1 < runs.length; i += 2) for (let n = 0; n < runs[i]!; n++) found.push(runs[i + 1]!);
  return found;
}

/** Smoke: its corner, width and depth in quarter centimetres; thin in its last turn. */
export interface Cloud {
  readonly box: readonly [number, number, number, number];
  readonly thin?: boolean;
}

/** The clouds that a view tells of. */
export function cloudsOf(markers: unknown): readonly Cloud[] {
  return Array.isArray(markers) ? (markers as (Cloud & { kind?: string })[]).filter((m) => m.kind === "smoke" && Array.isArray(m.box)) : [];
}

/** True if a line between two places of the drawing meets a cloud, its ends included (base-smoke). */
export function meetsCloud(a: Point, b: Point, cloud: Cloud): boolean {
  const corner = quarter(cloud.box[0], cloud.box[1]);
  const far = { x: corner.x + cloud.box[2] * QUARTER, y: corner.y + cloud.box[3] * QUARTER };
  let [from, to] = [0, 1]; // the part of the line between the edges met so far
  for (const axis of ["x", "y"] as const) {
    const [start, step] = [a[axis], b[axis] - a[axis]];
    if (step === 0) {
      if (start < corner[axis] || start > far[axis]) return false;
      continue;
    }
    const [t0, t1] = [(corner[axis] - start) / step, (far[axis] - start) / step];
    [from, to] = [Math.max(from, Math.min(t0, t1)), Math.min(to, Math.max(t0, t1))];
  }
  return from <= to;
}

/** The part of a disc that an arc of a width about a facing covers, as an SVG path. */
export function wedge(at: Point, facing: number, width: number, far: number, near = 0): string {
  if (width >= 360) return `M${at.x - far} ${at.y}a${far} ${far} 0 1 0 ${2 * far} 0a${far} ${far} 0 1 0 ${-2 * far} 0Z`;
  const corner = (angle: number, r: number): string => {
    const a = (angle * Math.PI) / 180;
    return `${(at.x + Math.sin(a) * r).toFixed(1)} ${(at.y - Math.cos(a) * r).toFixed(1)}`;
  };
  const [from, to] = [degrees(facing) - width / 2, degrees(facing) + width / 2];
  const large = width > 180 ? 1 : 0;
  const inner = near ? `L${corner(to, near)}A${near} ${near} 0 ${large} 0 ${corner(from, near)}Z` : `L${at.x.toFixed(1)} ${at.y.toFixed(1)}Z`;
  return `M${corner(from, far)}A${far} ${far} 0 ${large} 1 ${corner(to, far)}${inner}`;
}

/** Targets for ears: each with its distance and bearing from where one stands, the nearest first. */
export function byDistance(points: Iterable<string>, from: string | null, sheet: TableSheet): { readonly point: string; readonly cm: number; readonly bearing: string }[] {
  const here = from !== null && sheet.has(from) ? sheet.centre(from) : { x: sheet.width / 2, y: sheet.height / 2 };
  return [...points]
    .filter((p) => sheet.has(p))
    .map((point) => ({ point, cm: centimetres(here, sheet.centre(point)), bearing: bearing(here, sheet.centre(point)) }))
    .sort((a, b) => a.cm - b.cm || (a.point < b.point ? -1 : 1));
}

export interface Objective {
  readonly id: string;
  readonly points: number;
  readonly side: Side | undefined;
}

interface Told {
  readonly kind: string;
  readonly id?: string;
  readonly side?: Side | number;
}

/** What is fought for on a table, as this view tells it, and who holds it. */
export function objectivesOf(board: TableBoard, view: { readonly [key: string]: unknown }, sides: readonly Side[]): Objective[] {
  const [holders, told] = [view["holder"], view["markers"]];
  const marked = new Map((Array.isArray(told) ? (told as Told[]) : []).filter((m) => m.kind === "objective").map((m) => [m.id ?? "", m]));
  return (board.table.document.objective ?? []).flatMap((goal, i) => {
    if (marked.size > 0 && !marked.has(goal.id)) return [];
    const held = marked.get(goal.id)?.side ?? (Array.isArray(holders) ? (holders as unknown[])[i] : undefined);
    return [{ id: goal.id, points: goal.vp, side: typeof held === "number" ? sides[held] : typeof held === "string" ? held : undefined }];
  });
}

export const tableTitle = (file: TableFile, lang: string): string => inWords(file.title, lang);

interface Ways {
  readonly start: string;
  readonly came: { readonly [point: string]: readonly [facing: number, cm: number] };
}

/** The way to a point of a reach, walked back over the facings of arrival; null if the view does not tell. */
export function wayTo(end: string, ways: unknown, board: TableBoard): { readonly points: readonly string[]; readonly cm: number } | null {
  const given = ways as Partial<Ways> | null | undefined;
  const came = given?.came;
  if (!came || !given.start || !came[end]) return null;
  const points = [end];
  let here = end;
  while (here !== given.start && points.length < 400) {
    const step = came[here];
    if (!step) return null;
    const before = board.sheet.go(here, (step[0] + 8) % 16);
    if (before === here) return null;
    here = before;
    points.push(here);
  }
  return { points: points.reverse(), cm: came[end]![1] };
}

/** The verbs whose words are all facings: shown as a rose around what is in hand. */
export function facingActions(actions: readonly Action[]): ReadonlyMap<string, readonly Action[]> {
  const found = new Map<string, Action[]>();
  for (const action of actions) {
    const list = found.get(action[0]);
    if (list) list.push(action);
    else found.set(action[0], [action]);
  }
  const names: readonly string[] = FACING_NAMES;
  for (const [verb, list] of found) if (!list.every(([, word]) => names.includes(word))) found.delete(verb);
  return found;
}

/** Sections whose roof is off: somebody stands in them. The path leaves them out of the standing layer. */
export function roofPath(board: TableBoard, taken: Iterable<string>): string {
  const open = new Set<string>();
  let path = `M0 0H${board.table.size[0] * CM}V${board.table.size[1] * CM}H0Z`;
  for (const place of taken) {
    const section = board.sectionAt(place);
    if (!section?.outline || open.has(section.id)) continue;
    open.add(section.id);
    path += `M${section.outline.map(([x, y]) => `${x * CM} ${y * CM}`).join("L")}Z`;
  }
  return path;
}

/** A base: its radius and half its spine in centimetres, and how it is turned. */
export interface Standing {
  readonly at: Point;
  readonly facing: number;
  readonly radius: number;
  readonly half: number;
}

/** From edge to edge of two bases in whole centimetres, rounded up, as the rules measure; 0 when they touch. */
export function gapBetween(a: Standing, b: Standing): number {
  const ends = ({ at, facing, half }: Standing): readonly [Point, Point] => {
    const [s, c] = [Math.sin((degrees(facing) * Math.PI) / 180), Math.cos((degrees(facing) * Math.PI) / 180)];
    return [{ x: at.x - s * half * CM, y: at.y + c * half * CM }, { x: at.x + s * half * CM, y: at.y - c * half * CM }];
  };
  const toSegment = (p: Point, [q, r]: readonly [Point, Point]): number => {
    const length = (r.x - q.x) ** 2 + (r.y - q.y) ** 2;
    const t = length ? Math.max(0, Math.min(1, ((p.x - q.x) * (r.x - q.x) + (p.y - q.y) * (r.y - q.y)) / length)) : 0;
    return Math.hypot(p.x - q.x - t * (r.x - q.x), p.y - q.y - t * (r.y - q.y));
  };
  const [one, two] = [ends(a), ends(b)];
  const far = Math.min(toSegment(one[0], two), toSegment(one[1], two), toSegment(two[0], one), toSegment(two[1], one));
  return Math.max(0, Math.ceil(far / CM - a.radius - b.radius - 1e-6));
}

const IN_A_CENTIMETRE = 48; // the referee counts movement in such parts

/** Movement as a player would measure it: never more than there is. */
export const inCentimetres = (parts: number): string => `${Math.floor(parts / IN_A_CENTIMETRE)} cm`;
