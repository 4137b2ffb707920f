/** The map file, format 1, as the client reads it: hexes by printed number, sides, links, places, areas, labels. */

export interface Words {
  readonly en: string;
  readonly fr?: string;
}

export interface Grid {
  readonly orientation: "flat" | "pointy";
  readonly rows: number;
  readonly cols: number;
  readonly km?: number;
  readonly numbering: {
    readonly order: "row-col" | "col-row";
    readonly digits: readonly [number, number];
    readonly first?: readonly [number, number];
    readonly rows_grow: "south" | "north";
    readonly cols_grow: "east" | "west";
  };
  readonly shifted: "odd" | "even";
  readonly shift: "west" | "east" | "south" | "north";
}

export interface HexData {
  readonly terrain: string;
  readonly kind?: "land" | "coast" | "sea" | "lake" | "out";
  readonly country?: string;
  readonly place?: string;
  readonly tags?: readonly string[];
  readonly [key: string]: unknown;
}

export interface SideData {
  readonly river?: unknown;
  readonly water?: boolean;
  readonly strait?: unknown;
  readonly fort?: unknown;
  readonly frontier?: boolean;
  readonly [key: string]: unknown;
}

export interface Place {
  readonly name: Words;
  readonly hexes: readonly string[];
  readonly class?: string;
  readonly [key: string]: unknown;
}

export interface Area {
  readonly name: Words;
  readonly hexes?: readonly string[];
  readonly links?: readonly string[];
  readonly kind?: string;
  readonly at?: readonly [number, number];
  readonly [key: string]: unknown;
}

export interface Label {
  readonly text: Words;
  readonly at: readonly [number, number];
  readonly rot?: number;
  readonly style?: string;
}

export interface MapFile {
  readonly format: number;
  readonly name: string;
  readonly title: Words;
  readonly grid: Grid;
  readonly terrain: { readonly [key: string]: Words };
  readonly hexes: { readonly [number: string]: HexData };
  readonly sides?: { readonly [pair: string]: SideData };
  readonly links?: { readonly [pair: string]: { readonly [kind: string]: unknown } };
  readonly places?: { readonly [key: string]: Place };
  readonly areas?: { readonly [key: string]: Area };
  readonly labels?: readonly Label[];
  readonly art?: { readonly [key: string]: unknown };
  readonly credits?: readonly { readonly name: string; readonly licence?: string }[];
}

export const inWords = (words: Words | undefined, lang: string): string =>
  words === undefined ? "" : (lang === "fr" && words.fr) || words.en;
