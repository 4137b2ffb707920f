/** Looking back: a scrubber over the entries of the log, with speed, viewpoint and a link to any moment. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../../text";
import type { TableStore } from "../../table/store";
import { copyText } from "../parts";

const SPEEDS = [0.5, 1, 2, 4] as const;
const PAUSE = 1200;

export function ReplayBar({ store }: { readonly store: TableStore }) {
  const back = store.replay.value;
  const playing = useSignal(false);
  const speed = useSignal<number>(1);
  const copied = useSignal(false);
  const all = store.state.value?.actions ?? back?.state.actions ?? 0;
  const at = back?.at ?? 0;
  useEffect(() => {
    if (!back || !playing.value) return undefined;
    if (at >= all) {
      playing.value = false;
      return undefined;
    }
    const timer = setTimeout(() => void store.goTo(at + 1), PAUSE / speed.value);
    return () => clearTimeout(timer);
  }, [back, playing.value, speed.value]);
  useEffect(() => {
    if (!back) return undefined;
    const keys = (event: KeyboardEvent): void => {
      if (event.key === "," && at > 0) void store.goTo(at - 1);
      else if (event.key === "." && at < all) void store.goTo(at + 1);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [back, at, all]);
  if (!back) return null;
  const as = back.state.as;
  const sides = store.state.value?.result ? [...store.sides.value, "spectator"] : [...new Set([...store.mine.value, "spectator"])];
  const link = `${location.origin}/g/${store.id}?at=${at}&as=${as}`;
  return (
    <section class="replay" aria-label={t("phase.replay")}>
      <div class="replay-buttons">
        <button type="button" onClick={() => void store.goTo(0)} aria-label={t("replay.first")} title={t("replay.first")}>|◀◀</button>
        <button type="button" onClick={() => void store.goTo(Math.max(0, at - 1))} disabled={at === 0} aria-label={t("replay.previous")} title={t("replay.previous")}>◀</button>
        <button type="button" class="play" onClick={() => (playing.value = !playing.value)} aria-label={playing.value ? t("replay.pause") : t("replay.play")} title={playing.value ? t("replay.pause") : t("replay.play")}>{playing.value ? "❚❚" : "▶"}</button>
        <button type="button" onClick={() => void store.goTo(Math.min(all, at + 1))} disabled={at >= all} aria-label={t("replay.next")} title={t("replay.next")}>▶|</button>
        <button type="button" onClick={() => void store.goTo(all)} aria-label={t("replay.last")} title={t("replay.last")}>▶▶|</button>
      </div>
      <input type="range" min={0} max={all} value={at} onInput={(e) => void store.goTo(Number(e.currentTarget.value))} aria-label={t("replay.position", { n: at, all })} />
      <span class="replay-at">{t("replay.position", { n: at, all })}</span>
      <label>
        {t("replay.speed")}{" "}
        <select value={String(speed.value)} onChange={(e) => (speed.value = Number(e.currentTarget.value))}>
          {SPEEDS.map((s) => <option key={s} value={s}>{s}×</option>)}
        </select>
      </label>
      {sides.length > 1 && (
        <label>
          {t("replay.as")}{" "}
          <select value={as} onChange={(e) => void store.lookBackAs(e.currentTarget.value)}>
            {sides.map((s) => <option key={s} value={s}>{s === "spectator" ? t("seats.spectator") : store.words.value.side(s)}</option>)}
          </select>
        </label>
      )}
      <button type="button" onClick={() => (copyText(link), (copied.value = true))} data-link={link}>{copied.value ? t("new.copied") : t("replay.link")}</button>
      <button type="button" class="choice" onClick={() => store.present()}>{t("replay.close")}</button>
    </section>
  );
}
