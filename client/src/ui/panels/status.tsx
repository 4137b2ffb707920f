/** The situation: turn, scores and stocks as the view tells them. */
import { fine, t } from "../../text";
import type { Fact } from "../../skins/skin";
import { scenarioTitle } from "../../model/options";
import { findRule } from "../../model/rulebook";
import type { TableStore } from "../../table/store";
import { briefingOf } from "./briefing";
import { Overview } from "./overview";

export function StatusPanel({ store }: { readonly store: TableStore }) {
  if (!store.context.value) return null;
  const scenario = store.state.value?.scenario ?? "";
  const found = store.card.value?.scenarios?.find((s) => s.name === scenario);
  const { goal, decides } = briefingOf(store);
  return (
    <div class="status" role="region" aria-label={t("panel.status")}>
      <p class="scenario">{found ? scenarioTitle(found) : scenario}</p>
      {goal && <p class="goal">{fine(goal)}</p>}
      {decides && <p class="hint">{fine(decides)}</p>}
      <Standing store={store} />
      <Overview store={store} />
    </div>
  );
}

/** Scores and stocks, those of all and those of each side. */
export function Standing({ store }: { readonly store: TableStore }) {
  const context = store.context.value;
  if (!context) return null;
  const facts = store.skin.value.status(context);
  const common = facts.filter((f) => f.side === undefined);
  const sides = context.sides.filter((side) => facts.some((f) => f.side === side));
  const labels = [...new Set(facts.filter((f) => f.side !== undefined).map((f) => f.label))];
  const cell = (label: string, side: string): Fact | undefined => facts.find((f) => f.label === label && f.side === side);
  return (
    <>
      <dl class="facts">
        {common.map((f) => (
          <div key={f.label}>
            <dt>{f.label}</dt>
            <dd><Value store={store} fact={f} /></dd>
          </div>
        ))}
      </dl>
      {labels.length > 0 && (
        <table class="by-side">
          <thead>
            <tr>
              <td />
              {sides.map((side) => (
                <th key={side} scope="col" style={{ borderColor: store.skin.value.colours(side, context.sides).fill }}>{context.words.side(side)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {sides.map((side) => (
                  <td key={side}><Value store={store} fact={cell(label, side)} /></td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** A number or word of the situation; a click tells the rule from which it comes. */
function Value({ store, fact }: { readonly store: TableStore; readonly fact: Fact | undefined }) {
  const rule = fact?.rule === undefined ? undefined : findRule(store.furniture.value?.rules, fact.rule);
  if (!fact || !rule) return <>{fact?.value ?? "–"}</>;
  const why = fine(t("rule.titled", { name: t("status.why"), title: rule.title }));
  return (
    <button type="button" class="rule-link fact-rule" data-rule={fact.rule} onClick={() => (store.ruleShown.value = rule.id)} title={why} aria-label={`${fact.value}. ${why}`}>
      {fact.value}
    </button>
  );
}
