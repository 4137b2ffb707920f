/** Following the others: what they did since one's own last act in a few words, and the same once more, step by step. */
import { useEffect } from "preact/hooks";
import { apart, bySide, counted, summaryOf } from "../../model/reports";
import { sentence } from "../../model/words";
import { FOLLOW_STEP, followByItself, followSpeed, type Speed } from "../../table/settings";
import type { TableStore } from "../../table/store";
import { fine, t } from "../../text";
import type { GameEvent, Side } from "../../wire";
import { RuleLink } from "../parts";
import { newestReport } from "./newest";
import { Told } from "./reports";

const FEW = 5; // losses and gains that are told without being asked for
const SPEEDS: readonly Speed[] = ["0.5", "1", "2", "4"];

/** In the side panel: who did how much, what it cost, and a way to see it. */
export function TheirDoings({ store }: { readonly store: TableStore }) {
  const lines = store.theirs.value;
  const last = lines[lines.length - 1]?.n ?? 0;
  const hidden = !lines.length || last <= store.theirsSeen.value || store.following.value !== null || store.replay.value !== null || store.since.value.length > 0;
  useEffect(() => {
    if (!hidden && store.myTurn.peek() && followByItself.peek() === "on") void store.follow(lines);
  }, [last]);
  if (!store.myTurn.value) return null;
  if (lines.length && last <= store.theirsSeen.value && !store.following.value && !store.replay.value)
    return <button type="button" class="again" onClick={() => void store.follow(lines)}>↺ {t("follow.again")}</button>;
  if (hidden) return null;
  const whose = store.whose;
  const { theirs, ours } = apart(lines, whose, store.mine.value);
  const { losses, ground, moves } = summaryOf(theirs);
  const side = (one: Side): string => (store.mine.value.includes(one) ? t("follow.you", { side: store.words.value.side(one) }) : store.words.value.side(one));
  const headed = (what: string, events: readonly GameEvent[]) =>
    bySide(events, whose).map(([one, some]) => <Told key={`${what} ${one}`} store={store} title={one === null ? what : fine(t("follow.whose", { what, side: side(one) }))} events={some} />);
  const card = newestReport(store);
  const carded = new Set([...(card?.losses ?? []), ...(card?.ground ?? [])]); // told on its card already
  const who = [...new Set(lines.map((line) => store.words.value.side(line.side)))].join(", ");
  const newest = theirs.flatMap((line) => line.events.filter((e) => e.kind !== "roll" && e.text)).at(-1)?.text;
  const said = [moves ? t("follow.moves", { n: moves }) : "", ...bySide(losses, whose).map(([one, some]) => (one === null ? t("follow.losses", { n: counted(some).length }) : t("follow.lossesOf", { side: side(one), n: counted(some).length }))), ground.length ? t("follow.ground", { n: ground.length }) : ""].filter(Boolean);
  return (
    <section class="theirs" aria-label={t("follow.title", { who })}>
      <div class="theirs-head">
        <strong>{fine(t("follow.title", { who }))}</strong>
        <span class="hint">{said.join(", ") || (lines.length <= FEW && newest ? fine(sentence(newest)) : t("follow.steps", { n: lines.length }))}</span>
        <button type="button" onClick={() => void store.follow(lines)}>▶ {t("follow.show")}</button>
        <button type="button" class="close" aria-label={t("inspect.close")} onClick={() => (store.theirsSeen.value = last)}>×</button>
      </div>
      {[...losses, ...ground, ...ours].some((event) => !carded.has(event)) && (
        <details open={losses.length + ground.length + ours.length <= FEW}>
          <summary>{t("follow.more")}</summary>
          {headed(t("report.losses"), losses)}
          {headed(t("report.ground"), [...ground, ...ours])}
        </details>
      )}
    </section>
  );
}

/** Under the board while it plays: pause, steps, speed, the end. */
export function FollowBar({ store }: { readonly store: TableStore }) {
  const now = store.following.value;
  useEffect(() => {
    if (!now?.playing) return undefined;
    const timer = setTimeout(() => void store.followStep(now.at + 1), FOLLOW_STEP / Number(followSpeed.value));
    return () => clearTimeout(timer);
  }, [now, followSpeed.value]);
  if (!now) return null;
  const line = now.lines[now.at]!;
  const event = line.events.find((e) => e.kind !== "roll") ?? line.events[0]!;
  return (
    <section class="follow" aria-label={t("follow.bar")}>
      <p class="follow-said" aria-live="polite">
        <span class="follow-at">{now.at + 1}/{now.lines.length}</span> <strong>{store.words.value.side(line.side)}</strong> {fine(sentence(event.text ?? event.kind))} {event.rule && <RuleLink store={store} rule={event.rule} />}
      </p>
      <div class="follow-buttons">
        <button type="button" onClick={() => void store.followStep(0)} aria-label={t("follow.again")} title={t("follow.again")}>↺</button>
        <button type="button" onClick={() => void store.followStep(now.at - 1, false)} disabled={now.at === 0} aria-label={t("replay.previous")} title={t("replay.previous")}>◀</button>
        <button type="button" class="play" onClick={() => store.followPause()} aria-label={now.playing ? t("replay.pause") : t("replay.play")} title={now.playing ? t("replay.pause") : t("replay.play")}>{now.playing ? "❚❚" : "▶"}</button>
        <button type="button" onClick={() => void store.followStep(now.at + 1, false)} aria-label={t("replay.next")} title={t("replay.next")}>▶|</button>
        <label>
          <span class="unseen">{t("replay.speed")}</span>
          <select value={followSpeed.value} onChange={(e) => (followSpeed.value = e.currentTarget.value as Speed)} title={t("replay.speed")}>
            {SPEEDS.map((s) => <option key={s} value={s}>{s}×</option>)}
          </select>
        </label>
        <label class="quick">
          <input type="checkbox" checked={followByItself.value === "on"} onChange={(e) => (followByItself.value = e.currentTarget.checked ? "on" : "off")} /> {t("follow.itself")}
        </label>
        <button type="button" class="choice" onClick={() => store.followEnd()}>{t("follow.skip")}</button>
      </div>
    </section>
  );
}
