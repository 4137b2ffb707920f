/** What NATO symbols we draw: branches and sizes, and their codes. Read by the build, which draws them all. */

/** Symbol identification code (2525D) of a branch: symbol set, entity, and the modifier of the lower sector. */
export const BRANCHES: { readonly [branch: string]: readonly [set: string, entity: string, modifier?: string] } = {
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

export const ECHELONS: { readonly [size: string]: string } = {
  battalion: "16", regiment: "17", brigade: "18", division: "21", corps: "22", army: "23", "army-group": "24",
};

export function sidc(branch: string, echelon?: string): string {
  const [set, entity, modifier = "00"] = BRANCHES[branch] ?? BRANCHES["infantry"]!;
  return `1003${set}00${(echelon && ECHELONS[echelon]) ?? "00"}${entity}00${modifier}`;
}
