/** What one needs to know on sitting down: who I am, what for, how long, what decides, what to do first. */
import type { TableStore } from "../../table/store";
import { coached } from "../../table/settings";
import { fine, t } from "../../text";

interface Told {
  readonly goal: string | undefined;
  readonly length: string | undefined;
  readonly decides: string | undefined;
  readonly first: string | undefined;
}

/** The game's own words for a scenario; what differs by side has the side's name behind it. */
export function briefingOf(store: TableStore): Told {
  const state = store.state.value;
  const words = store.words.value;
  const find = (key: string): string | undefined => {
    const stem = `briefing.${state?.scenario ?? ""}.${key}`;
    return words.find(`${stem}.${state?.as ?? ""}`) ?? words.find(stem);
  };
  return { goal: find("goal"), length: find("length"), decides: find("decides"), first: find("first") };
}

export function Briefing({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const context = store.context.value;
  if (!state || !context || !store.briefing.value || (state.lesson && !coached.read(store.id).away) || store.replay.value || state.result) return null;
  const told = briefingOf(store);
  if (!told.goal) return null;
  const side = context.words.side(state.as);
  const { fill } = store.skin.value.colours(state.as, context.sides);
  const rows = [["briefing.goal", told.goal], ["briefing.length", told.length], ["briefing.decides", told.decides], ["briefing.first", told.first]] as const;
  return (
    <section class="briefing" style={{ borderColor: fill }} aria-label={t("briefing.title")}>
      <h3>
        {fine(t("briefing.you", { side }))}
        <button type="button" class="choice" onClick={() => store.putBriefingAway()}>{t("briefing.go")}</button>
      </h3>
      <dl>
        {rows.map(([key, text]) =>
          text ? (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd>{fine(text)}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  );
}

/** The side one plays, always in the bar; a click tells the goal again. */
export function MySide({ store }: { readonly store: TableStore }) {
  const state = store.state.value;
  const context = store.context.value;
  if (!state || !context) return null;
  const plays = state.mine.includes(state.as);
  const side = plays ? context.words.side(state.as) : t("seats.spectator");
  const fill = plays ? store.skin.value.colours(state.as, context.sides).fill : "var(--line)";
  const again = (): void => {
    store.panel.value = "choices";
    store.briefing.value = !store.briefing.value;
  };
  if (!plays)
    return (
      <span class="my-side">
        <span class="chip" style={{ background: fill }} /> {side}
      </span>
    );
  return (
    <button type="button" class="my-side" onClick={again} aria-expanded={store.briefing.value} title={t("briefing.again")}>
      <span class="chip" style={{ background: fill }} /> {t("briefing.me", { side })}
    </button>
  );
}
