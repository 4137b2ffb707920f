/** The rulebook as a book: chapters, a search, links from rule to rule; every rule has an address (`/rules/GAME#ID`). */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chaptersOf, findRule, plain, withLinks } from "../../model/rulebook";
import { api, once } from "../../net/api";
import { fine, lang, t } from "../../text";
import type { GameCard, RuleText } from "../../wire";
import { CaseFigure, useGallery, type Gallery } from "../figure";
import { TierMark } from "../panels/rules";
import { TopBar } from "../topbar";
import { learn, playNow } from "./welcome";

export function RulesPage({ game }: { readonly game: string }) {
  const rules = useSignal<readonly RuleText[] | null>(null);
  const search = useSignal("");
  const problem = useSignal<string | null>(null);
  const card = useSignal<GameCard | null>(null);
  const at = useSignal(decodeURIComponent(location.hash.slice(1)));
  useEffect(() => {
    once("games", api.games).then((list) => (card.value = list.find((one) => one.game === game) ?? null), () => undefined);
    once(`rules ${game}`, () => api.rules(game)).then((list) => (rules.value = list), (error: Error) => (problem.value = error.message));
  }, [game, lang.value]);
  useEffect(() => {
    const moved = (): void => void (at.value = decodeURIComponent(location.hash.slice(1)));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const known = new Map((rules.value ?? []).map((rule) => [rule.id, rule]));
  const found = findRule(known, at.value)?.id ?? (/^(chapter|figure)-/.test(at.value) ? at.value : null);
  const gallery = useGallery(game);
  useEffect(() => {
    if (!rules.value || !found) return;
    search.value = "";
    const place = document.getElementById(found);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }, [rules.value, found, gallery]);
  useEffect(() => {
    document.title = `${card.value?.title ?? ""} · ${t("book.title")} · Grognard`;
  }, [card.value, lang.value]);
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const shown = (rules.value ?? []).filter((rule) => words.every((word) => plain(`${rule.id} ${rule.title} ${rule.text}`).includes(word)));
  const chapters = chaptersOf(rules.value ?? []);
  const lesson = card.value?.lessons?.[0];
  return (
    <>
      <TopBar />
      <main class="page book">
        <header class="book-head">
          <h1>{card.value?.title ?? t("book.title")}</h1>
          <p class="tagline">{t("book.about")}</p>
          {problem.value && <p class="failed" role="alert">{problem.value}</p>}
          {card.value?.playable && (
            <p class="book-ways">
              {lesson && <button type="button" class="choice" onClick={() => void learn(game, lesson.name)}>{fine(t("learn.minutes", { minutes: lesson.minutes }))}</button>}
              <button type="button" onClick={() => void playNow(card.value!)}>{t("lobby.playNow")}</button>
            </p>
          )}
          <label class="book-search">
            {t("rule.search")} <input type="search" value={search.value} onInput={(e) => (search.value = e.currentTarget.value)} placeholder={t("book.hint")} />
          </label>
          <p class="hint" role="status">{rules.value ? (words.length ? t("book.found", { n: shown.length, all: rules.value.length }) : t("book.count", { n: rules.value.length })) : t("app.loading")}</p>
        </header>
        <div class="book-pages">
          <nav class="book-chapters" aria-label={t("book.chapters")}>
            <h2>{t("book.chapters")}</h2>
            <ol>
              {chapters.map((chapter, i) => {
                const n = shown.filter((rule) => (rule.chapter ?? "") === chapter.title).length;
                return n ? (
                  <li key={chapter.title}>
                    <a href={`#chapter-${i}`}>{fine(chapter.title)} <small>{n}</small></a>
                  </li>
                ) : null;
              })}
            </ol>
          </nav>
          <div class="book-text">
            {chapters.map((chapter, i) => {
              const under = shown.filter((rule) => (rule.chapter ?? "") === chapter.title);
              return under.length ? (
                <section key={chapter.title} aria-labelledby={`chapter-${i}`}>
                  <h2 id={`chapter-${i}`} tabIndex={-1}>
                    {fine(chapter.title)} {oneTier(chapter.rules) && <TierMark rule={{ ...chapter.rules[0]!, switch: undefined }} />}
                  </h2>
                  {under.map((rule) => <Article key={rule.id} rule={rule} known={known} words={words} targeted={rule.id === found} tier={!oneTier(chapter.rules)} gallery={gallery} />)}
                </section>
              ) : null;
            })}
            {rules.value && !shown.length && <p>{t("act.notFound")}</p>}
          </div>
        </div>
      </main>
    </>
  );
}

/** A tier that a whole chapter shares is told once, over it. */
const oneTier = (rules: readonly RuleText[]): boolean => new Set(rules.map((rule) => rule.tier)).size === 1;

interface ArticleProps {
  readonly rule: RuleText;
  readonly known: ReadonlyMap<string, RuleText>;
  readonly words: readonly string[];
  readonly targeted: boolean;
  readonly tier: boolean;
  readonly gallery: Gallery | null;
}

function Article({ rule, known, words, targeted, tier, gallery }: ArticleProps) {
  const figures = (gallery?.figures ?? []).filter((figure) => figure.rules.includes(rule.id));
  const numbered = /^[A-Z]{0,3}\d/.test(rule.id);
  return (
    <article id={rule.id} class={targeted ? "book-rule targeted" : "book-rule"} tabIndex={-1}>
      <h3>
        <a class="rule-id" href={`#${encodeURIComponent(rule.id)}`} title={t("book.link")}>{numbered ? rule.id : "§"}</a> <Marked text={fine(rule.title)} words={words} />
        <TierMark rule={tier ? rule : { ...rule, tier: "core" }} />
      </h3>
      <p>
        {withLinks(rule.text, known, rule.id).map((part, i) => (typeof part === "string" ? <Marked key={i} text={fine(part)} words={words} /> : <a key={i} href={`#${encodeURIComponent(part.id)}`} title={part.title}>{part.id}</a>))}
      </p>
      {gallery && figures.map((figure) => (figure.rules[0] === rule.id ? <CaseFigure key={figure.name} figure={figure} gallery={gallery} /> : <p key={figure.name} class="see-picture"><a href={`#figure-${figure.name}`}>{t("book.seePicture", { title: figure.title })}</a></p>))}
    </article>
  );
}

/** A text in which what was searched for is marked. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (!words.length) return <>{text}</>;
  const bare = plain(text);
  if (bare.length !== text.length) return <>{text}</>;
  const cuts: [number, number][] = [];
  for (const word of words) for (let i = bare.indexOf(word); i >= 0; i = bare.indexOf(word, i + word.length)) cuts.push([i, i + word.length]);
  cuts.sort((a, b) => a[0] - b[0]);
  const parts: (string | { readonly mark: string })[] = [];
  let last = 0;
  for (const [from, to] of cuts) {
    if (from < last) continue;
    parts.push(text.slice(last, from), { mark: text.slice(from, to) });
    last = to;
  }
  parts.push(text.slice(last));
  return <>{parts.map((part, i) => (typeof part === "string" ? part : <mark key={i}>{part.mark}</mark>))}</>;
}
