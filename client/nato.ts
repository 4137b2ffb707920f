/** Draws every NATO symbol that the skins can ask for, with milsymbol, when the client is built: the browser needs no library. */
import type { Plugin } from "vite";
import { BRANCHES, ECHELONS, sidc } from "./src/skins/branches";

interface Milsymbol {
  addIcons(icons: unknown): void;
  Symbol: new (sidc: string, options: object) => { asSVG(): string };
}

const NAME = "virtual:nato-symbols";

export function natoSymbols(): Plugin {
  return {
    name: "nato-symbols",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: async (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(await drawAll())}` : null),
  };
}

async function drawAll(): Promise<object> {
  const parts = (await import("./node_modules/milsymbol/index.mjs" as string)) as { ms: Milsymbol; std2525d: unknown };
  parts.ms.addIcons(parts.std2525d);
  const codes = Object.keys(BRANCHES).flatMap((branch) => [undefined, ...Object.keys(ECHELONS)].map((echelon) => sidc(branch, echelon)));
  return Object.fromEntries([...new Set(codes)].map((code) => [code, draw(parts.ms, code)]));
}

function draw(ms: Milsymbol, code: string): object {
  const svg = new ms.Symbol(code, { size: 40, fill: false, monoColor: "currentColor", strokeWidth: 7 }).asSVG();
  const viewBox = /viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 200 200";
  const [, , w = 1, h = 1] = viewBox.split(" ").map(Number);
  const body = svg.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replace(/stroke-width="3"/g, 'stroke-width="6"');
  return { viewBox, body, ratio: w / h };
}
