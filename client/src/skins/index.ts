/** Which skin a game wears. A game without one wears the generic skin. */
import { generic } from "./generic";
import type { Skin } from "./skin";

const OWN: { readonly [game: string]: () => Promise<{ skin: Skin }> } = {
  surrender: () => import("./surrender"),
  bitw: () => import("./bitw"),
  normandie: () => import("./normandie"),
};

export async function skinFor(game: string): Promise<Skin> {
  const load = OWN[game];
  return load ? (await load()).skin : generic;
}

export { generic };
