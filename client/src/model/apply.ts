/** Applying what the server says: a whole state, or an update to the one we have. Pure. */
import type { Overlay } from "../skins/skin";
import { mergeOverlays } from "./overlays";
import type { DiceState, Line, Piece, StateMessage, UpdateMessage } from "../wire";

export const LOG_KEPT = 1000;

/** An update fits only on the version just before it; anything else means that we missed something. */
export const fits = (state: StateMessage, update: UpdateMessage): boolean => update.version === state.version + 1;

export function applyUpdate(state: StateMessage, update: UpdateMessage): StateMessage {
  const facts: Record<string, unknown> = { ...state.view, ...update.set };
  for (const key of update.unset ?? []) delete facts[key];
  if (update.overlays) facts["overlays"] = mergeOverlays((facts["overlays"] ?? []) as Overlay[], update.overlays.order, update.overlays.changed);
  const view = { ...facts, pieces: mergePieces(state.view.pieces ?? [], update.pieces ?? [], update.gone ?? []) };
  return {
    ...state,
    version: update.version,
    digest: update.digest,
    view,
    legal: update.legal,
    prompt: update.prompt,
    can_undo: update.can_undo,
    can_redo: update.can_redo,
    result: update.result,
    ...(update.lesson !== undefined ? { lesson: update.lesson } : {}),
    log: mergeLog(state.log, update.log),
    actions: update.log.reduce((most, line) => Math.max(most, line.n), state.actions),
    seed: update.seed ?? state.seed,
    offers: [],
    ...(update.salted !== undefined ? { salted: update.salted } : {}),
    ...(update.clock ? { clock: update.clock } : {}),
    ...(state.dice?.order ? { dice: withoutOrder(state.dice) } : {}),
  };
}

/** Whatever happens, an order that was announced waits no more. */
function withoutOrder({ order: _, ...dice }: DiceState): DiceState {
  return dice;
}

export function mergePieces(old: readonly Piece[], changed: readonly Piece[], gone: readonly string[]): Piece[] {
  const fresh = new Map(changed.map((p) => [p.id, p]));
  const left = new Set(gone);
  const kept = old.filter((p) => !left.has(p.id)).map((p) => fresh.get(p.id) ?? p);
  const seen = new Set(kept.map((p) => p.id));
  return [...kept, ...changed.filter((p) => !seen.has(p.id))];
}

export function mergeLog(old: readonly Line[], more: readonly Line[]): Line[] {
  const fresh = new Map(more.map((line) => [line.n, line]));
  const kept = old.map((line) => fresh.get(line.n) ?? line);
  const last = kept.length ? kept[kept.length - 1]!.n : -1;
  return [...kept, ...more.filter((line) => line.n > last)].slice(-LOG_KEPT);
}
