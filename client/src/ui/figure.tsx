/** Pictures of the cases in the rulebook: a cut of the board with its pieces, drawn as the table draws them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Board } from "../model/board";
import { arrowPath, RADIUS, type Point } from "../model/geometry";
import { layOut } from "../model/stacking";
import { CM, TableBoard, wedge, FACING_NAMES } from "../model/tabletop";
import { stacksOf } from "../model/targets";
import { api, once } from "../net/api";
import type { Context } from "../skins/skin";
import { furnish, type Furniture } from "../table/furniture";
import { fine, lang } from "../text";
import type { Figure, Piece, StateMessage } from "../wire";
import { PieceFace } from "./board/piece";
import { Land } from "./board/terrain";
import { lookOf, Model } from "./tabletop/models";

export interface Gallery {
  readonly figures: readonly Figure[];
  readonly furniture: Furniture;
}

/** The pictures of a game and what it takes to draw them. */
export function useGallery(game: string): Gallery | null {
  const found = useSignal<Gallery | null>(null);
  useEffect(() => {
    let here = true;
    once(`figures ${game}`, () => api.figures(game)).then(async (figures) => {
      if (!figures.length) return;
      const furniture = await furnish(game, null);
      if (here) found.value = { figures, furniture };
    }, () => undefined);
    return () => void (here = false);
  }, [game, lang.value]);
  return found.value;
}

/** A picture with its sentence. */
export function CaseFigure({ figure, gallery }: { readonly figure: Figure; readonly gallery: Gallery }) {
  const id = `figure-${figure.name}`;
  return (
    <figure class="case" id={id} tabIndex={-1}>
      <Drawing figure={figure} furniture={gallery.furniture} label={`${id}-says`} />
      <figcaption>
        <strong>{fine(figure.title)}</strong> <span id={`${id}-says`}>{fine(figure.says)}</span>
      </figcaption>
    </figure>
  );
}

function Drawing({ figure, furniture, label }: { readonly figure: Figure; readonly furniture: Furniture; readonly label: string }) {
  const { skin, maps, card, words } = furniture;
  const sides = (card.sides ?? []).map((side) => side.name);
  const board = furniture.boards.get(skin.mapFor({ view: figure.view, scenario: figure.scenario } as StateMessage, maps));
  if (!board) return null;
  const context: Context = { view: figure.view, card, words, board, sides };
  const cut = board instanceof TableBoard ? aroundPoint(board, figure) : aroundHex(board, figure);
  const [x, y, wide, high] = cut.box;
  return (
    <svg class="case-drawing" viewBox={`${x} ${y} ${wide} ${high}`} role="img" aria-labelledby={label} style={{ maxWidth: `${Math.min(560, Math.round(wide * 1.15))}px` }}>
      <g aria-hidden="true">
        <Heads />
        <g class="case-ground">{board instanceof TableBoard ? <Ground board={board} game={card.game} art={furniture.art} /> : <Land board={cut.board} lang={lang.value} numbers />}</g>
        {board instanceof TableBoard && <Arcs figure={figure} board={board} />}
        <Signs figure={figure} board={cut.board} below />
        {board instanceof TableBoard ? <Models pieces={cut.pieces} board={board} context={context} furniture={furniture} /> : <Piles pieces={cut.pieces} board={cut.board} context={context} furniture={furniture} />}
        <Arrows figure={figure} board={board} />
        <Signs figure={figure} board={cut.board} />
      </g>
    </svg>
  );
}

interface Cut {
  readonly board: Board;
  readonly box: readonly [number, number, number, number];
  readonly pieces: ReadonlyMap<string, readonly Piece[]>;
}

/** The hexes within so many steps of the middle. */
function aroundHex(board: Board, figure: Figure): Cut {
  let hexes = new Set([figure.middle]);
  for (let step = 0; step < figure.reach; step++) hexes = new Set([...hexes].flatMap((hex) => [hex, ...board.sheet.neighbours(hex)]));
  const within = (pair: string): boolean => pair.split("|").every((hex) => hexes.has(hex));
  const keep = <T,>(table: { readonly [key: string]: T } | undefined, wanted: (key: string) => boolean): { [key: string]: T } => Object.fromEntries(Object.entries(table ?? {}).filter(([key]) => wanted(key)));
  const places = Object.fromEntries([...hexes].flatMap((hex) => { const place = board.placeIn(hex); return place ? [[hex, { ...place, hexes: [hex] }]] : []; }));
  const small = new Board(board.name, { ...board.file, hexes: keep(board.file.hexes, (hex) => hexes.has(hex)), sides: keep(board.file.sides, within), links: keep(board.file.links, within), places, areas: {}, labels: [] });
  const centres = [...hexes].filter((hex) => board.sheet.has(hex)).map((hex) => board.sheet.centre(hex));
  const pieces = new Map([...stacksOf(figure.view.pieces ?? [], board)].filter(([hex]) => hexes.has(hex)));
  return { board: small, box: boxAround(centres, RADIUS + 4), pieces };
}

/** A square of the table, so many centimetres to each side. */
function aroundPoint(board: TableBoard, figure: Figure): Cut {
  const at = board.sheet.centre(figure.middle);
  const r = figure.reach * CM;
  const [left, top] = [Math.max(0, at.x - r), Math.max(0, at.y - r * 0.7)];
  const [right, bottom] = [Math.min(board.width, at.x + r), Math.min(board.height, at.y + r * 0.7)];
  const inside = (hex: string): boolean => {
    if (!board.sheet.has(hex)) return false;
    const p = board.sheet.centre(hex);
    return p.x > left && p.x < right && p.y > top && p.y < bottom;
  };
  return { board, box: [left, top, right - left, bottom - top], pieces: new Map([...stacksOf(figure.view.pieces ?? [], board)].filter(([key]) => inside(key))) };
}

/** Around some centres; names may stick out to the sides. */
function boxAround(points: readonly Point[], more: number): [number, number, number, number] {
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, top] = [Math.min(...xs) - more - 26, Math.min(...ys) - more];
  return [left, top, Math.max(...xs) + more + 26 - left, Math.max(...ys) + more - top];
}

function Piles({ pieces, board, context, furniture }: { readonly pieces: Cut["pieces"]; readonly board: Board; readonly context: Context; readonly furniture: Furniture }) {
  const { skin } = furniture;
  return (
    <g class="pieces">
      {[...pieces].map(([hex, stack]) => {
        const { x, y } = board.sheet.centre(hex);
        return layOut(stack, (p) => skin.sideOf(p, context.sides), (p) => (p.known === false ? 0 : 1)).map(({ piece, dx, dy, size, count }) => (
          <g key={piece.id} class="piece">
            <PieceFace face={skin.face(piece, context)} x={x + dx} y={y + dy} size={size} under={count === 0} />
            {count > 1 && (
              <g transform={`translate(${x + dx + size / 2 - 1} ${y + dy + size / 2 - 1})`} class="count">
                <circle r="8.5" />
                <text y="4">{count}</text>
              </g>
            )}
          </g>
        ));
      })}
    </g>
  );
}

function Ground({ board, game, art }: { readonly board: TableBoard; readonly game: string; readonly art: readonly string[] }) {
  return (
    <g>
      {["ground", "standing"].map((layer) => {
        const file = `table.${board.name}.${layer}.webp`;
        return art.includes(file) ? <image key={layer} href={`/api/games/${game}/art/${file}`} x="0" y="0" width={board.width} height={board.height} preserveAspectRatio="none" /> : null;
      })}
    </g>
  );
}

function Models({ pieces, board, context, furniture }: { readonly pieces: Cut["pieces"]; readonly board: TableBoard; readonly context: Context; readonly furniture: Furniture }) {
  return (
    <g class="models">
      {[...pieces].flatMap(([at, stack]) =>
        stack.map((piece) => {
          const { x, y } = board.sheet.centre(at);
          return (
            <g key={piece.id} transform={`translate(${x} ${y})`}>
              <Model piece={piece} look={lookOf(piece, furniture.skin.sideOf(piece, context.sides))} snow={false} wreck={piece["state"] === "wreck"} />
            </g>
          );
        }),
      )}
    </g>
  );
}

const words = (line: string): string[] => line.split(" ");

/** Wedges of a table: `point facing degrees cm`. */
function Arcs({ figure, board }: { readonly figure: Figure; readonly board: TableBoard }) {
  return (
    <g>
      {figure.arcs.map((line) => {
        const [at, facing, width, far] = words(line);
        return <path key={line} d={wedge(board.sheet.centre(at!), FACING_NAMES.indexOf(facing as (typeof FACING_NAMES)[number]), Number(width), Number(far) * CM)} class="case-arc" />;
      })}
    </g>
  );
}

/** Shaded hexes under the pieces; words and verdicts over them. */
function Signs({ figure, board, below }: { readonly figure: Figure; readonly board: Board; readonly below?: boolean }) {
  const table = board instanceof TableBoard;
  return (
    <g>
      {figure.signs.map((line) => {
        const [hex, kind, ...more] = words(line);
        if (!board.sheet.has(hex!)) return null;
        const { x, y } = board.sheet.centre(hex!);
        if (below && kind === "around") return <g key={line}>{board.sheet.neighbours(hex!).map((next) => <polygon key={next} points={board.sheet.outline(next, 0.96)} class="case-hex zone" />)}</g>;
        if (below) return table ? null : <polygon key={line} points={board.sheet.outline(hex!, 0.96)} class={`case-hex ${kind}`} />;
        const text = kind === "good" ? "✓" : kind === "bad" ? "×" : more.join(" ");
        if (!text) return null;
        const [dx, dy] = table ? [0, 0] : board.sheet.flat ? [RADIUS * 0.52, -RADIUS * 0.42] : [RADIUS * 0.46, -RADIUS * 0.46];
        return (
          <g key={line} transform={`translate(${x + dx} ${y + dy})`} class={`case-sign ${kind}`}>
            <rect x={-8 - text.length * 3} y="-12" width={16 + text.length * 6} height="20" rx="10" />
            <text y="3.5">{text}</text>
          </g>
        );
      })}
    </g>
  );
}

function Arrows({ figure, board }: { readonly figure: Figure; readonly board: Board }) {
  return (
    <g>
      {figure.arrows.map((line) => {
        const [kind, ...way] = words(line);
        const points = way.map((hex) => board.sheet.centre(hex));
        const path = arrowPath(points, kind === "no" ? 36 : 30, 26);
        const end = points[points.length - 1]!;
        const from = points[points.length - 2] ?? end;
        return (
          <g key={line} class={`case-arrow ${kind}`}>
            <path d={path} class="under" />
            <path d={path} class="over" marker-end={kind === "no" ? undefined : `url(#case-head-${kind})`} />
            {kind === "no" && <path d={cross({ x: (end.x * 0.55 + from.x * 0.45), y: (end.y * 0.55 + from.y * 0.45) })} class="case-cross" />}
          </g>
        );
      })}
    </g>
  );
}

const cross = ({ x, y }: Point): string => `M${x - 8} ${y - 8}L${x + 8} ${y + 8}M${x + 8} ${y - 8}L${x - 8} ${y + 8}`;

function Heads() {
  return (
    <defs>
      {["go", "attack", "retreat", "supply", "fire"].map((kind) => (
        <marker key={kind} id={`case-head-${kind}`} class={`case-head ${kind}`} viewBox="0 0 10 10" refX="4" refY="5" markerWidth="3.4" markerHeight="3.4" orient="auto">
          <path d="M0 0L10 5L0 10Z" />
        </marker>
      ))}
    </defs>
  );
}
