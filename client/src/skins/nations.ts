/** Colours of nations as printed wargames have used them for decades; each pair reads well on cardboard. */
import type { Colours } from "./skin";

const WHITE = "#f8f5ea";
const BLACK = "#1d1a15";

export const NATIONS: { readonly [nation: string]: Colours } = {
  germany: { fill: "#5d665f", ink: WHITE },
  luftwaffe: { fill: "#7d95a8", ink: BLACK },
  ss: { fill: "#2b2b2b", ink: WHITE },
  italy: { fill: "#8a9a6b", ink: BLACK },
  rsi: { fill: "#9aa28b", ink: BLACK },
  uk: { fill: "#b99a5f", ink: BLACK },
  us: { fill: "#66743c", ink: WHITE },
  france: { fill: "#3f5f96", ink: WHITE },
  "free-france": { fill: "#6d86b8", ink: BLACK },
  netherlands: { fill: "#cf8136", ink: BLACK },
  belgium: { fill: "#c2a23c", ink: BLACK },
  norway: { fill: "#8496ab", ink: BLACK },
  denmark: { fill: "#a86a66", ink: WHITE },
  ussr: { fill: "#9c4a2d", ink: WHITE },
  poland: { fill: "#b5556a", ink: WHITE },
  romania: { fill: "#b7a05a", ink: BLACK },
  hungary: { fill: "#7c8f7a", ink: BLACK },
  finland: { fill: "#a9b8c6", ink: BLACK },
  neutral: { fill: "#c9c0ab", ink: BLACK },
};

export const colourOf = (nation: string): Colours => NATIONS[nation] ?? NATIONS["neutral"]!;

/** "1940-05" as a reader says it. */
export function monthName(date: string, lang: string): string {
  const [year, month] = date.split("-").map(Number);
  return new Date(Date.UTC(year ?? 1940, (month ?? 1) - 1, 1)).toLocaleDateString(lang, { month: "long", year: "numeric", timeZone: "UTC" });
}

/** The days of a turn, from "1944-06-27" to "1944-07-03", as a reader says them; the same day twice is one day. */
export function dayNames(first: string, last: string, lang: string): string {
  const format = new Intl.DateTimeFormat(lang, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const [from, to] = [first, last].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date];
  return first === last ? format.format(from) : format.formatRange(from, to);
}

/** A label in the reader's language. */
export const two = (lang: string, en: string, fr: string): string => (lang === "fr" ? fr : en);
