/** Reading odds: fractions as text ("5/36"), decimals or distributions, whatever a game answers. Pure. */

export interface Bar {
  readonly label: string;
  readonly share: number;
}

export type Shown =
  | { readonly kind: "bars"; readonly title: string; readonly bars: readonly Bar[] }
  | { readonly kind: "fact"; readonly title: string; readonly value: string }
  | { readonly kind: "group"; readonly title: string; readonly parts: readonly Shown[] };

/** A chance between 0 and 1, or null if this is not one. */
export function chance(value: unknown): number | null {
  if (typeof value === "number") return value >= 0 && value <= 1 && !Number.isInteger(value) ? value : null;
  if (typeof value !== "string") return null;
  const parts = /^(\d+)\/(\d+)$/.exec(value);
  if (parts) return Number(parts[2]) > 0 && Number(parts[1]) <= Number(parts[2]) ? Number(parts[1]) / Number(parts[2]) : null;
  return null;
}

/** Never 0 % or 100 % unless certain. */
export function percent(share: number): string {
  if (share <= 0) return "0 %";
  if (share >= 1) return "100 %";
  const whole = share * 100;
  if (whole < 0.1) return "< 0.1 %";
  if (whole > 99.9) return "> 99.9 %";
  return `${whole.toFixed(whole < 10 || whole > 90 ? 1 : 0)} %`;
}

export function readOdds(answer: { readonly [key: string]: unknown }, name: (key: string) => string): Shown[] {
  return Object.entries(answer).flatMap(([key, value]) => readOne(key, value, name));
}

function readOne(key: string, value: unknown, name: (key: string) => string): Shown[] {
  const title = name(key);
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return fromList(title, value, name);
  if (typeof value === "object") {
    const entries = Object.entries(value as object);
    const shares = entries.map(([label, v]) => [label, whole(v)] as const);
    if (entries.length && shares.every(([, s]) => s !== null) && Math.abs(sum(shares.map(([, s]) => s!)) - 1) < 0.02)
      return [{ kind: "bars", title, bars: shares.map(([label, share]) => ({ label: name(label), share: share! })) }];
    return [{ kind: "group", title, parts: entries.flatMap(([k, v]) => readOne(k, v, name)) }];
  }
  const share = chance(value);
  return [{ kind: "fact", title, value: share === null ? name(String(value)) : percent(share) }];
}

function fromList(title: string, list: readonly unknown[], name: (key: string) => string): Shown[] {
  const shares = list.map(whole);
  if (list.length > 1 && shares.every((s) => s !== null) && Math.abs(sum(shares as number[]) - 1) < 0.02)
    return [{ kind: "bars", title, bars: shares.map((share, i) => ({ label: String(i), share: share! })) }];
  if (list.every((v) => typeof v !== "object")) return [{ kind: "fact", title, value: list.map((v) => name(String(v))).join(", ") }];
  return [{ kind: "group", title, parts: list.flatMap((v, i) => readOne(String(i + 1), v, name)) }];
}

const whole = (value: unknown): number | null => (value === 1 || value === "1" ? 1 : value === 0 || value === "0" ? 0 : chance(value));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
