/** How the pieces of one hex are laid out so that each side can be seen. Pure. */
import type { Piece, Side } from "../wire";
import type { Point } from "./geometry";

export interface Laid {
  readonly piece: Piece;
  readonly dx: number;
  readonly dy: number;
  readonly size: number;
  /** How many lie in this pile, told on its top piece only. */
  readonly count: number;
}

const FULL = 50;
const SHARED = 37;
const SHOWN = 4;

/** Piles by side, from left to right; within a pile the most interesting piece on top (drawn last). */
export function layOut(stack: readonly Piece[], sideOf: (p: Piece) => Side | null, interest: (p: Piece) => number): Laid[] {
  const piles = new Map<Side | null, Piece[]>();
  for (const piece of stack) {
    const side = sideOf(piece);
    const pile = piles.get(side);
    if (pile) pile.push(piece);
    else piles.set(side, [piece]);
  }
  const size = piles.size > 1 ? SHARED : FULL;
  const laid: Laid[] = [];
  [...piles.values()].forEach((pile, i) => {
    const middle = piles.size > 1 ? (i - (piles.size - 1) / 2) * (SHARED + 5) * (piles.size > 2 ? 0.7 : 1) : 0;
    const sorted = [...pile].sort((a, b) => interest(a) - interest(b));
    const shown = sorted.slice(-SHOWN);
    shown.forEach((piece, j) => {
      const up = shown.length - 1 - j;
      const lift = size > 40 ? 4.5 : 3.5;
      const shift = ((shown.length - 1) * lift) / 2;
      laid.push({ piece, dx: middle - shift + (shown.length - 1 - up) * lift, dy: shift - (shown.length - 1 - up) * lift, size, count: up === 0 ? pile.length : 0 });
    });
  });
  return laid;
}

/** Places for a stack spread out: rows of at most `columns`, centred above a point. */
export function fan(count: number, columns = 5, cell = 62): { readonly x: number; readonly y: number }[] {
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = row === rows - 1 ? count - row * columns : columns;
    return { x: ((i % columns) - (inRow - 1) / 2) * cell, y: (row - (rows - 1)) * cell };
  });
}

/** Half the width and the height of a card, and how far its top reaches above the row it stands on. */
export interface Card {
  readonly wide: number;
  readonly tall: number;
  readonly foot: number;
}

/** The part of the sheet that is on the screen. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where an opened pile lies: beside its hex, on the screen, where it covers the least of what could be clicked; above if that makes no
 * difference. The point is that of the lowest row.
 */
export function beside(centre: Point, card: Card, size: { readonly width: number; readonly height: number }, gap: number, avoid: readonly Point[], seen: Part = { x: 0, y: 0, ...size }): Point {
  const { wide, tall, foot } = card;
  const high = (tall - foot) / 2; // from the middle of the card to its lowest row
  const spots = [
    { x: centre.x, y: centre.y - gap - foot },
    { x: centre.x, y: centre.y + gap + tall },
    { x: centre.x + gap + wide, y: centre.y + high },
    { x: centre.x - gap - wide, y: centre.y + high },
    { x: centre.x + gap + wide, y: centre.y - gap - foot },
    { x: centre.x - gap - wide, y: centre.y - gap - foot },
    { x: centre.x + gap + wide, y: centre.y + gap + tall },
    { x: centre.x - gap - wide, y: centre.y + gap + tall },
  ];
  const covers = ({ x, y }: Point): number => avoid.filter((p) => Math.abs(p.x - x) < wide && p.y > y - tall && p.y < y + foot).length;
  const outside = ({ x, y }: Point): number => Number(x - wide < 0 || x + wide > size.width || y - tall < 0 || y + foot > size.height);
  const unseen = ({ x, y }: Point): number => Number(x - wide < seen.x || x + wide > seen.x + seen.width || y - tall < seen.y || y + foot > seen.y + seen.height);
  const cost = (spot: Point): number => covers(spot) + unseen(spot) * 100 + outside(spot) * 1000;
  const best = spots.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  if (!unseen(best)) return best;
  return { x: into(best.x, seen.x + wide, seen.x + seen.width - wide), y: into(best.y, seen.y + tall, seen.y + seen.height - foot) }; // over its own hex, if need be
}

/** The nearest number between two; where there is no room between them, the number itself. */
const into = (n: number, least: number, most: number): number => (least > most ? n : Math.max(least, Math.min(most, n)));
