/** The client's sentences in the reader's language, which can change at any moment. */
import { computed, signal } from "@preact/signals";
import type { Lang } from "../wire";
import { en, type Key } from "./en";
import { fr } from "./fr";

const KEPT = "grognard.lang";

function firstLanguage(): Lang {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (kept === "en" || kept === "fr") return kept;
  return globalThis.navigator?.language?.toLowerCase().startsWith("fr") ? "fr" : "en";
}

export const lang = signal<Lang>(firstLanguage());
const table = computed<Record<Key, string>>(() => (lang.value === "fr" ? fr : en));

export function setLanguage(next: Lang): void {
  lang.value = next;
  localStorage.setItem(KEPT, next);
  document.documentElement.lang = next;
}

/** A sentence of the client, its holes filled. */
export function t(key: Key, facts: { readonly [name: string]: unknown } = {}): string {
  return fine(table.value[key].replace(/\{(\w+)\}/g, (hole, name: string) => (name in facts ? String(facts[name]) : hole)));
}

/** French as a printer sets it: curved apostrophes, colons and guillemets apart by spaces at which no line breaks. */
export const fine = (text: string): string => (lang.value === "fr" ? text.replace(/(\p{L})'(?=[\p{L}«{])/gu, "$1’").replace(/ (?=[:;!?%»])/g, "\u00a0").replace(/« /g, "«\u00a0") : text);

/** A percentage as the reader writes it. */
export const inPercent = (text: string): string => fine(lang.value === "fr" ? text.replace(/(\d)\.(\d+ ?%)/g, "$1,$2") : text);

/** An amount with one decimal. */
export const inNumber = (value: number): string => value.toLocaleString(lang.value, { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** Several words in a row: “a, b and c”. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat(lang.value).format(words);

/** A level of the computer in words; one that we have no word for keeps its name. */
export const levelName = (level: string): string => (`level.${level}` in en ? t(`level.${level}` as Key) : level);

export type { Key };

/** The title of a table: as somebody typed it, else in the reader's language. */
export const titleOf = (table: { readonly title: string; readonly titles?: { readonly [lang: string]: string } }): string => table.titles?.[lang.value] ?? table.title;
