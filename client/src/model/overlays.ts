/** Overlays of a view: which are shown, and how each is told apart by colour and by hatching. Pure. */
import type { Overlay } from "../skins/skin";

export interface Look {
  readonly colour: string;
  /** Direction of the hatching in degrees; never two alike side by side in the list. */
  readonly turn: number;
}

/** Colours that are told apart with every kind of colour blindness (Okabe and Ito), darkened for a light map. */
const COLOURS = ["#0060a0", "#b34700", "#00745a", "#a3387a", "#6b5a00", "#1f1f1f"];
const TURNS = [45, 135, 0, 90, 22, 112];

export const lookOf = (index: number, own?: string): Look => ({ colour: own ?? COLOURS[index % COLOURS.length]!, turn: TURNS[index % TURNS.length]! });

/** What belongs to the decision at hand (reach, who has fuel, a line) is shown unless put away; the rest when asked for. */
export const shownAtFirst = (overlay: Overlay): boolean => overlay.key === "reach" || overlay.key === "fuelled" || Boolean(overlay.lines?.length);

export type Wishes = { readonly [key: string]: boolean };

export const isShown = (overlay: Overlay, wishes: Wishes): boolean => wishes[overlay.key] ?? shownAtFirst(overlay);

/** The overlays that are not empty; a list by key, as an update sends it, laid over the one we had. */
export function mergeOverlays(old: readonly Overlay[], order: readonly string[], changed: readonly Overlay[]): Overlay[] {
  const known = new Map([...old, ...changed].map((o) => [o.key, o]));
  return order.flatMap((key) => known.get(key) ?? []);
}
