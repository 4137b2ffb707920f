/** What one does at a table besides giving orders: measuring, looking, turning on rings. Signals of one open board. */
import { signal } from "@preact/signals";
import { api, once } from "../../net/api";
import { unrolled, type TableBoard } from "../../model/tabletop";
import type { Point } from "../../model/geometry";

export interface Ruler {
  readonly from: string;
  readonly to: string | null;
}

export interface Seen {
  readonly from: string;
  readonly up: number;
  /** For every point row by row: 0 if it is seen, else 1 + the feature in the way. */
  readonly blockers: readonly number[];
}

export interface Drag {
  readonly piece: string;
  readonly from: Point;
  readonly to: string | null;
}

export class TableTools {
  /** Whether clicks measure. */
  readonly measuring = signal(false);
  readonly ruler = signal<Ruler | null>(null);
  readonly rings = signal(false);
  readonly looking = signal(false);
  readonly seen = signal<Seen | null>(null);
  /** The target under the pointer, snapped. */
  readonly near = signal<string | null>(null);
  /** The unit under the pointer. */
  readonly aimed = signal<string | null>(null);
  readonly drag = signal<Drag | null>(null);
  private asked = "";

  constructor(
    readonly game: string,
    readonly board: TableBoard,
  ) {}

  /** The first click lays the tape's end, the second the other; a third begins anew. */
  measure(point: string): void {
    const now = this.ruler.peek();
    this.ruler.value = now && now.to === null ? { from: now.from, to: point } : { from: point, to: null };
    void this.look(this.ruler.value.from, 0);
  }

  /** Ask the server what is seen from a point; the answer is kept for ever. */
  async look(from: string, up: number): Promise<void> {
    this.asked = `${from} ${up}`;
    try {
      const { runs } = await once(`map sight ${this.game} ${this.board.name} ${from} ${up}`, () => api.sight(this.game, this.board.name, from, up));
      if (this.asked === `${from} ${up}`) this.seen.value = { from, up, blockers: unrolled(runs) };
    } catch {
      this.seen.value = null;
    }
  }

  /** The feature between where we look from and a point; null if it is seen or nobody has looked. */
  blocker(from: string, to: string): string | null {
    const seen = this.seen.value;
    if (!seen || seen.from !== from) return null;
    const number = seen.blockers[this.board.sheet.number(to)] ?? 0;
    return number ? (this.board.table.features[number - 1]?.[0] ?? null) : null;
  }
}
