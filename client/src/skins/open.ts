/** Games, or options of games, in which nothing is hidden: a hot-seat needs no curtain there. */
const OPEN: { readonly [game: string]: (options: { readonly [name: string]: string }) => boolean } = {
  normandie: () => true,
  bitw: (options) => options["fog"] === "off",
};

export const hidesNothing = (game: string, options: { readonly [name: string]: string }): boolean => OPEN[game]?.(options) ?? false;
