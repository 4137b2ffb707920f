/** Pieces that glide along their way while the others' actions are played back. The drawing below is not made anew for it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Board } from "../../model/board";
import type { TableStore } from "../../table/store";

const MOST = 12; // pieces at once; of more none could be followed

export function GlideLayer({ store, board }: { readonly store: TableStore; readonly board: Board }) {
  const layer = useRef<SVGGElement>(null);
  const now = store.glides.value;
  useLayoutEffect(() => (now && layer.current ? start(layer.current, board, store, now) : undefined), [now]);
  return <g class="glides" ref={layer} aria-hidden="true" data-glides={now ? now.list.length : undefined} />;
}

type Now = NonNullable<TableStore["glides"]["value"]>;

/** A copy of each piece goes its way above all others; the piece itself is unseen until the copy has arrived. */
function start(layer: SVGGElement, board: Board, store: TableStore, { list, ms }: Now): () => void {
  const root = layer.ownerSVGElement!;
  const undo: (() => void)[] = [];
  const done: Promise<unknown>[] = [];
  for (const { piece, path } of list.slice(0, MOST)) {
    const drawn = [...root.querySelectorAll<SVGGElement>(`[data-piece="${CSS.escape(piece)}"]`)].find((one) => !one.closest(".glides, .spread"));
    const points = path.filter((key) => board.sheet.has(key)).map((key) => board.sheet.centre(key));
    const end = points[points.length - 1];
    if (!drawn || !end || points.length < 2 || !layer.animate) continue;
    const copy = document.createElementNS("http://www.w3.org/2000/svg", "g");
    copy.append(drawn.cloneNode(true));
    (copy.firstChild as Element).removeAttribute("data-piece");
    copy.setAttribute("data-glider", piece);
    drawn.style.visibility = "hidden";
    layer.append(copy);
    undo.push(() => {
      copy.remove();
      drawn.style.visibility = "";
    });
    const steps = points.map((p, i) => (i ? Math.hypot(p.x - points[i - 1]!.x, p.y - points[i - 1]!.y) : 0));
    const whole = steps.reduce((sum, step) => sum + step, 0) || 1;
    let gone = 0;
    const frames = points.map((p, i) => ({ transform: `translate(${p.x - end.x}px, ${p.y - end.y}px)`, offset: Math.min(1, (gone += steps[i]!) / whole) }));
    done.push(copy.animate(frames, { duration: ms, easing: "ease-in-out", fill: "both" }).finished.catch(() => undefined));
  }
  const over = (): void => undo.splice(0).forEach((one) => one());
  void Promise.all(done).then(() => {
    over();
    if (store.glides.peek()?.list === list) store.glides.value = null;
  });
  return over;
}
