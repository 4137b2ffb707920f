/** The pieces on the map, in piles, and the pile that is spread out. */
import type { ReadonlySignal } from "@preact/signals";
import type { Camera } from "./camera";
import type { Board } from "../../model/board";
import { RADIUS, type Point } from "../../model/geometry";
import { inWords } from "../../model/mapfile";
import { HIGH, namesBeside, untold, type Named, type Pile } from "../../model/naming";
import { beside, fan, layOut } from "../../model/stacking";
import { lang } from "../../text";
import type { Piece } from "../../wire";
import type { TableStore } from "../../table/store";
import { layers } from "../../table/settings";
import { PieceFace } from "./piece";
import { artFile } from "./terrain";

interface Props {
  readonly store: TableStore;
  readonly board: Board;
}

export function PieceLayer({ store, board }: Props) {
  const context = store.context.value;
  if (!context || layers.pieces.value === "off") return null;
  const skin = store.skin.value;
  const choices = store.choices.value;
  const held = store.held.value;
  const interest = (p: Piece): number => (held.has(p.id) ? 4 : 0) + (choices.pieces.has(p.id) ? 2 : 0) + (p.known === false ? 0 : 1);
  const entries = [...store.stacks.value].filter(([key]) => board.sheet.has(key) || board.centre({ kind: "area", key }));
  return (
    <g class="pieces">
      {entries.map(([key, stack]) => {
        const centre = board.centre(board.sheet.has(key) ? { kind: "hex", key } : { kind: "area", key });
        if (!centre) return null;
        return (
          <g key={key} class="pile" data-pile={key}>
            {layOut(stack, (p) => skin.sideOf(p, context.sides), interest).map(({ piece, dx, dy, size, count }) => {
              const [x, y] = [centre.x + dx, centre.y + dy];
              return (
                <g key={piece.id} class={pieceClass(store, piece)} data-piece={piece.id}>
                  <Outline store={store} piece={piece} x={x} y={y} size={size} />
                  <PieceFace face={skin.face(piece, context)} x={x} y={y} size={size} under={count === 0} />
                  {count > 1 && (
                    <g transform={`translate(${x + size / 2 - 1} ${y + size / 2 - 1})`} class="count">
                      <circle r="8.5" />
                      <text y="4">{count}</text>
                    </g>
                  )}
                </g>
              );
            })}
          </g>
        );
      })}
    </g>
  );
}

const LARGE = /^(capital|city|major|town|fortress)$/;
const SMALL = /^hamlet$/; // hardly anybody looks for them

/** What pieces hide of the printed names of where they stand: most of them stand beside their piles; hamlets, and villages without room, are left away. */
export interface Hidden {
  readonly plates: readonly Named[];
  readonly bare: readonly Pile[];
}

const NOTHING_HIDDEN: Hidden = { plates: [], bare: [] };

export function hiddenNames(store: TableStore, board: Board): Hidden {
  const context = store.context.value;
  const printed = artFile(store.furniture.value?.art ?? [], board.name, "labels", "classic", lang.value) !== null; // else the map is drawn here, with names below the hexes
  if (!context || !printed || layers.pieces.value === "off") return NOTHING_HIDDEN;
  const skin = store.skin.value;
  const [piles, others]: [Pile[], Pile[]] = [[], []];
  for (const [key, stack] of store.stacks.value) {
    if (!board.sheet.has(key)) continue;
    const laid = layOut(stack, (p) => skin.sideOf(p, context.sides), () => 0);
    const [wide, high] = [Math.max(...laid.map((p) => Math.abs(p.dx) + p.size / 2)) + 3, Math.max(...laid.map((p) => Math.abs(p.dy) + p.size / 2)) + 3];
    const place = board.placeIn(key);
    const told = place !== undefined && !SMALL.test(place.class ?? "");
    (told ? piles : others).push({ key, ...board.sheet.centre(key), wide, high, name: place ? inWords(place.name, lang.value) : "", large: LARGE.test(place?.class ?? "") });
  }
  const plates = namesBeside(piles, others);
  return { plates, bare: untold([...piles, ...others], plates) };
}

export function NameLayer({ hidden }: { readonly hidden: ReadonlySignal<Hidden> }) {
  return (
    <g class="pile-names">
      {hidden.value.plates.map(({ key, name, x, y, width, large }) => (
        <g key={key} class={large ? "pile-name large" : "pile-name"} data-name={key}>
          <rect x={x - width / 2} y={y - HIGH / 2} width={width} height={HIGH} rx="3" />
          <text x={x} y={y + 4}>{name}</text>
        </g>
      ))}
    </g>
  );
}

function pieceClass(store: TableStore, piece: Piece): string {
  const names = ["piece"];
  if (store.choices.value.pieces.has(piece.id)) names.push("can");
  if (store.held.value.has(piece.id)) names.push("held");
  if (store.nextPieces.value.pieces.has(piece.id)) names.push("next");
  const selected = store.selected.value;
  if (selected?.kind === "piece" && selected.key === piece.id) names.push("chosen");
  return names.join(" ");
}

function Outline({ store, piece, x, y, size }: { readonly store: TableStore; readonly piece: Piece; readonly x: number; readonly y: number; readonly size: number }) {
  const selected = store.selected.value;
  const chosen = selected?.kind === "piece" && selected.key === piece.id;
  const can = store.choices.value.pieces.has(piece.id);
  const held = store.held.value.has(piece.id);
  const next = store.nextPieces.value.pieces.has(piece.id);
  if (!chosen && !can && !held && !next) return null;
  const half = size / 2 + 3;
  return (
    <g class={`ring${can ? " can" : next && !held ? " next" : ""}${held ? " held" : ""}${chosen ? " chosen" : ""}`}>
      <rect x={x - half} y={y - half} width={half * 2} height={half * 2} rx="7" class="glow-under" />
      <rect x={x - half} y={y - half} width={half * 2} height={half * 2} rx="7" class="glow" />
    </g>
  );
}

const FOOT = 36; // of the card of an opened pile, below the middle of its lowest row

/** Middles of what could be clicked around an opened pile: targets, ways, other piles with something to pick up. */
function clickable(store: TableStore, board: Board, open: string): Point[] {
  const { choices, then, nextPieces, stacks, ways } = store;
  const keys = new Set([...choices.value.hexes.keys(), ...(then.value?.choices.hexes.keys() ?? []), ...ways.value.map((way) => way.spot.key)]);
  for (const [key, stack] of stacks.value) if (stack.some((p) => choices.value.pieces.has(p.id) || nextPieces.value.pieces.has(p.id))) keys.add(key);
  keys.delete(open);
  return [...keys].filter((key) => board.sheet.has(key)).map((key) => board.sheet.centre(key));
}

/** The pile under the glass, spread over the board so that each piece can be clicked. */
export function SpreadLayer({ store, board, camera }: Props & { readonly camera: Camera }) {
  const context = store.context.value;
  const key = store.spread.value;
  if (!context || key === null) return null;
  const stack = store.stacks.value.get(key) ?? [];
  const centre = board.sheet.has(key) ? board.sheet.centre(key) : board.centre({ kind: "area", key });
  if (!centre || stack.length < 2) return null;
  const places = fan(stack.length, Math.min(5, Math.max(2, Math.ceil(Math.sqrt(stack.length * 1.6)))));
  const wide = Math.max(...places.map((p) => Math.abs(p.x))) + 36;
  const tall = Math.max(...places.map((p) => Math.abs(p.y))) + 36;
  const { x, y } = beside(centre, { wide, tall, foot: FOOT }, board, RADIUS, clickable(store, board, key), camera.clear() ?? undefined);
  const end = { x: Math.max(x - wide, Math.min(x + wide, centre.x)), y: Math.max(y - tall, Math.min(y + FOOT, centre.y)) };
  const skin = store.skin.value;
  return (
    <g class="spread" data-no-pan="">
      <path d={`M${centre.x} ${centre.y}L${end.x} ${end.y}`} class="spread-line" />
      <rect x={x - wide} y={y - tall} width={wide * 2} height={tall + FOOT} rx="8" class="spread-card" />
      {stack.map((piece, i) => {
        const at = places[i]!;
        return (
          <g key={piece.id} class={pieceClass(store, piece)} data-piece={piece.id}>
            <title>{skin.describe(piece, context)}</title>
            <Outline store={store} piece={piece} x={x + at.x} y={y + at.y} size={52} />
            <PieceFace face={skin.face(piece, context)} x={x + at.x} y={y + at.y} size={52} />
          </g>
        );
      })}
    </g>
  );
}
