/** Time banks: what is left of one, as words. Pure. */
import type { Clock } from "../wire";

/** Seconds left; a side that owes a decision is losing time now. Null without a time bank. */
export function secondsLeft(clock: Clock | undefined, side: number, running: boolean, now: number): number | null {
  const bank = clock?.bank?.[side];
  if (bank === undefined) return null;
  const spent = running ? (clock!.thought ?? 0) + Math.max(0, now - (clock!.heard ?? now)) / 1000 : 0;
  return Math.max(0, bank - spent);
}

export function asTime(seconds: number): string {
  const whole = Math.round(seconds);
  const [days, hours, minutes, rest] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number): string => String(n).padStart(2, "0");
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
