/** What a game lets one lay over the map (supply, zones of control, reach with costs), and its legend. */
import type { Board } from "../../model/board";
import { arrowPath, RADIUS } from "../../model/geometry";
import { isShown, lookOf, type Look } from "../../model/overlays";
import type { Overlay } from "../../skins/skin";
import { overlayWishes } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { t } from "../../text";

export interface Dressed {
  readonly overlay: Overlay;
  readonly look: Look;
  readonly shown: boolean;
}

/** The overlays of the position, each with its look. */
export function dressed(store: TableStore): readonly Dressed[] {
  const context = store.context.value;
  if (!context) return [];
  const skin = store.skin.value;
  const taken = new Set<string>();
  return skin.overlays(context).map((overlay, i) => {
    const own = overlay.side !== undefined && !taken.has(overlay.side) ? skin.colours(overlay.side, context.sides).fill : undefined;
    if (overlay.side !== undefined) taken.add(overlay.side);
    return { overlay, look: lookOf(i, overlay.colour ?? own), shown: isShown(overlay, overlayWishes.value) };
  });
}

export function wish(overlay: Overlay, on: boolean): void {
  overlayWishes.value = { ...overlayWishes.value, [overlay.key]: on };
}

export function OverlayLayer({ store, board }: { readonly store: TableStore; readonly board: Board }) {
  return (
    <g class="overlays">
      {dressed(store)
        .filter((one) => one.shown)
        .map(({ overlay, look }) => (
          <Laid key={overlay.key} overlay={overlay} look={look} board={board} />
        ))}
    </g>
  );
}

function Laid({ overlay, look, board }: { readonly overlay: Overlay; readonly look: Look; readonly board: Board }) {
  const hexes = Object.keys(overlay.hexes ?? {}).filter((hex) => board.sheet.has(hex));
  const lines = (overlay.lines ?? []).map((line) => line.filter((h) => board.sheet.has(h)).map((h) => board.sheet.centre(h))).filter((line) => line.length > 1);
  const inside = hexes.map((hex) => `M${board.sheet.outline(hex)}Z`).join("");
  const plain = overlay.key === "reach"; // its hexes glow and carry their costs: no hatching over the ground as well
  return (
    <g class="laid" data-overlay={overlay.key}>
      {!plain && <Hatching id={`hatch-${overlay.key}`} look={look} />}
      <path d={inside} fill={plain ? look.colour : `url(#hatch-${overlay.key})`} fill-opacity={plain ? 0.07 : 1} />
      <path d={board.sheet.border(hexes)} class="laid-edge" stroke={look.colour} />
      {lines.map((line, i) => (
        <g key={i}>
          <path d={arrowPath(line, 6)} class="lane-case" />
          <path d={arrowPath(line, 6)} class="lane" stroke={look.colour} />
        </g>
      ))}
    </g>
  );
}

/** The words of the overlays, over everything that glows. */
export function OverlayWords({ store, board }: { readonly store: TableStore; readonly board: Board }) {
  return (
    <g class="laid">
      {dressed(store)
        .filter((one) => one.shown)
        .flatMap(({ overlay, look }) =>
          Object.entries(overlay.hexes ?? {}).map(([hex, word]) => {
            if (word === "" || !board.sheet.has(hex)) return null;
            const { x, y } = board.sheet.centre(hex);
            return <text key={`${overlay.key} ${hex}`} x={x} y={y + RADIUS * 0.42} class="overlay-word" fill={look.colour}>{word}</text>;
          }),
        )}
    </g>
  );
}

function Hatching({ id, look }: { readonly id: string; readonly look: Look }) {
  return (
    <pattern id={id} width="9" height="9" patternUnits="userSpaceOnUse" patternTransform={`rotate(${look.turn})`}>
      <rect width="9" height="9" fill={look.colour} fill-opacity="0.10" />
      <path d="M0 0V9" stroke={look.colour} stroke-width="3" stroke-opacity="0.38" />
    </pattern>
  );
}

/** What the hatchings mean; a click puts one away. */
export function Legend({ store }: { readonly store: TableStore }) {
  const shown = dressed(store).filter((one) => one.shown);
  if (!shown.length) return null;
  return (
    <ul class="legend" data-no-pan="" aria-label={t("board.legend")}>
      {shown.map(({ overlay, look }) => (
        <li key={overlay.key}>
          <svg width="22" height="14" aria-hidden="true">
            {overlay.key !== "reach" && <Hatching id={`legend-${overlay.key}`} look={look} />}
            {overlay.hexes && Object.keys(overlay.hexes).length > 0 ? (
              <rect x="1" y="1" width="20" height="12" fill={overlay.key === "reach" ? "#ffe9a8" : `url(#legend-${overlay.key})`} stroke={look.colour} />
            ) : (
              <path d="M1 7H21" class="lane" stroke={look.colour} />
            )}
          </svg>
          {overlay.title}
          <button type="button" class="put-away" aria-label={t("board.putAway", { name: overlay.title })} title={t("board.putAway", { name: overlay.title })} onClick={() => wish(overlay, false)}>×</button>
        </li>
      ))}
    </ul>
  );
}
