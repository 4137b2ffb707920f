/** Where the names of places go that pieces would hide: beside their pile, where no other pile and no other name lies. Pure. */

/** A pile in a named place: its middle, half its width and height. */
export interface Pile {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly high: number;
  readonly name: string;
  /** A town that must be told even where there is hardly room. */
  readonly large: boolean;
}

/** A name: the middle of its field. */
export interface Named {
  readonly key: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly large: boolean;
}

interface Field {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly high: number;
}

export const HIGH = 15; // of a name's field
const LETTER = 5.5; // of an average letter
const LARGER = 6.6;
const GAP = 2;
const UNDER = 2; // to the right it begins at the very edge, over what is left of the printed name

const meet = (a: Field, b: Field): boolean => Math.abs(a.x - b.x) < a.wide + b.wide && Math.abs(a.y - b.y) < a.high + b.high;

export function widthOf(name: string, large: boolean): number {
  return name.length * (large ? LARGER : LETTER) + 8;
}

/** `others` are piles without a name of their own. Large places choose first. To the right first: there the map prints most names, and the new one covers what is left of them. */
export function namesBeside(piles: readonly Pile[], others: readonly Field[] = []): Named[] {
  const taken: Field[] = [...piles, ...others];
  const found: Named[] = [];
  for (const pile of [...piles].sort((a, b) => Number(b.large) - Number(a.large))) {
    if (found.some((one) => one.name === pile.name)) continue; // a town of several hexes is told once
    const width = widthOf(pile.name, pile.large);
    const [wide, high] = [width / 2, HIGH / 2];
    const right = pile.x + pile.wide - UNDER + wide;
    const left = pile.x - pile.wide - GAP - wide;
    const [below, above] = [pile.y + pile.high + GAP + high, pile.y - pile.high - GAP - high];
    const spots: Field[] = [
      { x: right, y: pile.y, wide, high },
      { x: pile.x, y: below, wide, high },
      { x: left, y: pile.y, wide, high },
      { x: pile.x, y: above, wide, high },
    ];
    const free = spots.find((spot) => !taken.some((field) => field !== pile && meet(spot, field))) ?? (pile.large ? spots[1] : undefined);
    if (!free) continue;
    taken.push(free);
    found.push({ key: pile.key, name: pile.name, x: free.x, y: free.y, width, large: pile.large });
  }
  return found;
}

/** Piles in a named place whose name stands nowhere beside them. */
export function untold(piles: readonly Pile[], plates: readonly Named[]): Pile[] {
  const told = new Set(plates.map(({ name }) => name));
  return piles.filter(({ name }) => name && !told.has(name));
}
