/** Forces in files: the lists that `grognard force` reads, bought and written in the browser. */
import type { Action } from "../wire";

/** What a list asks for: a model with a quality, or a support. */
export interface ForceLine {
  readonly sort: "unit" | "support";
  readonly name: string;
  readonly quality: string;
  readonly count: number;
}

/** As much of an offer as a list needs. */
export interface ForSale {
  readonly id: string;
  readonly model: string;
  readonly unit?: string;
  readonly quality: string;
  readonly had: number;
  readonly most: number;
}

/** The lines of a list; null for a text that is none. Only what such lists have is read: keys, words and whole numbers. */
export function readForce(text: string): { readonly nation: string; readonly lines: readonly ForceLine[] } | null {
  let nation = "";
  const lines: ForceLine[] = [];
  let entry: { sort: "unit" | "support"; facts: Map<string, string> } | null = null;
  const close = () => {
    if (!entry) return true;
    const name = entry.facts.get(entry.sort === "unit" ? "model" : "id");
    const count = Number(entry.facts.get("count") ?? "1");
    if (!name || !Number.isInteger(count) || count < 1 || count > 99) return false;
    lines.push({ sort: entry.sort, name, quality: entry.facts.get("quality") ?? "regular", count });
    entry = null;
    return true;
  };
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/#.*$/, "").trim();
    if (!line) continue;
    const head = /^\[\[(unit|support)\]\]$/.exec(line);
    if (head) {
      if (!close()) return null;
      entry = { sort: head[1] as "unit" | "support", facts: new Map() };
      continue;
    }
    const fact = /^([a-z_]+)\s*=\s*(?:"([^"]*)"|(\d+))$/.exec(line);
    if (!fact) return null;
    const value = fact[2] ?? fact[3] ?? "";
    if (entry) entry.facts.set(fact[1]!, value);
    else if (fact[1] === "nation") nation = value;
  }
  return close() && nation && lines.length ? { nation, lines } : null;
}

/** The orders that turn what one has into a list: give back all, buy the list; and what of it nobody offers. */
export function ordersFor(offers: readonly ForSale[], lines: readonly ForceLine[]): { readonly orders: Action[]; readonly missing: string[] } {
  const support = (offer: ForSale) => !offer.unit;
  const orders: Action[] = [];
  for (const offer of [...offers].sort((a, b) => Number(support(b)) - Number(support(a)))) {
    for (let n = 0; n < offer.had; n++) orders.push(["sell", offer.id]);
  }
  const left = new Map(offers.map((offer) => [offer.id, offer.most]));
  const missing: string[] = [];
  for (const line of [...lines].sort((a, b) => Number(a.sort === "support") - Number(b.sort === "support"))) {
    for (let n = 0; n < line.count; n++) {
      const fits = offers.find(
        (offer) =>
          offer.model === line.name &&
          support(offer) === (line.sort === "support") &&
          (line.sort === "support" || offer.quality === line.quality) &&
          (left.get(offer.id) ?? 0) > 0,
      );
      if (!fits) {
        missing.push(line.sort === "unit" ? `${line.name} (${line.quality})` : line.name);
        continue;
      }
      left.set(fits.id, left.get(fits.id)! - 1);
      orders.push(["buy", fits.id]);
    }
  }
  return { orders, missing };
}

/** What one has, as a list that `grognard force` reads. */
export function writeForce(nation: string, year: number, points: number, offers: readonly ForSale[]): string {
  const parts = [`nation = "${nation}"`, `year = ${year}`, `points = ${points}`];
  for (const offer of offers) {
    if (!offer.had) continue;
    const count = offer.had > 1 ? [`count = ${offer.had}`] : [];
    if (offer.unit) parts.push("", "[[unit]]", `model = "${offer.model}"`, ...(offer.quality === "regular" ? [] : [`quality = "${offer.quality}"`]), ...count);
    else parts.push("", "[[support]]", `id = "${offer.model}"`, ...count);
  }
  return `${parts.join("\n")}\n`;
}
