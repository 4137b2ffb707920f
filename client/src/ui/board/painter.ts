/**
 * Paints SVG layers into bitmaps. What is on the screen, and a margin around it, is one bitmap at the screen's own scale, so
 * that panning moves finished pixels; beyond it lies a coarse picture of the whole sheet. When the camera rests, the margin is
 * filled again: from a bitmap of the sheet where that is sharp enough, else from the vectors. Names of places lie on a bitmap of
 * their own, so that those can be left away that pieces hide and that stand beside them instead.
 */
import type { Seen } from "./camera";
import type { Printed } from "../../model/printed";

export interface Layer {
  readonly source: () => Promise<string>;
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** The names of places of the map. */
  readonly names?: boolean;
}

interface Loaded extends Layer {
  readonly image: HTMLImageElement;
}

/** A part of the sheet that is painted at a scale (bitmap pixels per unit of the sheet). */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly scale: number;
  /** Taken from the bitmap of the sheet at nearly its own size. */
  readonly soft?: boolean;
}

const MOST_PIXELS = 9_000_000; // of the bitmap of the whole sheet, which is kept but not shown
const FAR_PIXELS = 700_000; // of the coarse picture
const MOST_SHARPNESS = 2; // device pixels per CSS pixel that are worth painting
const MARGIN = 0.4; // of the screen, on every side
const THIN = 0.1; // the same where vectors are painted, which is slow
const SHARPEN = 450; // ms at rest until soft pixels are painted anew
const STRIPS = 12; // in which the whole sheet is painted, so that the page answers in between

export class Painter {
  private images: readonly Loaded[] = [];
  private named: readonly Loaded[] = [];
  private hidden: readonly Printed[] = [];
  private seen: Seen | null = null;
  private closed = false;
  private busy = false; // the camera moves
  private sheet: HTMLCanvasElement | null = null;
  private region: Region | null = null;
  private sharpening: ReturnType<typeof setTimeout> | undefined;
  private readonly scale: number;

  constructor(
    private readonly far: HTMLCanvasElement,
    private readonly near: HTMLCanvasElement,
    private readonly names: HTMLCanvasElement,
    private readonly size: { readonly width: number; readonly height: number },
  ) {
    this.scale = Math.min(1, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
  }

  async load(layers: readonly Layer[]): Promise<void> {
    const loaded = await Promise.all(layers.map((layer) => load(layer).catch(() => null)));
    if (this.closed) return;
    const all = loaded.filter((one) => one !== null);
    this.images = all.filter((one) => !one.names);
    this.named = all.filter((one) => one.names);
    if (this.seen) this.rest(this.seen);
    void this.paintSheet();
  }

  /** Strip by strip, when nothing else is to do. */
  private async paintSheet(): Promise<void> {
    const { width, height } = this.size;
    const scale = this.scale;
    const sheet = document.createElement("canvas");
    const context = resized(sheet, width * scale, height * scale);
    const tall = Math.ceil(sheet.height / STRIPS);
    for (let top = 0; top < sheet.height; top += tall) {
      do await idle();
      while (this.busy && !this.closed);
      if (this.closed) return;
      const strip = document.createElement("canvas");
      this.fromVectors(strip, { left: 0, top: top / scale, right: width, bottom: Math.min(sheet.height, top + tall) / scale, scale });
      context?.drawImage(await createImageBitmap(strip), 0, top); // the bitmap is painted now, not with all the others later
    }
    if (this.closed) return;
    this.sheet = sheet;
    const coarse = Math.min(this.scale, Math.sqrt(FAR_PIXELS / (width * height)));
    this.fromSheet(this.far, { left: 0, top: 0, right: width, bottom: height, scale: coarse });
    if (this.seen) this.rest(this.seen);
  }

  /** The camera stands still: what is on the screen becomes sharp, with a margin to pan into. */
  rest(seen: Seen): void {
    this.busy = false;
    this.seen = seen;
    if (this.images.length && !this.covers(seen)) this.paint(this.around(seen));
    if (this.region?.soft) this.sharpenLater(seen);
  }

  /** A bitmap shown at nearly its own size is soft: if nobody moves for a while, the vectors come instead. */
  private sharpenLater(seen: Seen): void {
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => {
      if (!this.busy && !this.closed && this.seen === seen) this.paint({ ...this.around(seen, THIN), soft: false });
    }, SHARPEN);
  }

  /** The camera moves: painted ahead where that costs little. */
  moving(seen: Seen): void {
    this.busy = true;
    this.seen = seen;
    if (this.sheet && this.region?.scale === sharpness(seen) && !this.covers(seen) && sharpness(seen) <= this.scale * 1.1) this.paint(this.around(seen));
  }

  private around(seen: Seen, margin?: number): Region {
    const scale = sharpness(seen);
    const painted = this.sheet !== null && scale <= this.scale * 1.1;
    const spare = margin ?? (painted ? MARGIN : THIN);
    const whole = (v: number): number => Math.round(v * scale) / scale;
    return {
      left: whole(Math.max(0, seen.x - seen.width * spare)),
      top: whole(Math.max(0, seen.y - seen.height * spare)),
      right: whole(Math.min(this.size.width, seen.x + seen.width * (1 + spare))),
      bottom: whole(Math.min(this.size.height, seen.y + seen.height * (1 + spare))),
      scale,
      soft: painted && scale > this.scale * 0.65,
    };
  }

  private covers(seen: Seen): boolean {
    const r = this.region;
    if (!r || r.scale !== sharpness(seen)) return false;
    const { width, height } = this.size;
    return r.left <= Math.max(0, seen.x) + 1 && r.top <= Math.max(0, seen.y) + 1 && r.right >= Math.min(width, seen.x + seen.width) - 1 && r.bottom >= Math.min(height, seen.y + seen.height) - 1;
  }

  private paint(region: Region): void {
    if (region.right <= region.left || region.bottom <= region.top) return;
    const { scale } = region;
    if (this.sheet && scale <= this.scale * 1.1 && (region.soft || scale <= this.scale * 0.65)) this.fromSheet(this.near, region);
    else this.fromVectors(this.near, region);
    this.lay(this.near, region);
    this.region = region;
    this.paintNames();
  }

  /** The printed names that are not to be seen: each stands elsewhere, where no piece hides it. */
  hide(printed: readonly Printed[]): void {
    this.hidden = printed;
    this.paintNames();
  }

  private paintNames(): void {
    const region = this.region;
    if (!region || !this.named.length) return;
    this.fromVectors(this.names, region, this.named);
    const context = this.names.getContext("2d");
    for (const { x, y, width, height } of this.hidden) context?.clearRect(x, y, width, height);
    this.lay(this.names, region);
  }

  private lay(canvas: HTMLCanvasElement, { left, top, scale }: Region): void {
    const { width, height } = canvas; // a box of whole pixels, laid by a transform: boxes of broken size are stretched a little
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, transformOrigin: "0 0", transform: `translate(${left}px, ${top}px) scale(${1 / scale})` });
    canvas.hidden = false;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.sharpening);
    for (const { image } of [...this.images, ...this.named]) URL.revokeObjectURL(image.src);
    this.images = this.named = [];
    this.sheet = null;
  }

  private fromVectors(canvas: HTMLCanvasElement, { left, top, right, bottom, scale }: Region, images = this.images): void {
    const context = resized(canvas, (right - left) * scale, (bottom - top) * scale);
    context?.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    for (const { image, x, width, height } of images) context?.drawImage(image, x, 0, width, height);
  }

  private fromSheet(canvas: HTMLCanvasElement, { left, top, right, bottom, scale }: Region): void {
    const context = resized(canvas, (right - left) * scale, (bottom - top) * scale);
    if (!context) return;
    context.imageSmoothingQuality = "medium";
    const k = this.scale;
    context.drawImage(this.sheet!, left * k, top * k, (right - left) * k, (bottom - top) * k, 0, 0, canvas.width, canvas.height);
  }
}

const sharpness = (seen: Seen): number => seen.scale * Math.min(devicePixelRatio, MOST_SHARPNESS);

function resized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  return canvas.getContext("2d");
}

/** What is on the screen comes first; the rest of the sheet when nothing else is to do. */
const idle = (): Promise<void> => new Promise((go) => void ("requestIdleCallback" in globalThis ? requestIdleCallback(() => go(), { timeout: 1500 }) : setTimeout(go, 60)));

/** An SVG text as an image that knows its size. */
async function load(layer: Layer): Promise<Loaded> {
  const text = await layer.source();
  const root = /<svg[^>]*>/.exec(text)?.[0] ?? "";
  const sized = root.replace(/\s(width|height)="[^"]*"/g, "").replace("<svg", `<svg width="${layer.width}" height="${layer.height}" text-rendering="geometricPrecision"`); // letters are not set anew at each scale
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text.replace(root, sized)], { type: "image/svg+xml" }));
  await image.decode();
  return { ...layer, image };
}
