/** A card beside the pointer: what lies there, and what a click would do, with its cost and its chances. */
import { useEffect, useRef } from "preact/hooks";
import type { Spot } from "../../model/board";
import type { TableStore } from "../../table/store";
import { alike, sentence } from "../../model/words";
import { fine, t } from "../../text";
import type { Foreseen } from "../../wire";
import { chancesInWords, useChances } from "../panels/chances";

const REST = 380; // ms that the mouse rests
const PRESS = 480; // ms that a finger presses
const SHAKE = 7; // pixels that do not count as moving
const BESIDE = 26; // beside a piece that is dragged
const ACTIONS = 3;
const PIECES = 6;
const LONGEST = 110; // letters of a line about a piece: lists of all that it could reach are for the map

interface Handlers {
  onPointerMove(event: PointerEvent): void;
  onPointerDown(event: PointerEvent): void;
  onPointerUp(event: PointerEvent): void;
  onPointerLeave(): void;
  /** True once after a long press: its click is none. */
  swallowed(): boolean;
  /** Nothing is told of where the pointer was. */
  hush(): void;
}

/** Watch for a mouse that rests and a finger that stays. */
export function useHover(store: TableStore, spotAt: (event: PointerEvent) => Spot | null): Handlers {
  const watch = useRef({ timer: 0, x: 0, y: 0, pressed: false, long: false });
  const now = watch.current;
  const hide = (): void => {
    clearTimeout(now.timer);
    if (store.hover.peek()) store.hover.value = null;
  };
  useEffect(() => hide, [store]);
  const wait = (event: PointerEvent, time: number): void => {
    hide();
    [now.x, now.y] = [event.clientX, event.clientY];
    const touch = event.pointerType !== "mouse";
    const frame = (event.currentTarget as HTMLElement).getBoundingClientRect();
    now.timer = window.setTimeout(() => {
      const spot = (event.target as Element | null)?.isConnected === false ? null : spotAt(event); // a pile that was open may have shut meanwhile
      if (!spot) return;
      now.long = touch;
      store.hover.value = { spot, x: now.x - frame.left, y: now.y - frame.top, width: frame.width, height: frame.height };
    }, time);
  };
  const far = (event: PointerEvent): boolean => Math.hypot(event.clientX - now.x, event.clientY - now.y) > SHAKE;
  return {
    onPointerMove: (event) => {
      if (event.pointerType === "mouse" && !event.buttons) {
        if (far(event)) wait(event, REST);
      } else if (far(event)) hide();
    },
    onPointerDown: (event) => {
      now.long = false;
      if (event.pointerType === "mouse") hide();
      else wait(event, PRESS);
    },
    onPointerUp: () => {
      if (!now.long) hide();
    },
    onPointerLeave: () => {
      if (!now.long) hide();
    },
    swallowed: () => {
      const long = now.long;
      now.long = false;
      return long;
    },
    hush: hide,
  };
}

export function HoverCard({ store }: { readonly store: TableStore }) {
  const hover = store.hover.value;
  const context = store.context.value;
  const actions = hover ? store.actionsOn(hover.spot, store.choices.value).slice(0, ACTIONS) : [];
  useChances(store, actions);
  const planned = hover ? store.plannedAt(hover.spot) : [];
  const names = planned.map((action) => action.join(" ")).join("\n");
  useEffect(() => {
    if (planned.length && store.myTurn.peek()) void store.ahead.look(planned);
  }, [names, store.state.value?.version]);
  const later = hover ? store.laterAt(hover.spot) : null;
  useChances(store, later?.before.length ? later.actions.slice(0, ACTIONS) : [], later?.before);
  const next = store.ahead.of(planned);
  if (!hover || !context) return null;
  if (hover.spot.kind !== "piece" && hover.spot.key === store.spread.value) return null; // the opened pile says it, and must not be covered
  const chosen = store.selected.value;
  if (store.then.value && chosen?.kind === hover.spot.kind && chosen.key === hover.spot.key) return null; // nor where the piece in hand can go
  const { spot, x, y, width, height } = hover;
  const piece = spot.kind === "piece" ? store.byId.value.get(spot.key) : undefined;
  const place = spot.kind === "piece" ? store.placeOf(spot.key) : spot.key;
  const stack = piece ? [piece] : (store.stacks.value.get(place ?? "") ?? []);
  const told = alike(stack.map((p) => store.skin.value.describe(p, context)));
  const reach = store.reach.value;
  const cost = (reach?.hexes ?? reach?.points)?.[place ?? ""];
  const price = store.then.value?.next.reach[place ?? ""];
  const room = store.dragged.value ? BESIDE : 0;
  const across = x > width / 2 ? { right: `${width - x + 16 + room}px` } : { left: `${x + 16 + room}px` };
  const down = y > height / 2 ? { bottom: `${height - y + 10 + room}px` } : { top: `${y + 12 + room}px` };
  return (
    <div class="hover-card" role="tooltip" style={{ ...across, ...down }}>
      <strong>{store.placeInWords(place ?? spot.key)}</strong>
      {place !== null && store.placeFacts(place).length > 0 && <small>{store.placeFacts(place).join(", ")}</small>}
      {told.slice(0, PIECES).map(([said, n]) => <span key={said} class="hover-piece">{said}{n > 1 && ` ×${n}`}</span>)}
      {told.length > PIECES && <span class="hover-piece">+{told.slice(PIECES).reduce((sum, [, n]) => sum + n, 0)}</span>}
      {actions.map((action) => (
        <span key={action.join(" ")} class="hover-action">
          {store.say(action)}
          {cost !== undefined && cost !== "" && <small>{t("hover.cost", { cost })}</small>}
          {chancesInWords(store, action) && <small>{chancesInWords(store, action)}</small>}
        </span>
      ))}
      {later?.actions.slice(0, ACTIONS).map((action) => (
        <span key={action.join(" ")} class="hover-action">
          {store.sayLater(action, store.laterVerbs())}
          {price !== undefined && price !== "" && <small>{t("hover.cost", { cost: price })}</small>}
          {chancesInWords(store, action, later.before) && <small class="hover-chances">{chancesInWords(store, action, later.before)}</small>}
        </span>
      ))}
      {next && <Outlook next={next} />}
      {store.dragged.value && !later && !actions.length && store.then.value && <span class="outlook">{t("hover.notThere")}</span>}
    </div>
  );
}

/** What would come of it: what the rules would say, and how the piece would stand. */
function Outlook({ next }: { readonly next: Foreseen }) {
  const about = next.about.split("\n").filter((line) => line && line.length < LONGEST);
  const said = next.told.filter((event) => event.kind !== "roll").slice(0, 3);
  const ends = next.ends === "dice" ? t("act.endsDice") : next.ends === "reveals" ? t("act.endsReveals") : next.ends === "others" ? t("act.endsOthers") : "";
  if (!about.length && !said.length && !ends) return null;
  return (
    <span class="outlook">
      {said.length > 0 && <em>{t("act.afterwards")}</em>}
      {said.map((event, i) => <span key={i}>{fine(sentence(event.text ?? event.kind))}</span>)}
      {about.map((line, i) => <small key={i}>{fine(line)}</small>)}
      {ends && <small class="ends">{ends}</small>}
    </span>
  );
}
