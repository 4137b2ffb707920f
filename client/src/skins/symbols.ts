/** NATO symbols by milsymbol, loaded only when a board wants them. Drawn in the ink of the piece (`currentColor`). */
import { signal } from "@preact/signals";

export interface Symbol {
  readonly viewBox: string;
  readonly body: string;
  readonly ratio: number;
}

interface Milsymbol {
  addIcons(icons: unknown): void;
  Symbol: new (sidc: string, options: object) => { asSVG(): string; isValid(): boolean };
}

const library = signal<Milsymbol | null>(null);
const drawn = new Map<string, Symbol | null>();
let asked = false;

/** Symbol identification code (2525D) of a branch: symbol set, entity, and the modifier of the lower sector. */
const BRANCHES: { readonly [branch: string]: readonly [set: string, entity: string, modifier?: string] } = {
  infantry: ["10", "121100"],
  motorised: ["10", "121104"],
  mechanised: ["10", "121102"],
  mountain: ["10", "121100", "27"],
  para: ["10", "121100", "01"],
  marine: ["10", "121103"],
  cyclist: ["10", "121100", "04"],
  cavalry: ["10", "121300"],
  armour: ["10", "120500"],
  light_armour: ["10", "120500", "19"],
  heavy_armour: ["10", "120500", "15"],
  antitank: ["10", "120400"],
  artillery: ["10", "130300"],
  flak: ["10", "130100"],
  engineer: ["10", "140700"],
  ranger: ["10", "121700"],
  supply: ["10", "163400"],
  fighter: ["01", "110104"],
  bomber: ["01", "110103"],
  strategic_bomber: ["01", "110103"],
  warship: ["30", "120200"],
  carrier: ["30", "120100"],
  convoy: ["30", "140100"],
  submarine: ["35", "110100"],
};

const ECHELONS: { readonly [size: string]: string } = {
  battalion: "16", regiment: "17", brigade: "18", division: "21", corps: "22", army: "23", "army-group": "24",
};

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

export function sidc(branch: string, echelon?: string): string {
  const [set, entity, modifier = "00"] = BRANCHES[branch] ?? BRANCHES["infantry"]!;
  return `1003${set}00${(echelon && ECHELONS[echelon]) ?? "00"}${entity}00${modifier}`;
}

/** The drawing of a branch; null while the library is on its way. Reading it in a component subscribes to its arrival. */
export function symbolOf(branch: string, echelon?: string): Symbol | null {
  const code = sidc(branch, echelon);
  if (!asked) void load();
  const lib = library.value;
  if (!lib) return null;
  const known = drawn.get(code);
  if (known !== undefined) return known;
  const svg = new lib.Symbol(code, { size: 40, fill: false, monoColor: "currentColor", strokeWidth: 7 }).asSVG();
  const viewBox = /viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 200 200";
  const [, , w = 1, h = 1] = viewBox.split(" ").map(Number);
  const symbol = { viewBox, body: svg.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replace(/stroke-width="3"/g, 'stroke-width="6"'), ratio: w / h };
  drawn.set(code, symbol);
  return symbol;
}

async function load(): Promise<void> {
  asked = true;
  const parts = (await import("milsymbol-parts")) as unknown as { ms: Milsymbol; std2525d: unknown };
  parts.ms.addIcons(parts.std2525d);
  library.value = parts.ms;
}
