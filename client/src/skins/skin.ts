/** What a game adds to the generic table: how its pieces look and what its situation says. Data only, no rules. */
import type { Board } from "../model/board";
import type { MapFile } from "../model/mapfile";
import type { Words } from "../model/words";
import type { GameCard, Piece, Side, StateMessage, View } from "../wire";

/** How a piece looks. */
export interface Face {
  /** Colour of the cardboard or wood, and of what is printed on it. */
  readonly fill: string;
  readonly ink: string;
  readonly shape: "block" | "counter" | "round" | "flag";
  readonly branch?: string;
  readonly echelon?: string;
  /** Printed above, below, and large in the middle when there is no symbol. */
  readonly top?: string;
  readonly bottom?: string;
  readonly middle?: string;
  /** A large number in the lower left corner (strength), with the steps beside it. */
  readonly corner?: string;
  /** Small print that runs up the left side. */
  readonly side?: string;
  readonly steps?: number;
  readonly full?: number;
  /** The back of a block that we do not know; `ghost` is what we remember of it. */
  readonly hidden?: boolean;
  readonly ghost?: string;
  readonly spent?: boolean;
  readonly stripe?: string;
  readonly marks?: readonly Mark[];
}

export interface Mark {
  readonly text: string;
  readonly title: string;
  readonly tone?: "warn" | "good" | "plain";
}

export interface HexMark extends Mark {
  readonly hex: string;
  readonly fill?: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly side?: Side;
  /** The rule from which the number comes. */
  readonly rule?: string | undefined;
}

/** Something that can be laid over the map: hexes with a word in each, or lines through hexes. */
export interface Overlay {
  readonly key: string;
  readonly title: string;
  readonly hexes?: { readonly [hex: string]: string | number };
  readonly lines?: readonly (readonly string[])[];
  readonly side?: Side;
  /** A colour of its own, where that of its side would not be seen. */
  readonly colour?: string;
  /** On a measured table: points with a word each. */
  readonly points?: { readonly [point: string]: string | number };
}

export interface Colours {
  readonly fill: string;
  readonly ink: string;
}

export interface Context {
  readonly view: View;
  readonly card: GameCard;
  readonly words: Words;
  readonly board: Board;
  readonly sides: readonly Side[];
}

export interface Skin {
  readonly name: string;
  /** Places that the map does not draw, and the box in which each lies. */
  readonly inside?: { readonly [place: string]: string };
  /** True if nothing is hidden, so that no curtain is needed. */
  open?(state: StateMessage): boolean;
  colours(side: Side, sides: readonly Side[]): Colours;
  sideOf(piece: Piece, sides: readonly Side[]): Side | null;
  face(piece: Piece, context: Context): Face;
  /** A piece in words. */
  describe(piece: Piece, context: Context): string;
  /** Who controls which hex. */
  control(context: Context): ReadonlyMap<string, Side>;
  /** Who holds a hex that is not drawn as taken, where the view tells it. */
  holder?(context: Context, hex: string): Side | null;
  hexMarks(context: Context): readonly HexMark[];
  status(context: Context): readonly Fact[];
  /** What a player wants before his eyes all the time: the date, the weather. */
  banner?(context: Context): string;
  overlays(context: Context): readonly Overlay[];
  /** Which of the game's maps this table plays on. */
  mapFor(state: StateMessage, maps: { readonly [name: string]: MapFile }): string;
}
