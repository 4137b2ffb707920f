/** The names of places that a drawn map prints: taken out of the drawing of its labels, so that some of them can be left away. Pure. */
import type { Point } from "./geometry";

/** A name as printed: its text, and the field that its letters take up, in units of the sheet. */
export interface Printed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Labels {
  /** The drawing without the names of places; the drawing with nothing else. */
  readonly others: string;
  readonly places: string;
  readonly printed: readonly Printed[];
}

const LAYER = '<g id="layer-names-places"';
const ROW = /<g ([^>]*)>((?:<text [^>]*>[^<]*<\/text>)*)<\/g>/g;
const TEXT = /<text ([^>]*)>([^<]*)<\/text>/g;
const ABOVE = 0.85; // of the size of the letters, over the line that they stand on
const BELOW = 0.3;
const EDGE = 3; // the pale rim of the letters

const number = (attributes: string, name: string): number => Number(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? NaN);
const ENTITIES: { readonly [name: string]: string } = { "&amp;": "&", "&#x27;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

/** Null where the drawing has no such layer. */
export function labelsOf(drawing: string): Labels | null {
  const from = drawing.indexOf(LAYER);
  const first = drawing.indexOf("<g id=");
  const end = drawing.indexOf("<g id=", from + 1);
  const to = end < 0 ? drawing.lastIndexOf("</svg>") : end;
  if (from < 0 || to < 0) return null;
  const layer = drawing.slice(from, to);
  const printed = [...layer.matchAll(ROW)].flatMap(([, row, texts]) => {
    const size = number(row!, "font-size");
    return [...texts!.matchAll(TEXT)].map(([, at, text]): Printed => {
      const [x, y, length] = [number(at!, "x"), number(at!, "y"), number(at!, "textLength")];
      return { text: text!.replace(/&[^;]+;/g, (name) => ENTITIES[name] ?? name), x: x - EDGE, y: y - ABOVE * size - EDGE, width: length + 2 * EDGE, height: (ABOVE + BELOW) * size + 2 * EDGE };
    });
  });
  return { others: drawing.slice(0, from) + drawing.slice(to), places: `${drawing.slice(0, first)}${layer}</svg>`, printed };
}

const letters = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/** What is printed of a name near a place: all of it, or a line of it. */
export function printedAs(name: string, at: Point, printed: readonly Printed[], reach: number): Printed[] {
  const whole = letters(name);
  return printed.filter((one) => whole.includes(letters(one.text)) && Math.hypot(one.x + one.width / 2 - at.x, one.y + one.height / 2 - at.y) < reach);
}

/** The names of a small place of which a pile covers a part: a rest of letters tells nobody anything. Half measures of the pile. */
export function coveredOf(name: string, pile: Point & { readonly wide: number; readonly high: number }, printed: readonly Printed[], reach: number): Printed[] {
  const meets = (one: Printed): boolean => one.x < pile.x + pile.wide && one.x + one.width > pile.x - pile.wide && one.y < pile.y + pile.high && one.y + one.height > pile.y - pile.high;
  return printedAs(name, pile, printed, reach).filter(meets);
}
