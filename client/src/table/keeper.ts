/** What this browser keeps of the dice it helped to make: its secrets, and everybody's commitments as they were told in time. */
import type { Kept, Problem } from "../dice/proof";
import type { DiceState, StateMessage } from "../wire";

interface Kit {
  readonly commitment: string;
  readonly secrets: { readonly [side: string]: string };
  readonly shares: { readonly [side: string]: string };
  readonly shown: { readonly [side: string]: string };
  readonly used: { readonly [side: string]: number };
  readonly witnessed: { readonly [side: string]: { readonly [number: string]: string } };
  readonly all: boolean;
}

const name = (table: string): string => `grognard.dice.${table}`;
const EMPTY: Kit = { commitment: "", secrets: {}, shares: {}, shown: {}, used: {}, witnessed: {}, all: false };

const read = (table: string): Kit => ({ ...EMPTY, ...(JSON.parse(localStorage.getItem(name(table)) ?? "{}") as Partial<Kit>) });
const write = (table: string, kit: Kit): void => localStorage.setItem(name(table), JSON.stringify(kit));

/** What a table says of its dice, at any time. */
type Told = Pick<StateMessage, "commitment" | "dice">;

export const keeper = {
  /**
   * Every time that a table is told: the host's first word is kept. What is said now and is not what was kept: a lie. A share of
   * ours that was left out is none yet: it may not have arrived, and all see that it is missing; the check at the end asks.
   */
  hear(table: string, told: Told): readonly Problem[] {
    const kit = read(table);
    if (!kit.commitment && told.commitment) write(table, { ...kit, commitment: told.commitment });
    const word = kit.commitment || told.commitment;
    const shares = told.dice && told.dice.step !== "seats" && told.dice.step !== "commit" ? told.dice.shares : null;
    const made = told.dice?.step === "made";
    const share = (side: string) => shares?.find((s) => s.side === side);
    return [
      ...(told.commitment !== word || (told.dice && told.dice.commitment !== word) ? [{ key: "kept-seed" as const }] : []),
      ...Object.entries(kit.shares).flatMap(([side, kept]) => (share(side)?.commitment === kept ? [] : [{ key: "kept-share" as const, side }])),
      ...Object.entries(kit.shown).flatMap(([side, kept]) => (!made || ["", kept].includes(share(side)?.entropy ?? "?") ? [] : [{ key: "kept-own" as const, side }])),
    ];
  },

  secret: (table: string, side: string): string | undefined => read(table).secrets[side],

  /** Before we commit: our secret, and the host's word. The first word counts; another one later would be a lie. */
  keepSecret(table: string, side: string, secret: string, dice: DiceState): void {
    const kit = read(table);
    write(table, { ...kit, commitment: kit.commitment || dice.commitment, all: kit.all || !!dice.all, secrets: { ...kit.secrets, [side]: secret } });
  },

  /** Before we show: everybody's commitments. */
  keepShares(table: string, side: string, entropy: string, dice: DiceState): void {
    const kit = read(table);
    const told = Object.fromEntries(dice.shares.map((s) => [s.side, s.commitment]));
    write(table, { ...kit, shares: { ...told, ...kit.shares }, shown: { ...kit.shown, [side]: entropy } });
  },

  /** True for the next salt, or one shown before (after an undo). A server that asks for later ones gets none. */
  mayUse(table: string, side: string, number: number): boolean {
    const kit = read(table);
    const used = kit.used[side] ?? 0;
    if (number === used + 1) write(table, { ...kit, used: { ...kit.used, [side]: number } });
    return number <= used + 1;
  },

  /** Before we show link `number`: the order that it goes to. False if we know of another one: then we show nothing. */
  mayWitness(table: string, side: string, number: number, binding: string): boolean {
    const told = read(table).witnessed[side] ?? {};
    if (told[number] !== undefined && told[number] !== binding) return false;
    if (!this.mayUse(table, side, number)) return false;
    const kit = read(table);
    write(table, { ...kit, witnessed: { ...kit.witnessed, [side]: { ...told, [number]: binding } } });
    return true;
  },

  /** For the check at the end; null if this browser was not there. */
  kept(table: string): Kept | null {
    const kit = read(table);
    return kit.commitment ? { commitment: kit.commitment, shares: kit.shares, own: kit.shown, witnessed: kit.witnessed, all: kit.all } : null;
  },
};
