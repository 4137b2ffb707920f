/** What the coach points at, on a map of hexes or on a measured table. */
import type { Board } from "../../model/board";
import { RADIUS } from "../../model/geometry";
import type { TableStore } from "../../table/store";

export function CoachLayer({ store, board, round }: { readonly store: TableStore; readonly board: Board; readonly round?: boolean }) {
  const { places, pieces } = store.aims.value;
  const keys = new Set([...places, ...pieces.flatMap((id) => store.placeOf(id) ?? [])]);
  return (
    <g class="coach-layer">
      {[...keys].map((key) => {
        if (key.includes("|")) {
          const ends = board.sheet.side(...(key.split("|") as [string, string]));
          return ends ? <circle key={key} cx={(ends[0].x + ends[1].x) / 2} cy={(ends[0].y + ends[1].y) / 2} r="22" class="coach-ring" data-coach={key} /> : null;
        }
        if (!board.sheet.has(key)) {
          const box = board.boxAt(key);
          const hexes = board.area(key)?.hexes;
          if (box) return <rect key={key} {...box} rx="8" class="coach-ring" data-coach={key} />;
          return hexes?.length ? <path key={key} d={board.sheet.border(hexes)} class="coach-ring" data-coach={key} /> : null;
        }
        const { x, y } = board.sheet.centre(key);
        if (round) return <circle key={key} cx={x} cy={y} r={places.includes(key) ? 24 : 46} class="coach-ring" data-coach={key} />;
        return <circle key={key} cx={x} cy={y} r={RADIUS * 1.02} class="coach-ring" data-coach={key} />;
      })}
    </g>
  );
}
