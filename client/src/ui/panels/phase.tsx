/** The phase bar: whose decision it is, in words, and the rule that asks for it. */
import { capital } from "../../model/words";
import { fine, t } from "../../text";
import type { TableStore } from "../../table/store";
import { RuleLink } from "../parts";
import { MySide } from "./briefing";
import { Clock } from "./clock";
import { ThinkingNow } from "./hint";

export function PhaseBar({ store }: { readonly store: TableStore }) {
  const state = store.shown.value;
  const context = store.context.value;
  if (!state || !context) return <div class="phase" />;
  const { words, sides } = context;
  const waiting = state.prompt.waiting;
  const mine = store.myTurn.value && !store.replay.value;
  const who = waiting.map((s) => words.side(s)).join(", ");
  const colour = waiting[0] !== undefined ? store.skin.value.colours(waiting[0], sides).fill : "var(--line)";
  const head = store.replay.value ? t("phase.replay") : state.result ? t("phase.over") : mine ? (state.mine.length > 1 ? t("phase.yoursAs", { side: words.side(state.as) }) : t("phase.yours")) : t("phase.theirs", { who });
  const asked = state.prompt.text ?? "";
  const text = state.result && !store.replay.value ? (state.result.text ?? "") : mine || store.replay.value || !asked || !waiting.length ? asked : t("phase.asked", { text: asked });
  return (
    <div class={mine ? "phase mine" : "phase"} data-decision={state.prompt.decision ?? ""} style={{ borderColor: colour, "--side": colour }}>
      <div class="phase-words">
        <MySide store={store} />
        <h2 class="phase-head">{head}</h2>
        <span class="phase-text">{fine(text)}</span>
        <ThinkingNow store={store} />
        {state.prompt.rule && <RuleLink store={store} rule={state.prompt.rule} long />}
      </div>
      {state.clock?.bank && (
        <div class="clocks">
          {state.seats.map(({ side }) => (
            <span key={side} class="clock-of">
              <span class="chip" style={{ background: store.skin.value.colours(side, sides).fill }} title={words.side(side)} />
              <Clock store={store} side={side} />
            </span>
          ))}
        </div>
      )}
      <div class="phase-foot">
        <ol class="where" aria-label={t("phase.where")}>
          {(state.view.frames ?? []).filter((frame) => frame.at !== "end").map((frame, i) => (
            <li key={i}>
              {words.find(`sequence.${frame.sequence}`) ?? capital(frame.sequence.replace(/[_-]/g, " "))} <RuleLink store={store} rule={frame.at} />
            </li>
          ))}
        </ol>
        {store.skin.value.banner && <span class="banner">{store.skin.value.banner(context)}</span>}
      </div>
    </div>
  );
}
