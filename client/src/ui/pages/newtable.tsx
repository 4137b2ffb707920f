/** Setting up a table: scenario, options, who plays which side, title. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chosenWith, scenarioTitle, usualOptions } from "../../model/options";
import { api, once, type Opened } from "../../net/api";
import { lang, levelName, t } from "../../text";
import type { GameCard, Terms } from "../../wire";
import { invitations } from "../../table/settings";
import { hidesNothing } from "../../skins/open";
import { Options } from "./options";
import { TermsFields } from "../panels/terms";
import { copyText } from "../parts";
import { navigate } from "../router";
import { TopBar } from "../topbar";

export function NewTablePage({ game }: { readonly game: string }) {
  const card = useSignal<GameCard | null>(null);
  const opened = useSignal<Opened | null>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    once("games", api.games).then(
      (list) => (card.value = list.find((g) => g.game === game) ?? list.find((g) => g.playable) ?? null),
      (error: Error) => (problem.value = error.message),
    );
  }, [game, lang.value]);
  return (
    <>
      <TopBar />
      <main class="page">
        {problem.value && <p class="failed" role="alert">{problem.value}</p>}
        {card.value && (opened.value ? <Invitations card={card.value} opened={opened.value} /> : <Form card={card.value} onOpen={(o) => (opened.value = o)} onProblem={(p) => (problem.value = p)} />)}
      </main>
    </>
  );
}

type Sides = NonNullable<GameCard["sides"]>;

/**
 * The sides that are played with this scenario and these options: some games have a seat that only an option fills.
 * Null until the server has said so for what is chosen now: a table is only set up with the seats one sees.
 */
function usePlaying(card: GameCard, scenario: string, options: Record<string, string>): Sides | null {
  const all = card.sides ?? [];
  const playing = useSignal<{ readonly wish: string; readonly sides: readonly string[] | null } | null>(null);
  const wish = JSON.stringify([card.game, scenario, options]);
  useEffect(() => {
    if (all.length < 3) return;
    let late = false;
    api.seats(card.game, scenario, options).then(
      (found) => late || (playing.value = { wish, sides: found.sides }),
      () => late || (playing.value = { wish, sides: null }),
    );
    return () => {
      late = true;
    };
  }, [wish]);
  if (all.length < 3) return all;
  const known = playing.value;
  if (known?.wish !== wish) return null;
  return known.sides ? all.filter((side) => known.sides!.includes(side.name)) : all.slice(0, 2);
}

function Form({ card, onOpen, onProblem }: { readonly card: GameCard; readonly onOpen: (opened: Opened) => void; readonly onProblem: (problem: string) => void }) {
  const scenario = useSignal(card.scenarios?.[0]?.name ?? "");
  const chosen = useSignal<Record<string, string>>({}); // what is otherwise than the scenario has it
  const usual = usualOptions(card, scenario.value);
  const choose = (name: string, value: string): void => {
    const values = chosenWith(card.options ?? [], { ...usual, ...chosen.value }, name, value);
    chosen.value = Object.fromEntries(Object.entries(values).filter(([one, now]) => now !== usual[one]));
  };
  const options = Object.fromEntries(Object.entries(chosen.value).filter(([name, value]) => value !== usual[name]));
  const levels = card.scenarios?.find((s) => s.name === scenario.value)?.levels ?? card.levels ?? ["random", "greedy"];
  const level = levels.includes("greedy") ? "greedy" : levels[0]!;
  const seats = useSignal<Record<string, string>>(Object.fromEntries((card.sides ?? []).map((s, i) => [s.name, i === 0 ? "me" : `ai:${level}`])));
  const playing = usePlaying(card, scenario.value, options);
  const sides = playing ?? [];
  const taken = Object.fromEntries(sides.map((side) => [side.name, seats.value[side.name]!]));
  const all = useSignal(true); // several people: the strongest dice, unless they do not sit at their screens together
  const [title, entropy, minutes] = [useSignal(""), useSignal(""), useSignal("")];
  const terms = useSignal<Terms>({ listed: false, watchers: "anyone", delay: 0, chat: "players", patience: 86_400 });
  const others = Object.values(taken).some((s) => s === "open" || s === "invited");
  const mine = Object.values(taken).filter((s) => s === "me").length;
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!playing) return;
    try {
      const bank = Number(minutes.value) * 60;
      const opened = await api.create({
        game: card.game, scenario: scenario.value, options, title: title.value, seats: taken,
        terms: { ...terms.value, rated: !!terms.value.rated && sides.length === 2 && mine === 1 },
        ...(others && all.value ? { dice: "all" as const } : {}),
        ...(entropy.value && !others ? { entropy: entropy.value } : {}),
        ...(bank > 0 ? { time: { bank_s: bank, per_action_s: 0 } } : {}),
      });
      if (Object.keys(opened.invitations).length) {
        invitations.write(opened.id, opened.invitations);
        onOpen(opened);
      }
      else navigate(`/g/${opened.id}`);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const about = card.scenarios?.find((s) => s.name === scenario.value)?.about;
  return (
    <form class="new-table" onSubmit={(e) => void start(e)}>
      <h1>{t("new.title", { game: card.title })}</h1>
      <label>
        {t("new.scenario")}
        <select name="scenario" value={scenario.value} onChange={(e) => (scenario.value = e.currentTarget.value)}>
          {(card.scenarios ?? []).map((s) => <option key={s.name} value={s.name}>{scenarioTitle(s)}</option>)}
        </select>
      </label>
      {about && <p class="about">{about}</p>}
      <fieldset>
        <legend>{t("new.seats")}</legend>
        {!playing && <p class="hint" role="status">{t("new.working")}</p>}
        {sides.map((side) => (
          <label key={side.name}>
            {side.title}
            <select name={`seat-${side.name}`} value={seats.value[side.name]} onChange={(e) => (seats.value = { ...seats.value, [side.name]: e.currentTarget.value })}>
              <option value="me">{t("new.me")}</option>
              <option value="invited">{t("new.friend")}</option>
              <option value="open">{t("new.anybody")}</option>
              {levels.map((l) => <option key={l} value={`ai:${l}`}>{t("new.ai", { level: levelName(l) })}</option>)}
            </select>
          </label>
        ))}
        {mine > 1 && <p class="hint">{t(hidesNothing(card.game, { ...usual, ...options }) ? "new.hotseatOpen" : "new.hotseat")}</p>}
      </fieldset>
      <Options options={card.options ?? []} usual={usual} chosen={chosen.value} onChange={choose} />
      <label>{t("new.name")} <input name="title" value={title.value} onInput={(e) => (title.value = e.currentTarget.value)} maxLength={80} /></label>
      {others && (
        <fieldset>
          <legend>{t("new.diceTitle")}</legend>
          <p class="hint">{t("new.dice")}</p>
          {([["all", true], ["later", false]] as const).map(([word, wanted]) => (
            <label key={word} class="tick">
              <input type="radio" name="dice" value={word} checked={all.value === wanted} onChange={() => (all.value = wanted)} />
              <span><b>{t(`new.dice-${word}`)}</b> <small>{t(`new.dice-${word}Why`)}</small></span>
            </label>
          ))}
        </fieldset>
      )}
      {!others && <label>{t("new.entropy")} <input value={entropy.value} onInput={(e) => (entropy.value = e.currentTarget.value)} maxLength={200} /></label>}
      <label>{t("new.clock")} <input type="number" min={1} max={10000} value={minutes.value} onInput={(e) => (minutes.value = e.currentTarget.value)} /></label>
      {sides.length === 2 && mine === 1 && (
        <label class="tick"><input type="checkbox" name="rated" checked={terms.value.rated} onChange={(e) => (terms.value = { ...terms.value, rated: e.currentTarget.checked })} /> {t("new.rated")}</label>
      )}
      <details class="terms">
        <summary>{t("terms.title")}</summary>
        <TermsFields terms={terms.value} onChange={(wish) => (terms.value = { ...terms.value, ...wish })} />
      </details>
      <button type="submit" class="choice big" disabled={!playing}>{t("new.start")}</button>
    </form>
  );
}

function Invitations({ card, opened }: { readonly card: GameCard; readonly opened: Opened }) {
  const copied = useSignal<string | null>(null);
  return (
    <section class="invitations">
      <h1>{t("new.title", { game: card.title })}</h1>
      {Object.entries(opened.invitations).map(([side, path]) => {
        const link = `${location.origin}${path}`;
        return (
          <label key={side}>
            {t("new.invite", { side: card.sides?.find((s) => s.name === side)?.title ?? side })}
            <span class="link-row">
              <input readOnly value={link} data-invitation={side} onFocus={(e) => e.currentTarget.select()} />
              <button type="button" onClick={() => (copyText(link), (copied.value = side))}>{copied.value === side ? t("new.copied") : t("new.copy")}</button>
            </span>
          </label>
        );
      })}
      <a class="button choice big" href={`/g/${opened.id}`}>{t("new.go")}</a>
    </section>
  );
}
