/** A map file ready to be drawn and asked: what a name on the board means. */
import { tokens } from "./command";
import { Sheet, type Point } from "./geometry";
import { inWords, type Area, type MapFile, type Place } from "./mapfile";

export type Spot =
  | { readonly kind: "hex"; readonly key: string }
  | { readonly kind: "area"; readonly key: string }
  | { readonly kind: "side"; readonly key: string }
  | { readonly kind: "piece"; readonly key: string };

/** A sheet of boxes drawn beside the map: where it lies in the common drawing, and the size of one box. */
export interface BoxSheet {
  readonly name: string;
  readonly areas: { readonly [key: string]: Area };
  readonly size: readonly [number, number];
  readonly box: readonly [number, number];
}

/** Boxes that the drawn map itself has, for areas off the map: left, top, width, height. */
export interface DrawnBoxes {
  readonly [key: string]: readonly [number, number, number, number];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Feature = "capital" | "port" | "fort" | "factory" | "rivers" | "closed" | "road" | "rail";

const GAP = 40;
const TITLE = 18; // what the name takes at the top of a box

export class Board {
  readonly sheet: Sheet;
  readonly numbers: readonly string[];
  readonly file: MapFile;
  readonly width: number;
  readonly height: number;
  private readonly placeOf = new Map<string, string>();

  constructor(
    readonly name: string,
    given: MapFile,
    readonly beside: BoxSheet | null = null,
    private readonly drawn: DrawnBoxes = {},
  ) {
    const file = beside ? { ...given, areas: { ...given.areas, ...beside.areas } } : given;
    this.file = file;
    this.numbers = Object.keys(file.hexes).sort();
    this.sheet = new Sheet(file.grid, this.numbers);
    this.width = this.sheet.width + (beside ? GAP + beside.size[0] : 0);
    this.height = Math.max(this.sheet.height, beside?.size[1] ?? 0);
    for (const [hex, { place }] of Object.entries(file.hexes)) if (typeof place === "string" && file.places?.[place]?.hexes.includes(hex)) this.placeOf.set(hex, place); // as it is printed
    for (const [key, place] of Object.entries(file.places ?? {}).sort(byRank))
      for (const hex of place.hexes) if (!this.placeOf.has(hex)) this.placeOf.set(hex, key);
  }

  placeIn(hex: string): Place | undefined {
    const key = this.placeOf.get(hex);
    return key === undefined ? undefined : this.file.places?.[key];
  }

  area(key: string): Area | undefined {
    return this.file.areas?.[key];
  }

  /** Areas that are not drawn anywhere: they have no hexes of their own and no box on a sheet. */
  boxes(): [string, Area][] {
    return Object.entries(this.file.areas ?? {}).filter(([key, area]) => !area.hexes?.length && !this.boxAt(key));
  }

  /** Where the sheet of boxes begins. */
  get besideX(): number {
    return this.sheet.width + GAP;
  }

  /** The box of an area, on the map or on the sheet beside it, in the common drawing. */
  boxAt(key: string): Box | null {
    const own = this.drawn[key];
    if (own) return { x: own[0], y: own[1], width: own[2], height: own[3] };
    const at = this.beside?.areas[key]?.at;
    if (!this.beside || !at) return null;
    const [width, height] = this.beside.box;
    return { x: this.besideX + at[0] - width / 2, y: at[1] - height / 2, width, height };
  }

  /** Every box that is drawn. */
  drawnBoxes(): [string, Box][] {
    return Object.keys(this.file.areas ?? {}).flatMap((key): [string, Box][] => {
      const box = this.boxAt(key);
      return box ? [[key, box]] : [];
    });
  }

  /** What a word of a target or of a piece's whereabouts names on this board. */
  spot(word: string): Spot | null {
    if (word in this.file.hexes) return { kind: "hex", key: word };
    if (this.file.areas && word in this.file.areas) return { kind: "area", key: word };
    const place = this.file.places?.[word];
    if (place?.hexes[0] !== undefined) return { kind: "hex", key: place.hexes[0] };
    if (word.includes("|")) {
      const [a, b] = word.split("|") as [string, string];
      if (this.sheet.has(a) && this.sheet.has(b) && this.sheet.side(a, b)) return { kind: "side", key: word };
    }
    return null;
  }

  /** The hex of a town by its name, or by how its name begins. */
  named(text: string, lang: string): Spot | null {
    const asked = tokens(text).join(" ");
    const towns = Object.values(this.file.places ?? {}).map((place) => ({ name: tokens(inWords(place.name, lang)).join(" "), hex: place.hexes[0] }));
    const town = asked ? (towns.find(({ name }) => name === asked) ?? towns.find(({ name }) => name.startsWith(asked))) : undefined;
    return town?.hex === undefined ? null : { kind: "hex", key: town.hex };
  }

  /** The towns that a text speaks of, in its order, each with its hex. */
  placesIn(text: string, lang: string): readonly (readonly [string, string])[] {
    const [plainly, seen] = [` ${tokens(text).join(" ")} `, new Set<string>()];
    return Object.values(this.file.places ?? {})
      .map((place) => ({ name: inWords(place.name, lang), hex: place.hexes[0] ?? "", at: plainly.indexOf(` ${tokens(inWords(place.name, lang)).join(" ")} `) }))
      .filter(({ name, hex, at }) => name && hex && at >= 0 && !seen.has(name) && seen.add(name))
      .sort((a, b) => a.at - b.at)
      .map(({ name, hex }) => [name, hex]);
  }

  centre(spot: Spot): Point | null {
    if (spot.kind === "hex") return this.sheet.centre(spot.key);
    if (spot.kind === "side") {
      const ends = this.sheet.side(...(spot.key.split("|") as [string, string]));
      return ends && { x: (ends[0].x + ends[1].x) / 2, y: (ends[0].y + ends[1].y) / 2 };
    }
    const box = this.boxAt(spot.key);
    if (box) return { x: box.x + box.width / 2, y: box.y + (box.height + TITLE) / 2 };
    const hexes = this.area(spot.key)?.hexes;
    if (!hexes?.length) return null;
    const points = hexes.map((h) => this.sheet.centre(h));
    return { x: mean(points.map((p) => p.x)), y: mean(points.map((p) => p.y)) };
  }

  /** What the map has in a hex besides its terrain, as keys with a number where one matters. */
  features(hex: string): readonly (readonly [Feature, readonly string[]])[] {
    this.known ??= featuresOf(this.file);
    const [data, place] = [this.file.hexes[hex], this.placeIn(hex)];
    const own = (name: string): boolean => Boolean(data?.[name]) || Boolean(place?.[name]) || Boolean(data?.tags?.includes(name));
    const found: [Feature, readonly string[]][] = [];
    if (place?.class === "capital") found.push(["capital", []]);
    for (const name of ["port", "fort", "factory"] as const) if (own(name) || (name === "factory" && own("factories"))) found.push([name, []]);
    return [...found, ...(this.known.get(hex) ?? [])];
  }

  private known: ReadonlyMap<string, readonly (readonly [Feature, readonly string[]])[]> | undefined;

  /** In which directions of the compass neighbours lie, clockwise from the north. */
  bearings(hex: string, neighbours: readonly string[]): readonly Bearing[] {
    const here = this.sheet.centre(hex);
    const points = neighbours.filter((next) => this.sheet.has(next)).map((next) => {
      const there = this.sheet.centre(next);
      return (Math.round((Math.atan2(there.x - here.x, here.y - there.y) * 4) / Math.PI) + 8) % 8;
    });
    return [...new Set(points)].sort((a, b) => a - b).map((point) => BEARINGS[point]!);
  }

  /** A hex in words: number, place, terrain. */
  describe(hex: string, words: { readonly lang: string; find(key: string): string | undefined }): string {
    const data = this.file.hexes[hex];
    if (!data) return hex;
    const { lang } = words;
    const word = words.find(`terrain.${data.terrain}`) ?? (inWords(this.file.terrain[data.terrain], lang) || data.terrain);
    const terrain = word.toLowerCase();
    const place = this.placeIn(hex);
    return [place ? `${inWords(place.name, lang)} (${hex})` : hex, terrain].join(", ");
  }
}

export const BEARINGS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"] as const;
export type Bearing = (typeof BEARINGS)[number];

const RANKS = ["capital", "city", "major", "town", "minor", "fortress", "village", "site", "hamlet"];

/** Which of the places of a hex gives it its name: by rank, then what the rules need it for, then what the game's own lists name. */
function byRank([a, one]: readonly [string, Place], [b, other]: readonly [string, Place]): number {
  const rank = (place: Place): number => (RANKS.indexOf(place.class ?? "major") + RANKS.length + 1) % (RANKS.length + 1);
  const needed = (place: Place): number =>
    3 * Number(Boolean(place["population"] || place["mining"])) + 2 * Number(Boolean(place["port"])) + Number(Boolean(place["victory"] || place["factories"] || place["factory"]));
  const listed = (place: Place): number => Number(place["src"] === "proposed");
  return rank(one) - rank(other) || needed(other) - needed(one) || listed(other) - listed(one) || (a < b ? -1 : 1);
}

/** What lies on the sides of each hex and runs through it, with the neighbours on that side. */
function featuresOf(file: MapFile): Map<string, (readonly [Feature, readonly string[]])[]> {
  const known = new Map<string, Map<Feature, string[]>>();
  const add = (pair: string, feature: Feature): void => {
    const [a, b] = pair.split("|") as [string, string];
    for (const [hex, next] of [[a, b], [b, a]] as const) {
      const own = known.get(hex) ?? new Map<Feature, string[]>();
      known.set(hex, own.set(feature, [...(own.get(feature) ?? []), next]));
    }
  };
  for (const [pair, side] of Object.entries(file.sides ?? {})) {
    if (side.river) add(pair, "rivers");
    if (side["impassable"]) add(pair, "closed");
  }
  for (const [pair, link] of Object.entries(file.links ?? {})) {
    if (link["road"]) add(pair, "road");
    if (link["rail"]) add(pair, "rail");
  }
  return new Map([...known].map(([hex, own]) => [hex, [...own]]));
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
