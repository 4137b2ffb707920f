/** The optional rules of a new table: few stand there at once, many in folded groups with a search. */
import { useSignal } from "@preact/signals";
import { changedOptions, optionFound, optionGroups, optionLabel, usualOptions, type OptionGroup } from "../../model/options";
import { t } from "../../text";
import type { GameCard, OptionCard } from "../../wire";

type Values = { readonly [name: string]: string };
interface Props {
  readonly options: readonly OptionCard[];
  /** What each is in the chosen scenario as long as nobody chooses. */
  readonly usual: Values;
  /** What was chosen otherwise. */
  readonly chosen: Values;
  readonly onChange: (name: string, value: string) => void;
}

const FEW = 5; // more are folded: nobody must read them to begin
const MANY = 12; // more than that are grouped

export function Options({ options, usual, chosen, onChange }: Props) {
  const search = useSignal("");
  if (!options.length) return null;
  const typed = search.value.trim();
  const changed = (list: readonly OptionCard[]): number => list.filter((one) => chosen[one.name] !== undefined).length;
  const row = (option: OptionCard) => <Choice key={option.name} option={option} value={chosen[option.name] ?? usual[option.name] ?? option.default} usual={usual[option.name] ?? option.default} onChange={onChange} />;
  const found = options.filter((one) => optionFound(one, typed));
  const group = (one: OptionGroup) =>
    one.kind === "first" ? (
      <div key="first" class="option-group first">{one.options.map(row)}</div>
    ) : (
      <details key={one.kind + one.title} class="option-group">
        <summary>{one.title || t(one.kind === "readings" ? "new.options-readings" : "new.options-rules")} <small>{t("new.optionsChanged", { n: changed(one.options), all: one.options.length })}</small></summary>
        {one.options.map(row)}
      </details>
    );
  return (
    <details class="options" open={options.length <= FEW}>
      <summary>{t("new.options")} <small>{t("new.optionsChanged", { n: changed(options), all: options.length })}</small></summary>
      {options.length <= MANY ? (
        options.map(row)
      ) : (
        <>
          <input type="search" class="option-search" value={search.value} placeholder={t("new.optionsSearch")} aria-label={t("new.optionsSearch")} onInput={(e) => (search.value = e.currentTarget.value)} onKeyDown={(e) => e.key === "Enter" && e.preventDefault()} />
          {!typed && optionGroups(options).map(group)}
          {typed && found.map(row)}
          {typed && !found.length && <p class="hint">{t("act.notFound")}</p>}
        </>
      )}
    </details>
  );
}

const word = (option: OptionCard, choice: string): string => option.words?.[choice] ?? (choice === "on" ? t("new.on") : choice === "off" ? t("new.off") : choice);

function Label({ option }: { readonly option: OptionCard }) {
  const { title, rule } = optionLabel(option);
  return <>{title} {rule && <small>({rule})</small>}</>;
}

function Choice({ option, value, usual, onChange }: { readonly option: OptionCard; readonly value: string; readonly usual: string; readonly onChange: Props["onChange"] }) {
  return (
    <label class={value === usual ? "option" : "option changed"}>
      <span><Label option={option} /></span>
      <select name={`option-${option.name}`} value={value} onChange={(e) => onChange(option.name, e.currentTarget.value)}>
        {option.choices.map((choice) => <option key={choice} value={choice}>{word(option, choice)}</option>)}
      </select>
    </label>
  );
}

/** By which rules a table plays: what was agreed otherwise than the scenario has it stands open, all else folded. */
export function OptionsChosen({ card, scenario, options }: { readonly card: GameCard; readonly scenario: string; readonly options: Values }) {
  const all = card.options ?? [];
  if (!all.length) return null;
  const changed = changedOptions(card, scenario, options);
  const usual = usualOptions(card, scenario);
  const list = (rows: readonly OptionCard[]) => (
    <dl class="agreed">
      {rows.map((one) => (
        <div key={one.name} data-option={one.name}>
          <dt><Label option={one} /></dt>
          <dd>{word(one, options[one.name] ?? usual[one.name] ?? one.default)}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <section class="options-chosen">
      <h3>{t("new.options")}</h3>
      {changed.length ? list(changed) : <p class="hint">{t("table.optionsUsual")}</p>}
      <details>
        <summary>{t("table.optionsAll", { n: all.length })}</summary>
        {list(all)}
      </details>
    </section>
  );
}
