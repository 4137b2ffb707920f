/** What never changes at a table: maps, words, rules and the skin. Asked again when the language changes. */
import { Board, type BoxSheet } from "../model/board";
import type { MapFile } from "../model/mapfile";
import { isTable, TableBoard } from "../model/tabletop";
import { Words } from "../model/words";
import { api, once } from "../net/api";
import { skinFor } from "../skins";
import type { Skin } from "../skins/skin";
import { fine, lang } from "../text";
import type { GameCard, RuleText } from "../wire";

export interface Furniture {
  readonly card: GameCard;
  readonly boards: ReadonlyMap<string, Board>;
  readonly maps: Parameters<Skin["mapFor"]>[1];
  readonly words: Words;
  readonly rules: ReadonlyMap<string, RuleText>;
  readonly skin: Skin;
  readonly art: readonly string[];
}

/** Everything but the rules, which nobody reads before the board stands: see `rulesOf`. */
export async function furnish(game: string, kept: Furniture | null): Promise<Furniture> {
  const [cards, maps, texts, skin, art] = await Promise.all([
    once("games", api.games),
    once(`map ${game}`, () => api.maps(game)),
    once(`texts ${game}`, () => api.texts(game)),
    skinFor(game),
    once(`art ${game}`, () => api.art(game)).catch(() => [] as string[]),
  ]);
  const card = cards.find((c) => c.game === game) ?? { game, title: game, about: "", playable: true };
  const boards = kept?.maps === maps.maps ? kept.boards : await boardsOf(game, maps.maps, art);
  return { card, boards, maps: maps.maps, skin, art, words: new Words(lang.peek(), Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fine(text)]))), rules: new Map() };
}

export async function rulesOf(game: string): Promise<ReadonlyMap<string, RuleText>> {
  const rules = await once(`rules ${game}`, () => api.rules(game)).catch(() => [] as RuleText[]);
  return new Map(rules.map((r) => [r.id, r]));
}

const pair = (value: unknown): [number, number] | undefined => (Array.isArray(value) && value.length === 2 ? (value as [number, number]) : undefined);

/** A sheet of boxes has no hexes, or only one that is out of play. */
const hasHexes = (file: MapFile): boolean => Object.values(file.hexes ?? {}).some((hex) => hex.kind !== "out");

/** What the drawn map says about itself; null if it is not drawn. */
async function indexOf(game: string, art: readonly string[], names: readonly string[]) {
  const file = names.find((name) => art.includes(name));
  return file === undefined ? null : api.artIndex(game, file).catch(() => null);
}

/** Files with hexes are boards; a file with areas only (boxes off the map) lies beside every board. */
async function boardsOf(game: string, maps: { readonly [name: string]: MapFile }, art: readonly string[]): Promise<Map<string, Board>> {
  let beside: BoxSheet | null = null;
  for (const [name, file] of Object.entries(maps)) {
    if (isTable(file) || hasHexes(file)) continue;
    const areas = file.areas ?? {};
    const drawn = await indexOf(game, art, [`${name}.index.json`]);
    const far = (i: 0 | 1): number => Math.max(...Object.values(areas).map((a) => a.at?.[i] ?? 0)) + 100;
    beside = { name, areas, size: drawn?.size ?? pair(file.art?.["size"]) ?? [far(0), far(1)], box: drawn?.box ?? pair(file.art?.["box"]) ?? [150, 96] };
  }
  const boards = new Map<string, Board>();
  for (const [name, file] of Object.entries(maps)) {
    if (isTable(file)) boards.set(name, new TableBoard(name, file));
    if (isTable(file) || !hasHexes(file)) continue;
    const drawn = await indexOf(game, art, [`${name}.index.json`, "index.json"]);
    boards.set(name, new Board(name, file, beside, drawn?.boxes));
  }
  return boards;
}
