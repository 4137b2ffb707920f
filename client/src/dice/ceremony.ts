/** Our part in making the dice: a share that we commit to, and the salts that its chain gives. See docs/dice.md. */
import { mac, sha } from "./hashes";

export const LINKS = 20_000;

export interface Share {
  readonly side: string;
  readonly commitment: string;
  readonly entropy: string;
}

export const nextLink = (link: string): string => sha(`grognard link ${link}`);

export const shareCommitment = (game: string, side: string, entropy: string): string => sha(`grognard share ${game} ${side} ${entropy}`);

export const commitmentOf = (seed: string): string => sha(`grognard commitment ${seed}`);

/** The key of a game's dice at its start; without shares, as games are made that one person plays. */
export function gameKey(seed: string, game: string, entropy: readonly string[], shares: readonly Share[]): string {
  if (!shares.length) return game || entropy.length ? mac(seed, [game, ...entropy].join("\n")) : seed;
  return mac(seed, ["grognard dice 2", game, ...shares.map((s) => `${s.side} ${s.commitment} ${s.entropy || "-"}`)].join("\n"));
}

/** What a witness was told of an order before it showed its link: see `binding` in the server's ceremony. */
export const bindingOf = (seed: string, game: string, number: number, line: { readonly side: string; readonly verb: string; readonly target: string; readonly salt: string }): string =>
  mac(seed, `grognard order ${game} ${number} ${line.side} ${line.verb} ${line.target} ${line.salt}`);

export const stirred = (key: string, salt: string): string => mac(key, `grognard salt ${salt}`);

export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}

const chains = new Map<string, readonly string[]>();

/** Every link of a secret's chain, the secret first and the share last; worked out once. */
export function chainOf(secret: string): readonly string[] {
  const known = chains.get(secret);
  if (known) return known;
  const links = [secret];
  for (let i = 0; i < LINKS; i++) links.push(nextLink(links[i]!));
  chains.set(secret, links);
  return links;
}

export const shareOf = (secret: string): string => chainOf(secret)[LINKS]!;

/** The salt for our order `number`: our own orders count, those that were undone do not. */
export const saltOf = (secret: string, number: number): string => (number > 0 && number <= LINKS ? chainOf(secret)[LINKS - number]! : "");
