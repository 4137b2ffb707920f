/** Small choices that this browser remembers. */
import { effect, signal, type Signal } from "@preact/signals";
import type { Wishes } from "../model/overlays";

function kept<T extends string>(key: string, first: T, choices: readonly T[]): Signal<T> {
  const old = localStorage.getItem(`grognard.${key}`) as T | null;
  const value = signal<T>(old !== null && choices.includes(old) ? old : first);
  effect(() => localStorage.setItem(`grognard.${key}`, value.value));
  return value;
}

export type Theme = "auto" | "light" | "dark";
export const theme = kept<Theme>("theme", "auto", ["auto", "light", "dark"]);
export const quick = kept<"on" | "off">("quick", "off", ["on", "off"]);
export const forcedChoices = kept<"on" | "off">("forced", "on", ["on", "off"]);
export const followByItself = kept<"on" | "off">("follow", "off", ["on", "off"]);
export type Speed = "0.5" | "1" | "2" | "4";
/** How long a step of a playback takes at speed 1, in ms. */
export const FOLLOW_STEP = 1500;
export const followSpeed = kept<Speed>("follow.speed", "1", ["0.5", "1", "2", "4"]);
export type MapStyle = "classic" | "colour-blind" | "contrast";
export const mapStyle = kept<MapStyle>("map", "classic", ["classic", "colour-blind", "contrast"]);
export const layers = {
  arrows: kept<"on" | "off">("layer.arrows", "on", ["on", "off"]),
  control: kept<"on" | "off">("layer.control", "on", ["on", "off"]),
  numbers: kept<"on" | "off">("layer.numbers", "on", ["on", "off"]),
  pieces: kept<"on" | "off">("layer.pieces", "on", ["on", "off"]),
};

/** Overlays put on or away by hand, by key. */
export const overlayWishes = signal<Wishes>(JSON.parse(localStorage.getItem("grognard.overlays") ?? "{}") as Wishes);
effect(() => localStorage.setItem("grognard.overlays", JSON.stringify(overlayWishes.value)));

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

/** Invitations are told once; the browser that set the table up keeps them. */
export const invitations = {
  read: (table: string): Record<string, string> => JSON.parse(localStorage.getItem(`grognard.invite.${table}`) ?? "{}") as Record<string, string>,
  write: (table: string, links: { readonly [side: string]: string }): void => localStorage.setItem(`grognard.invite.${table}`, JSON.stringify(links)),
};

/** What this browser has already seen of a table, by side. */
export const seen = {
  read: (table: string, side: string): number => Number(localStorage.getItem(`grognard.seen.${table}.${side}`) ?? -1),
  write: (table: string, side: string, n: number): void => localStorage.setItem(`grognard.seen.${table}.${side}`, String(n)),
};

/** Of a lesson: the step on the screen, and whether the coach was sent away. */
export const coached = {
  read: (table: string): { readonly step: number | null; readonly away: boolean } => ({ step: null, away: false, ...(JSON.parse(localStorage.getItem(`grognard.coach.${table}`) ?? "{}") as object) }),
  write: (table: string, told: { readonly step: number | null; readonly away: boolean }): void => localStorage.setItem(`grognard.coach.${table}`, JSON.stringify(told)),
};

/** Whether somebody has been told what a table is about, by side. */
export const briefed = {
  read: (table: string, side: string): boolean => localStorage.getItem(`grognard.briefed.${table}.${side}`) !== null,
  write: (table: string, side: string): void => localStorage.setItem(`grognard.briefed.${table}.${side}`, "1"),
};
