/** The bodies of water of the printed map (3.1.2) laid over it when asked for: name, borders, who sails there, mines, convoys. */
import type { Side } from "../../wire";
import { two } from "../nations";
import type { Context, Overlay } from "../skin";

const SEAS: readonly (readonly [string, string, string])[] = [
  ["atlantic", "Atlantic", "Atlantique"],
  ["mediterranean", "Mediterranean", "Méditerranée"],
  ["baltic", "Baltic", "Baltique"],
];

interface Sailing {
  readonly held: readonly Side[];
  readonly closed: readonly Side[];
}

/** The hex in which the name of a sea is written: the one nearest to its middle. */
function middleOf(hexes: readonly string[], context: Context): string | undefined {
  const sheet = context.board.sheet;
  const at = hexes.filter((hex) => sheet.has(hex)).map((hex) => ({ hex, ...sheet.centre(hex) }));
  const mean = (of: (one: { x: number; y: number }) => number): number => at.reduce((sum, one) => sum + of(one), 0) / at.length;
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)];
  return at.sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0]?.hex;
}

/** Who has the ports to sail a sea, and to whom it is closed. */
function told(sailing: Sailing | undefined, context: Context): string {
  const lang = context.words.lang;
  if (!sailing) return "";
  const held = sailing.held.map((side) => context.words.side(side)).join(", ");
  const parts = [held ? two(lang, `ports of ${held}`, `ports : ${held}`) : two(lang, "no ports", "aucun port")];
  if (sailing.closed.length) parts.push(two(lang, `closed to ${sailing.closed.map((s) => context.words.side(s)).join(", ")}`, `fermée : ${sailing.closed.map((s) => context.words.side(s)).join(", ")}`));
  return parts.join("; ");
}

/** What submarines and the convoy war add to the Atlantic: steps by zone, points sunk this turn. */
function convoys(context: Context): string {
  const lang = context.words.lang;
  const steps = Array.isArray(context.view["submarines"]) ? (context.view["submarines"] as number[]) : [];
  const parts: string[] = [];
  if (steps.some((n) => n)) parts.push(two(lang, `submarines N ${steps[0]}, C ${steps[1]}, S ${steps[2]}`, `sous-marins N ${steps[0]}, C ${steps[1]}, S ${steps[2]}`));
  if (context.view["convoy_loss"]) parts.push(two(lang, `sunk in convoy ${String(context.view["convoy_loss"])}`, `coulé en convoi ${String(context.view["convoy_loss"])}`));
  return parts.join("; ");
}

/** One overlay a sea, and one for the mined waters of the Channel; none where chapter 18 is not played. */
export function seaOverlays(context: Context): Overlay[] {
  const seas = context.view["seas"] as { readonly [sea: string]: Sailing } | undefined;
  if (!seas) return [];
  const lang = context.words.lang;
  const hexes = context.board.file.hexes;
  const numbers = Object.keys(hexes);
  const found: Overlay[] = [];
  for (const [sea, en, fr] of SEAS) {
    const inside = numbers.filter((hex) => hexes[hex]?.["sea"] === sea);
    if (!inside.length) continue;
    const middle = middleOf(inside, context);
    const name = two(lang, en, fr);
    const more = [told(seas[sea], context), ...(sea === "atlantic" ? [convoys(context)] : [])].filter((part) => part).join("; ");
    found.push({ key: `sea-${sea}`, title: more ? `${name} (${more})` : name, hexes: Object.fromEntries(inside.map((hex) => [hex, hex === middle ? name : ""])) });
  }
  const mined = numbers.filter((hex) => hexes[hex]?.["waters"] === "channel" && hexes[hex]?.kind === "sea");
  const middle = middleOf(mined, context);
  if (mined.length) found.push({ key: "channel", title: two(lang, "The Channel: mines", "La Manche : mines"), hexes: Object.fromEntries(mined.map((hex) => [hex, hex === middle ? two(lang, "Channel", "Manche") : ""])) });
  return found;
}
