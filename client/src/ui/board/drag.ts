/** Dragging a piece to where it shall go: it is picked up and goes, as two clicks would do it. */
import { useRef } from "preact/hooks";
import type { Board } from "../../model/board";
import type { TableStore } from "../../table/store";
import type { Camera } from "./camera";

const SHAKE = 7; // pixels that are no drag
const REST = 250; // ms over a place, then one is told what letting go would do

interface Handlers {
  onPointerDownCapture(event: PointerEvent): void;
  onPointerMoveCapture(event: PointerEvent): void;
  onPointerUpCapture(event: PointerEvent): void;
  onPointerCancelCapture(): void;
  /** True once after a drag: its click is none. */
  dropped(): boolean;
}

/** The piece under the pointer that can be dragged now: one in hand, or one that a click would pick up. A finger drags only what it has touched before. */
function draggable(event: PointerEvent, store: TableStore): string | null {
  const element = (event.target as Element).closest("[data-piece]");
  const id = element?.getAttribute("data-piece");
  if (!id || event.button > 0 || store.replay.peek() || !store.myTurn.peek()) return null;
  const pile = element!.closest("[data-pile]")?.getAttribute("data-pile");
  const stack = pile ? (store.stacks.peek().get(pile) ?? []).map((piece) => piece.id) : [id];
  const held = store.held.peek();
  const inHand = [id, ...stack].find((piece) => held.has(piece));
  if (inHand && store.choices.peek().hexes.size) return inHand;
  const candidates = [id, ...stack].filter((piece) => {
    const plan = store.mover(piece);
    return plan !== null && store.picks(plan);
  });
  const found = candidates[0] ?? null;
  const selected = store.selected.peek();
  if (event.pointerType === "mouse" || found === null) return found;
  return selected?.kind === "piece" && selected.key === found ? found : selected?.kind === "hex" && selected.key === store.placeOf(found) ? found : null;
}

export function useDrag(store: TableStore, board: Board, camera: Camera, quiet: () => void): Handlers {
  const now = useRef<{ piece: string; x: number; y: number; moving: boolean } | null>(null);
  const dropped = useRef(false);
  const telling = useRef<{ place: string | null; timer: number }>({ place: null, timer: 0 });
  const hush = (): void => {
    clearTimeout(telling.current.timer);
    telling.current.place = null;
    store.hover.value = null;
  };
  /** The card of the place over which the piece rests: a drop acts at once, so its cost and chances stand there before. */
  const tell = (event: PointerEvent, place: string | null): void => {
    if (telling.current.place === place) return;
    hush();
    const spot = place === null ? null : board.spot(place);
    if (!spot || !now.current || store.placeOf(now.current.piece) === place) return;
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    const at = { spot, x: event.clientX - frame.left, y: event.clientY - frame.top, width: frame.width, height: frame.height };
    telling.current = { place, timer: window.setTimeout(() => (store.hover.value = at), REST) };
  };
  const over = (event: PointerEvent): string | null => {
    const at = camera.toSheet(event.clientX, event.clientY);
    return board.sheet.at(at) ?? board.drawnBoxes().find(([, box]) => at.x >= box.x && at.x <= box.x + box.width && at.y >= box.y && at.y <= box.y + box.height)?.[0] ?? null;
  };
  return {
    onPointerDownCapture: (event) => {
      dropped.current = false;
      const piece = draggable(event, store);
      if (!piece) return;
      quiet();
      now.current = { piece, x: event.clientX, y: event.clientY, moving: false };
      camera.press();
      event.stopPropagation();
    },
    onPointerMoveCapture: (event) => {
      const drag = now.current;
      if (!drag) return;
      if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SHAKE) {
        drag.moving = true;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        hush();
        if (store.spread.peek() !== store.placeOf(drag.piece)) store.spread.value = null;
        const plan = store.mover(drag.piece);
        if (plan && !store.held.peek().has(drag.piece)) void store.ahead.look(plan);
      }
      event.stopPropagation();
      if (!drag.moving) return;
      const place = over(event);
      store.dragged.value = { piece: drag.piece, ...camera.toSheet(event.clientX, event.clientY), over: place };
      tell(event, place);
    },
    onPointerUpCapture: (event) => {
      const drag = now.current;
      now.current = null;
      if (!drag) return;
      hush();
      event.stopPropagation();
      if (!drag.moving) return;
      dropped.current = true;
      void store.drop(drag.piece, over(event));
    },
    onPointerCancelCapture: () => {
      now.current = null;
      hush();
      store.dragged.value = null;
    },
    dropped: () => {
      const was = dropped.current;
      dropped.current = false;
      return was;
    },
  };
}
