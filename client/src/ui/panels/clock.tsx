/** A side's time bank, running while the side owes a decision. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { asTime, secondsLeft } from "../../model/clock";
import type { TableStore } from "../../table/store";
import { t } from "../../text";

const LOW = 30; // seconds that are shown as pressing

export function Clock({ store, side }: { readonly store: TableStore; readonly side: string }) {
  const state = store.state.value;
  const now = useSignal(Date.now());
  const running = Boolean(state && !state.result && !state.dice?.order && state.prompt.waiting.includes(side));
  const timed = state?.clock?.bank !== undefined;
  useEffect(() => {
    if (!timed || !running) return undefined;
    now.value = Date.now();
    const timer = setInterval(() => (now.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, [timed, running, state?.clock]);
  const left = secondsLeft(state?.clock, store.sides.value.indexOf(side), running, now.value);
  if (left === null) return null;
  return (
    <span class={`clock${running ? " running" : ""}${left < LOW ? " low" : ""}`} role="timer" aria-live="off" aria-label={t("clock.left", { side: store.words.value.side(side), time: asTime(left) })}>
      {asTime(left)}
    </span>
  );
}
