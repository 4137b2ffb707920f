/**
 * Paints SVG layers into bitmaps. Panning and zooming move finished pixels; when the camera rests, the part on the screen
 * is painted again from the vectors, so that it is sharp at every zoom.
 */
import type { Seen } from "./camera";

export interface Layer {
  readonly source: () => Promise<string>;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

interface Loaded extends Layer {
  readonly image: HTMLImageElement;
}

const MOST_PIXELS = 9_000_000; // of the bitmap of the whole sheet
const MOST_SHARPNESS = 2; // device pixels per CSS pixel that are worth painting

export class Painter {
  private images: readonly Loaded[] = [];
  private seen: Seen | null = null;
  private closed = false;
  private painted = false;
  private readonly scale: number;

  constructor(
    private readonly whole: HTMLCanvasElement,
    private readonly sharp: HTMLCanvasElement,
    private readonly size: { readonly width: number; readonly height: number },
  ) {
    this.scale = Math.min(1, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
  }

  async load(layers: readonly Layer[]): Promise<void> {
    const loaded = await Promise.all(layers.map((layer) => load(layer).catch(() => null)));
    if (this.closed) return;
    this.images = loaded.filter((one) => one !== null);
    if (this.seen) this.rest(this.seen);
    whenIdle(() => this.paintWhole());
  }

  private paintWhole(): void {
    if (this.closed) return;
    this.whole.width = Math.round(this.size.width * this.scale);
    this.whole.height = Math.round(this.size.height * this.scale);
    this.paint(this.whole, this.scale, 0, 0);
    this.painted = true;
    if (this.seen) this.rest(this.seen);
  }

  /** Paint what is on the screen at the screen's own sharpness, where the whole picture would look soft. */
  rest(seen: Seen): void {
    this.seen = seen;
    const wanted = seen.scale * Math.min(devicePixelRatio, MOST_SHARPNESS);
    this.sharp.hidden = (this.painted && wanted <= this.scale * 1.1) || !this.images.length;
    if (this.sharp.hidden) return;
    const left = Math.max(0, seen.x);
    const top = Math.max(0, seen.y);
    const right = Math.min(this.size.width, seen.x + seen.width);
    const bottom = Math.min(this.size.height, seen.y + seen.height);
    if (right <= left || bottom <= top) return;
    Object.assign(this.sharp.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    this.sharp.width = Math.round((right - left) * wanted);
    this.sharp.height = Math.round((bottom - top) * wanted);
    this.paint(this.sharp, wanted, left, top);
  }

  close(): void {
    this.closed = true;
    for (const { image } of this.images) URL.revokeObjectURL(image.src);
    this.images = [];
  }

  private paint(canvas: HTMLCanvasElement, scale: number, left: number, top: number): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    for (const { image, x, width, height } of this.images) context.drawImage(image, x, 0, width, height);
  }
}

/** What is on the screen comes first; the rest of the sheet when nothing else is to do. */
const whenIdle = (work: () => void): void => void ("requestIdleCallback" in globalThis ? requestIdleCallback(work, { timeout: 1500 }) : setTimeout(work, 200));

/** An SVG text as an image that knows its size. */
async function load(layer: Layer): Promise<Loaded> {
  const text = await layer.source();
  const root = /<svg[^>]*>/.exec(text)?.[0] ?? "";
  const sized = root.replace(/\s(width|height)="[^"]*"/g, "").replace("<svg", `<svg width="${layer.width}" height="${layer.height}"`);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text.replace(root, sized)], { type: "image/svg+xml" }));
  await image.decode();
  return { ...layer, image };
}
