/** Zoom and pan: wheel, drag, pinch, buttons and keys move one transform; the drawing below is not touched. */
import { signal } from "@preact/signals";
import type { Point } from "../../model/geometry";

export const LEAST = 0.5;
export const MOST = 4;
const NARROW = 600; // pixels of a phone
const FINGER = 0.85; // on which no counter is smaller than a fingertip at first
const FEW = 0.06; // of the pieces may lie outside the first look
const NEAR = 50; // pixels between what is shown and the edge
const SPARE = 260; // units of the sheet around what is looked at first
const STEADY = 180; // ms without movement until the layer is drawn crisp again
const TELL = 120; // ms between two tellings of the zoom while it changes
const STEADY_ZOOM = 320; // a wheel pauses between its clicks, and a new zoom is dear

interface Placing {
  x: number;
  y: number;
  k: number;
}

/** The part of the sheet on the screen, in units of the sheet. */
export interface Seen {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** What is to be looked at first: its middle, and how far it reaches. */
export interface About extends Point {
  readonly width: number;
  readonly height: number;
  /** Where most of it is, for a window that does not take it all. */
  readonly thick?: Point;
}

/** The middle of most points and the room they take; a few far ones are left out. */
export function about(points: readonly Point[]): About {
  const [xs, ys] = [points.map((p) => p.x).sort((a, b) => a - b), points.map((p) => p.y).sort((a, b) => a - b)];
  const at = (sorted: readonly number[], share: number): number => sorted[Math.round((sorted.length - 1) * share)]!;
  const [left, right, top, bottom] = [at(xs, FEW), at(xs, 1 - FEW), at(ys, FEW), at(ys, 1 - FEW)];
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top, thick: { x: at(xs, 0.5), y: at(ys, 0.5) } };
}

/** How much of a frame a row of tools takes from its top or from its foot; a column beside the map takes nothing. */
export function taken(frame: Span, tools: (Span & { readonly width: number; readonly height: number }) | null): { readonly top: number; readonly foot: number } {
  if (!tools || !tools.height || tools.height > tools.width) return { top: 0, foot: 0 };
  const above = tools.top - frame.top < frame.bottom - tools.bottom;
  return above ? { top: Math.max(0, tools.bottom - frame.top), foot: 0 } : { top: 0, foot: Math.max(0, frame.bottom - tools.top) };
}

interface Span {
  readonly top: number;
  readonly bottom: number;
}

export interface Watcher {
  moving(seen: Seen): void;
  rest(seen: Seen): void;
}

export class Camera {
  /** Zoom as a whole percentage, for the screen. */
  readonly percent = signal(100);
  private place: Placing = { x: 0, y: 0, k: 1 };
  private frame: HTMLElement | null = null;
  private world: HTMLElement | null = null;
  private size = { width: 1, height: 1 };
  private pointers = new Map<number, Point>();
  private dragged = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queued = 0;
  private touched = false;
  private awayFrom: { readonly home: Placing; readonly to: Placing } | null = null; // by a question about something out of sight
  private told = 0; // when the zoom was last told in words
  private drawn = 0; // the zoom that the screen shows
  private room = { width: 0, height: 0 }; // of the frame: asked for once, not at every movement
  private readonly watchers = new Set<Watcher>();

  attach(frame: HTMLElement, world: HTMLElement, size: { width: number; height: number }, about: () => About): () => void {
    this.frame = frame;
    this.world = world;
    this.size = size;
    const undo = new AbortController();
    const options = { signal: undo.signal };
    frame.addEventListener("wheel", this.wheel, { ...options, passive: false });
    frame.addEventListener("pointerdown", this.down, options);
    frame.addEventListener("pointermove", this.move, options);
    frame.addEventListener("pointerup", this.up, options);
    frame.addEventListener("pointercancel", this.up, options);
    const watcher = new ResizeObserver(() => {
      const { width } = this.room;
      this.measure();
      if (this.touched || (width > 0 && this.room.width === width)) this.draw(); // a bar that grows by a line moves nothing
      else this.begin(about);
    });
    watcher.observe(frame);
    this.measure();
    this.begin(about);
    return () => {
      undo.abort();
      watcher.disconnect();
      cancelAnimationFrame(this.queued);
      this.queued = 0;
    };
  }

  /** Tell somebody of every movement, and when the picture stands still. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    const seen = this.seen();
    if (seen) watcher.rest(seen);
    return () => this.watchers.delete(watcher);
  }

  private measure(): void {
    const { width, height } = this.frame!.getBoundingClientRect();
    this.room = { width, height };
  }

  /** The part of the sheet that is on the screen. */
  seen(): Seen | null {
    const { width, height } = this.room;
    if (!width) return null;
    const { x, y, k } = this.place;
    return { x: -x / k, y: -y / k, width: width / k, height: height / k, scale: k };
  }

  /** The same without what lies under a row of tools. */
  clear(): Seen | null {
    const seen = this.seen();
    if (!seen) return null;
    const { top, foot } = this.taken();
    return { ...seen, y: seen.y + top / seen.scale, height: seen.height - (top + foot) / seen.scale };
  }

  private taken(): { readonly top: number; readonly foot: number } {
    const tools = this.frame?.parentElement?.querySelector(".tools")?.getBoundingClientRect() ?? null;
    return this.frame ? taken(this.frame.getBoundingClientRect(), tools) : { top: 0, foot: 0 };
  }

  /** True if the last press was a drag, so that its click is not one. */
  wasDrag(): boolean {
    return this.dragged > 6;
  }

  /** A press that is not the camera's: what was dragged before does not count against its click. */
  press(): void {
    this.dragged = 0;
  }

  /** From the screen to the sheet. */
  toSheet(clientX: number, clientY: number): Point {
    const box = this.frame?.getBoundingClientRect();
    return { x: (clientX - (box?.left ?? 0) - this.place.x) / this.place.k, y: (clientY - (box?.top ?? 0) - this.place.y) / this.place.k };
  }

  /** A small map is shown whole; of a large one what matters now, no smaller than half size and no larger than life. */
  begin(about: () => About): void {
    const box = this.frame?.getBoundingClientRect();
    this.fit();
    if (!box || !box.width || this.place.k >= LEAST + 0.1) return;
    const seen = about();
    const near = Math.min(box.width / (seen.width + SPARE), box.height / (seen.height + SPARE));
    this.place.k = Math.max(box.width < NARROW ? FINGER : LEAST, Math.min(1, near));
    this.show(near < this.place.k && seen.thick ? seen.thick : seen, true); // what does not fit is looked at where most of it is
    this.touched = false;
  }

  fit(): void {
    const box = this.frame?.getBoundingClientRect();
    if (!box || !box.width || !box.height) return;
    const k = Math.min(box.width / this.size.width, box.height / this.size.height, 1.6);
    this.place = { k, x: (box.width - this.size.width * k) / 2, y: (box.height - this.size.height * k) / 2 };
    this.draw();
  }

  zoom(factor: number, about?: Point): void {
    const box = this.frame?.getBoundingClientRect();
    if (!box) return;
    const { x, y, k } = this.place;
    const next = Math.max(Math.min(LEAST, this.fitted(box)), Math.min(MOST, k * factor));
    const at = about ?? { x: box.width / 2, y: box.height / 2 };
    this.place = { k: next, x: at.x - ((at.x - x) / k) * next, y: at.y - ((at.y - y) / k) * next };
    this.touched = true;
    this.draw();
  }

  zoomTo(k: number): void {
    this.zoom(k / this.place.k);
  }

  pan(dx: number, dy: number): void {
    this.place = { ...this.place, x: this.place.x + dx, y: this.place.y + dy };
    this.touched = true;
    this.draw();
  }

  /** Bring a point of the sheet into the middle, as far as the sheet reaches, unless it is well in sight already. */
  show(point: Point, always = false): void {
    const box = this.frame?.getBoundingClientRect();
    if (!box) return;
    const { x, y, k } = this.place;
    const { top, foot } = this.taken();
    const room = box.height - top - foot;
    const [sx, sy] = [point.x * k + x, point.y * k + y - top];
    const edge = Math.min(80, box.width / 5, room / 5);
    if (!always && sx > edge && sy > edge && sx < box.width - edge && sy < room - edge) return;
    this.place = {
      k,
      x: within(box.width / 2 - point.x * k, box.width, this.size.width * k),
      y: top + within(room / 2 - point.y * k, room, this.size.height * k),
    };
    this.touched = true;
    this.draw();
  }

  /** Bring several points into sight: all of them where there is room for them, else the first. */
  showAll(points: readonly Point[]): void {
    const [first, seen] = [points[0], this.clear()];
    if (!first || !seen) return;
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const spare = NEAR / seen.scale;
    if (right - left + spare * 2 > seen.width || bottom - top + spare * 2 > seen.height) return this.show(first);
    const inside = left > seen.x + spare && right < seen.x + seen.width - spare && top > seen.y + spare && bottom < seen.y + seen.height - spare;
    if (!inside) this.show({ x: (left + right) / 2, y: (top + bottom) / 2 }, true);
  }

  /** If none of these points is in sight, the nearest is brought there; who was taken away by that comes back once more is to be seen where he was. */
  bringOne(points: readonly Point[]): void {
    const seen = this.clear();
    if (!seen || !points.length) return;
    const { top, foot } = this.taken();
    const inside = ({ x, y }: Point, place: Placing): boolean => {
      const [left, down] = [x * place.k + place.x, y * place.k + place.y];
      return left > NEAR && left < this.room.width - NEAR && down > top + NEAR && down < this.room.height - foot - NEAR;
    };
    const count = (place: Placing): number => points.filter((p) => inside(p, place)).length;
    const now = count(this.place);
    const home = this.awayFrom?.to === this.place ? this.awayFrom.home : null; // nobody has moved since
    if (home && count(home) > now) {
      this.place = home;
      this.draw();
      return;
    }
    if (now) return;
    const from = home ?? this.place;
    const middle = { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
    const touched = this.touched;
    this.show([...points].sort((a, b) => distance(a, middle) - distance(b, middle))[0]!, true);
    this.awayFrom = { home: from, to: this.place };
    this.touched = touched;
  }

  private fitted(box: DOMRect): number {
    return Math.min(box.width / this.size.width, box.height / this.size.height);
  }

  /**
   * The world is a layer of its own at all times, so that a pan moves finished pixels. While the zoom changes, the layer is
   * stretched as it is (that is what `will-change` asks for); at rest it is drawn anew, sharp.
   */
  private draw(): void {
    if (!this.world || !this.frame) return;
    this.keepInSight();
    if (!this.queued) this.queued = requestAnimationFrame(() => this.lay());
  }

  private lay(still = false): void {
    this.queued = 0;
    const { world } = this;
    if (!world) return;
    const { x, y, k } = this.place;
    if (this.drawn && this.drawn !== k) world.style.willChange = "transform";
    this.drawn = k;
    world.style.transform = `translate3d(${Math.round(x)}px, ${Math.round(y)}px, 0) scale(${k})`;
    if (still) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rested(), world.style.willChange ? STEADY_ZOOM : STEADY);
    const seen = this.seen();
    if (seen) for (const watcher of this.watchers) watcher.moving(seen);
    const now = performance.now();
    if (now - this.told < TELL) return; // a number on the page is laid out anew each time it changes
    this.told = now;
    this.percent.value = Math.round(k * 100);
  }

  /**
   * A layer whose scale was changed by a script keeps the pixels of its first scale, which then look soft. So it is taken
   * away for a moment, and a new one has the pixels of the present scale.
   */
  private renew(world: HTMLElement): void {
    world.style.willChange = "";
    const { x, y, k } = this.place;
    world.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(${k})`;
    if (!this.queued) this.queued = requestAnimationFrame(() => (this.queued = requestAnimationFrame(() => this.lay(true))));
  }

  private rested(): void {
    this.percent.value = Math.round(this.place.k * 100);
    if (this.world?.style.willChange) this.renew(this.world);
    const seen = this.seen();
    if (seen) for (const watcher of this.watchers) watcher.rest(seen);
  }

  /** Some of the sheet always stays on the screen. */
  private keepInSight(): void {
    const box = this.room;
    const { k } = this.place;
    const keep = 120;
    const clamp = (v: number, room: number, sheet: number): number => Math.max(keep - sheet * k, Math.min(room - keep, v));
    this.place.x = clamp(this.place.x, box.width, this.size.width);
    this.place.y = clamp(this.place.y, box.height, this.size.height);
  }

  private inFrame(event: { clientX: number; clientY: number }): Point {
    const box = this.frame!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 33 : 1;
    if (event.ctrlKey || Math.abs(event.deltaX) < Math.abs(event.deltaY) * 2)
      this.zoom(Math.exp((-event.deltaY * lines) / 480), this.inFrame(event));
    else this.pan(-event.deltaX * lines, 0);
  };

  private readonly down = (event: PointerEvent): void => {
    if (event.button > 1 || (event.target as Element).closest("[data-no-pan]")) return;
    if (!this.pointers.size) this.dragged = 0;
    this.pointers.set(event.pointerId, this.inFrame(event));
  };

  private readonly move = (event: PointerEvent): void => {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.inFrame(event);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    this.pointers.set(event.pointerId, now);
    this.dragged += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.dragged > 6) this.frame?.setPointerCapture(event.pointerId);
    const other = others[0];
    if (other) {
      const [was, is] = [distance(before, other), distance(now, other)];
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      if (was > 0) this.zoom(is / was, middle);
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    } else if (this.dragged > 6) this.pan(now.x - before.x, now.y - before.y);
  };

  private readonly up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
  };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Where a sheet lies in a room so that no bare desk shows: at most with its edge at the room's, or in its middle. */
export function within(at: number, room: number, sheet: number): number {
  return sheet > room ? Math.max(room - sheet, Math.min(0, at)) : (room - sheet) / 2;
}
