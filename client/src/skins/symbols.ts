/** NATO symbols. milsymbol draws them when the client is built; a board fetches the drawings, not the library. */
import { signal } from "@preact/signals";
import { BRANCHES, sidc } from "./branches";

/** Drawn in the ink of the piece (`currentColor`). */
export interface Symbol {
  readonly viewBox: string;
  readonly body: string;
  readonly ratio: number;
}

const drawings = signal<{ readonly [code: string]: Symbol }>({});
let asked = false;

/** Words that games use for what their pieces are. */
const KINDS: { readonly [kind: string]: string } = {
  foot: "infantry", inf: "infantry", static: "infantry", garrison: "infantry", shock: "infantry", infantry: "infantry",
  horse: "cavalry", guns: "artillery", battery: "artillery", tank: "armour", tankette: "light_armour", panzer: "armour",
  motorised: "motorised", motorized: "motorised", mechanised: "mechanised", panzergrenadier: "mechanised",
  paratroops: "para", airborne: "para", glider: "para", commando: "ranger", flak: "flak",
  air: "fighter", naval: "warship", fleet: "warship", ship: "warship",
};

export function branchOf(kind: string): string | null {
  const word = kind.toLowerCase();
  return word in BRANCHES ? word : (KINDS[word] ?? null);
}

/** The drawing of a branch; null while the drawings are on their way. Reading it in a component subscribes to that. */
export function symbolOf(branch: string, echelon?: string): Symbol | null {
  if (!asked) void load();
  return drawings.value[sidc(branch, echelon)] ?? null;
}

async function load(): Promise<void> {
  asked = true;
  drawings.value = (await import("virtual:nato-symbols")).default;
}
