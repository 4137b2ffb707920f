/** Models from above, drawn from a few facts of a unit: hull, turret and barrel; guns with their crews; stands of figures. */
import type { JSX } from "preact";
import type { Point } from "../../model/geometry";
import { degrees, type Standing } from "../../model/tabletop";
import type { Piece } from "../../wire";

export type Base = "stand" | "gun" | "vehicle";

export interface Look {
  readonly base: Base;
  readonly what: string;
  readonly army: string;
  readonly size: number;
  readonly barrel: number;
  readonly figures: number;
  readonly turreted: boolean;
  readonly open: boolean;
}

interface Paint {
  readonly hull: string;
  readonly light: string;
  readonly dark: string;
  readonly patches: readonly string[];
  readonly cloth: string;
  readonly helmet: string;
  readonly rim: string;
}

const paint = (hull: string, light: string, dark: string, cloth: string, helmet: string, rim: string, ...patches: string[]): Paint => ({ hull, light, dark, cloth, helmet, rim, patches });

const ARMIES: { readonly [army: string]: Paint } = {
  FR: paint("#717748", "#949a66", "#454a2d", "#7d7447", "#5a6a78", "#2f5f9e", "#7d5d3c", "#556038"),
  DE: paint("#62696e", "#858d93", "#3a3f44", "#78836f", "#50574f", "#2e2e2e"),
  DE44: paint("#b3a06c", "#cfbd8a", "#7d6d44", "#66705f", "#565a4a", "#2e2e2e", "#66703f", "#7a4f30"),
  SU: paint("#5a6b3b", "#7d8e58", "#384524", "#8a7d50", "#5d6138", "#a3302a"),
  US: paint("#66653c", "#8b895a", "#414025", "#77714b", "#585636", "#3f6b35"),
  UK: paint("#857a50", "#ab9f73", "#57502f", "#8a7a4c", "#66603c", "#9a6a2d", "#4f4a34"),
  PL: paint("#6f6a3e", "#93905f", "#454127", "#7a7448", "#5b5a3a", "#b33a4a", "#8b7b4a"),
  IT: paint("#a08a5c", "#c1ab7c", "#6d5c3a", "#7d7a5c", "#5c5a48", "#3c7a4a", "#5f6b3d"),
};

const VEHICLES = /tank|assault-gun|armou?red|half|carrier|truck|lorry|car|motorcycle|spg|vehicle|destroyer|tractor|sturm|jeep/;
const GUNS = /gun|howitzer|pak|flak|mortar|artillery|cannon|nebel|rocket/;
const SIZES: readonly number[] = [0.86, 0.8, 0.92, 1, 1.1, 1.2];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown, usual: number): number => (typeof value === "number" ? value : usual);

/** What to draw, from what the view says of a piece; what it does not say is guessed from its name. */
export function lookOf(piece: Piece, side: string | null): Look {
  const what = text(piece["class"]) || text(piece["kind"]) || piece.id;
  const given = text(piece["base"]);
  const base: Base = given === "stand" || given === "gun" || given === "vehicle" ? given : VEHICLES.test(what) && !/^at-gun|^aa-gun/.test(what) ? "vehicle" : GUNS.test(what) ? "gun" : "stand";
  const prefix = /^([a-z]{2})-/.exec(piece.id)?.[1]?.toUpperCase() ?? "";
  const army = (text(piece["army"]) || (prefix in ARMIES ? prefix : "") || (side ?? "")).toUpperCase();
  return {
    base,
    what,
    army,
    size: SIZES[Math.max(0, Math.min(5, number(piece["size"], 3)))] ?? 1,
    barrel: number(piece["barrel"], /truck|carrier|half|car$|motor/.test(what) ? 0 : 2),
    figures: number(piece["figures"], /sniper|observer|commissar/.test(what) ? 2 : /mg|at-team|bazooka|mortar|command/.test(what) ? 3 : 5),
    turreted: piece["turreted"] !== false && !/assault|casemate|truck|half|carrier|destroyer|spg|sturm|motor|tractor/.test(what),
    open: piece["open"] === true || /half|carrier|truck|spg|motor|tractor/.test(what),
  };
}

const armyPaint = (army: string): Paint => ARMIES[army] ?? ARMIES["US"]!;

/** A number that is the same for the same name. */
function seed(name: string): number {
  let h = 7;
  for (const c of name) h = (h * 31 + c.charCodeAt(0)) >>> 0;
  return h;
}

/** The base with its rim; 3 cm, 4 cm, or 3 x 6 cm at ten units to a centimetre. */
export const baseSize = (base: Base): readonly [number, number] => (base === "vehicle" ? [30, 60] : base === "gun" ? [40, 40] : [30, 30]);

export function Model({ piece, look, snow, wreck, riders = [] }: { readonly piece: Piece; readonly look: Look; readonly snow: boolean; readonly wreck: boolean; readonly riders?: readonly Piece[] }) {
  const aboard = riders.filter((rider) => lookOf(rider, null).base === "stand");
  const gun = riders.find((rider) => lookOf(rider, null).base === "gun" && !/mortar/.test(lookOf(rider, null).what));
  const [w, h] = baseSize(look.base);
  const colours = armyPaint(look.army);
  const facing = number(piece["facing"], 0);
  const turret = number(piece["turret"], facing);
  const turn = degrees(turret) - degrees(facing);
  return (
    <g class={`model ${look.base}${wreck ? " burnt" : ""}`} transform={`rotate(${degrees(facing).toFixed(1)})`}>
      <rect x={-w / 2 + 2} y={-h / 2 + 3} width={w} height={h} rx={look.base === "vehicle" ? 8 : 7} class="model-shadow" transform={`rotate(${(-degrees(facing)).toFixed(1)}) translate(1 1) rotate(${degrees(facing).toFixed(1)})`} />
      <rect x={-w / 2} y={-h / 2} width={w} height={h} rx={look.base === "vehicle" ? 8 : 7} fill={colours.rim} class="model-rim" />
      <rect x={-w / 2 + 2} y={-h / 2 + 2} width={w - 4} height={h - 4} rx={look.base === "vehicle" ? 6.5 : 5.5} fill={snow ? "#dfe6ea" : "#8b8a52"} />
      <Flock id={piece.id} w={w} h={h} snow={snow} />
      <path d={`M-3 ${-h / 2 + 0.5}L0 ${-h / 2 - 3.500}L3 ${-h / 2 + 0.5}Z`} fill={colours.rim} class="model-nose" />
      {gun && (
        <g class="towed" transform={`translate(0 ${h / 2 + 12}) rotate(180) scale(.82)`}>
          <path d="M0 14V26" stroke={colours.dark} stroke-width="2.600" />
          <Gun look={lookOf(gun, null)} colours={colours} crew={false} />
        </g>
      )}
      {look.base === "vehicle" ? <Vehicle look={look} colours={colours} turn={turn} id={piece.id} men={aboard.reduce((sum, rider) => sum + (lookOf(rider, null).figures > 2 ? 4 : 2), 0)} /> : look.base === "gun" ? <Gun look={look} colours={colours} /> : <Stand look={look} colours={colours} id={piece.id} />}
    </g>
  );
}

/** A little scatter on the base. */
function Flock({ id, w, h, snow }: { readonly id: string; readonly w: number; readonly h: number; readonly snow: boolean }) {
  const start = seed(id);
  return (
    <g>
      {Array.from({ length: 7 }, (_, i) => {
        const [a, b] = [(start >>> (i * 2)) % 97, (start >>> (i * 3)) % 89];
        return <circle key={i} cx={((a / 97) * (w - 8) - (w - 8) / 2).toFixed(1)} cy={((b / 89) * (h - 8) - (h - 8) / 2).toFixed(1)} r={1.2 + (i % 3) * 0.6} fill={snow ? (i % 2 ? "#fff" : "#b9c4c9") : i % 2 ? "#a7a063" : "#67703c"} opacity="0.8" />;
      })}
    </g>
  );
}

const hullPath = (w: number, h: number): string => `M${-w / 2} ${-h * 0.36}L${-w * 0.36} ${-h / 2}H${w * 0.36}L${w / 2} ${-h * 0.36}V${h / 2}H${-w / 2}Z`;

function Vehicle({ look, colours, turn, id, men }: { readonly look: Look; readonly colours: Paint; readonly turn: number; readonly id: string; readonly men: number }) {
  const k = look.size;
  const [w, h] = [24 * k, 46 * k];
  const wheels = /car|truck|lorry|motor|jeep/.test(look.what) && !/half|carrier|armou?red-carrier/.test(look.what);
  const half = /half/.test(look.what);
  const bike = /motor/.test(look.what);
  const hw = bike ? 9 : w - (wheels ? 3 : 8);
  const start = seed(id);
  return (
    <g>
      <path d={hullPath(w, h)} class="model-under" transform="translate(2.2 2.8)" />
      {wheels || half ? <Wheels w={w} h={h} half={half} bike={bike} /> : <Tracks w={w} h={h} />}
      <path d={hullPath(hw, h * (wheels ? 0.96 : 0.93))} fill={colours.hull} stroke={colours.dark} stroke-width="0.8" />
      {colours.patches.map((patch, i) => (
        <path key={i} d={`M${-hw / 2 + 1} ${(-h * 0.2 + i * h * 0.28).toFixed(1)}q${(hw * 0.3).toFixed(1)} ${-3 - (start % 5)} ${(hw * 0.55).toFixed(1)} 2t${(hw * 0.35).toFixed(1)} 1v${(h * 0.1).toFixed(1)}q${(-hw * 0.5).toFixed(1)} 4 ${(-hw * 0.9).toFixed(1)} 1z`} fill={patch} opacity="0.75" />
      ))}
      <path d={`M${-hw * 0.36} ${-h * 0.45}H${hw * 0.36}L${hw * 0.47} ${-h * 0.33}H${-hw * 0.47}Z`} fill={colours.light} opacity="0.8" />
      <path d={`M${-hw / 2 + 1.2} ${-h * 0.32}V${h * 0.42}`} stroke={colours.light} stroke-width="1.4" opacity="0.7" />
      <path d={`M${hw / 2 - 1} ${-h * 0.32}V${h * 0.42}`} stroke={colours.dark} stroke-width="1.4" opacity="0.7" />
      {look.open ? <Bay w={hw} h={h} look={look} colours={colours} men={men} /> : <Engine w={hw} h={h} colours={colours} />}
      {look.turreted && !bike ? (
        <g transform={`translate(0 ${(-h * 0.03).toFixed(1)}) rotate(${turn.toFixed(1)})`}>
          <Turret k={k} colours={colours} barrel={look.barrel} />
        </g>
      ) : look.barrel > 0 && !bike ? (
        <g transform={`translate(0 ${(-h * 0.08).toFixed(1)}) rotate(${Math.max(-25, Math.min(25, turn)).toFixed(1)})`}>
          <path d={`M${-hw * 0.42} ${h * 0.2}V${-h * 0.06}L${-hw * 0.28} ${-h * 0.2}H${hw * 0.28}L${hw * 0.42} ${-h * 0.06}V${h * 0.2}Z`} fill={colours.hull} stroke={colours.dark} stroke-width="0.8" />
          <Barrel from={-h * 0.16} length={9 + look.barrel * 5} colours={colours} />
          <rect x={-3.2} y={-h * 0.24} width="6.4" height="4" rx="1.5" fill={colours.dark} />
        </g>
      ) : null}
      <Emblem army={look.army} x={hw * 0.28} y={h * 0.3} />
    </g>
  );
}

function Tracks({ w, h }: { readonly w: number; readonly h: number }) {
  return (
    <g>
      {[-w / 2, w / 2 - 5].map((x) => (
        <g key={x}>
          <rect x={x} y={-h / 2} width="5" height={h} rx="2" fill="#35322c" />
          <path d={`M${x + 2.5} ${-h / 2 + 1}V${h / 2 - 1}`} stroke="#6b655a" stroke-width="4.6" stroke-dasharray="1 1.300" />
        </g>
      ))}
    </g>
  );
}

function Wheels({ w, h, half, bike }: { readonly w: number; readonly h: number; readonly half: boolean; readonly bike: boolean }) {
  if (bike) return <path d={`M0 ${-h * 0.45}V${h * 0.42}`} stroke="#26241f" stroke-width="4" />;
  const rows = half ? [-h * 0.32] : [-h * 0.32, h * 0.08, h * 0.32];
  return (
    <g>
      {rows.flatMap((y) => [-w / 2 - 0.5, w / 2 - 3.5].map((x) => <rect key={`${x} ${y}`} x={x} y={y - 4} width="4" height="8" rx="1.500" fill="#26241f" />))}
      {half && [-w / 2, w / 2 - 4.5].map((x) => <rect key={x} x={x} y={-h * 0.06} width="4.500" height={h * 0.52} rx="1.500" fill="#35322c" />)}
    </g>
  );
}

/** The open back of a vehicle; the men in it are those who are aboard. */
function Bay({ w, h, look, colours, men }: { readonly w: number; readonly h: number; readonly look: Look; readonly colours: Paint; readonly men: number }) {
  const truck = /truck|lorry/.test(look.what);
  return (
    <g>
      <rect x={-w / 2 + 2} y={-h * 0.08} width={w - 4} height={h * 0.48} rx="1" fill={truck ? "#8a8063" : "#3c3527"} />
      {truck && [0, 0.1, 0.2, 0.3].map((y) => <path key={y} d={`M${-w / 2 + 2} ${h * y}H${w / 2 - 2}`} stroke="#66603f" stroke-width="0.8" />)}
      {[-0.02, 0.09, 0.2, 0.31].flatMap((y) => [-3.5, 3.5].map((x) => ({ x, y }))).slice(0, men).map(({ x, y }) => <circle key={`${x} ${y}`} cx={x} cy={h * y + 2} r="2.200" fill={colours.helmet} stroke="#222" stroke-width="0.3" />)}
      <rect x={-w / 2 + 2} y={-h * 0.24} width={w - 4} height="2.4" fill="#9fb3bb" opacity="0.8" />
    </g>
  );
}

function Engine({ w, h, colours }: { readonly w: number; readonly h: number; readonly colours: Paint }) {
  return (
    <g>
      <rect x={-w * 0.36} y={h * 0.24} width={w * 0.72} height={h * 0.19} rx="0.800" fill="none" stroke={colours.dark} stroke-width="0.600" />
      {[0.27, 0.305, 0.34, 0.375, 0.41].map((y) => <path key={y} d={`M${-w * 0.31} ${h * y}H${w * 0.31}`} stroke={colours.dark} stroke-width="0.700" />)}
      <circle cx={-w * 0.27} cy={-h * 0.28} r="1.800" fill={colours.dark} />
      <circle cx={w * 0.27} cy={-h * 0.28} r="1.800" fill={colours.dark} />
    </g>
  );
}

function Barrel({ from, length, colours }: { readonly from: number; readonly length: number; readonly colours: Paint }) {
  return (
    <g>
      <path d={`M1.200 ${from + 1.5}v${-length}`} stroke="#000" stroke-opacity="0.35" stroke-width="2" />
      <path d={`M0 ${from}v${-length}`} stroke={colours.dark} stroke-width="2" />
      <path d={`M-0.400 ${from}v${-length}`} stroke={colours.light} stroke-width="0.700" />
      <rect x="-1.400" y={from - length - 0.5} width="2.800" height="2.800" rx="0.600" fill={colours.dark} />
    </g>
  );
}

function Turret({ k, colours, barrel }: { readonly k: number; readonly colours: Paint; readonly barrel: number }) {
  const [w, h] = [15 * k, 17.5 * k];
  const shape = `M${-w * 0.36} ${-h / 2}H${w * 0.36}L${w / 2} ${-h * 0.12}L${w * 0.42} ${h * 0.42}Q0 ${h * 0.62} ${-w * 0.42} ${h * 0.42}L${-w / 2} ${-h * 0.12}Z`;
  return (
    <g class="turret">
      <path d={shape} fill="#000" opacity="0.35" transform="translate(1.600 2.200)" />
      <Barrel from={-h * 0.45} length={6 + barrel * 5.5} colours={colours} />
      <path d={shape} fill={colours.hull} stroke={colours.dark} stroke-width="0.800" />
      <path d={`M${-w * 0.33} ${-h * 0.42}L${-w * 0.44} ${-h * 0.1}L${-w * 0.37} ${h * 0.36}`} stroke={colours.light} stroke-width="1.300" fill="none" />
      {colours.patches[0] && <ellipse cx="3" cy="2.500" rx="3.600" ry="2.600" fill={colours.patches[0]} opacity="0.700" />}
      <rect x="-3.400" y={-h / 2 - 1.4} width="6.800" height="3.400" rx="1.200" fill={colours.dark} />
      <circle cx={-w * 0.16} cy={h * 0.12} r={3.2 * k} fill={colours.light} stroke={colours.dark} stroke-width="0.800" />
      <circle cx={-w * 0.16} cy={h * 0.12} r={1.6 * k} fill={colours.dark} />
    </g>
  );
}

function Emblem({ army, x, y }: { readonly army: string; readonly x: number; readonly y: number }): JSX.Element | null {
  if (army.startsWith("DE"))
    return (
      <g transform={`translate(${x} ${y})`}>
        <path d="M-2.600 0H2.600M0 -2.600V2.600" stroke="#eee9dc" stroke-width="2" />
        <path d="M-2.200 0H2.200M0 -2.200V2.200" stroke="#1f1f1f" stroke-width="1" />
      </g>
    );
  if (army === "FR" || army === "UK")
    return (
      <g transform={`translate(${x} ${y})`}>
        {(army === "FR" ? ["#b33a33", "#eee9dc", "#2f5f9e"] : ["#2f4f8e", "#eee9dc", "#b33a33"]).map((fill, i) => <circle key={fill} r={3 - i} fill={fill} />)}
      </g>
    );
  if (army === "US" || army === "SU")
    return <path d="M0 -3L.75 -.9 2.900 -.9 1.100 .4 1.800 2.500 0 1.200 -1.800 2.500 -1.100 .4 -2.900 -.9 -.75 -.9Z" fill={army === "US" ? "#eee9dc" : "#c43b30"} transform={`translate(${x} ${y})`} />;
  return null;
}

function Gun({ look, colours, crew = true }: { readonly look: Look; readonly colours: Paint; readonly crew?: boolean }) {
  const mortar = /mortar/.test(look.what);
  return (
    <g>
      {mortar ? (
        <g>
          <circle cx="0" cy="0" r="4.500" fill={colours.dark} />
          <path d="M0 1V-9" stroke={colours.hull} stroke-width="3.400" stroke-linecap="round" />
        </g>
      ) : (
        <g>
          <path d="M0 0L-6.500 15M0 0L6.500 15" stroke={colours.dark} stroke-width="2" />
          <rect x="-9.500" y="-4" width="3.200" height="8" rx="1" fill="#26241f" />
          <rect x="6.300" y="-4" width="3.200" height="8" rx="1" fill="#26241f" />
          <Barrel from={-1} length={9 + Math.max(1, look.barrel) * 3.5} colours={colours} />
          <path d="M-8 -3.500Q0 -6.500 8 -3.500V-1.500H-8Z" fill={colours.hull} stroke={colours.dark} stroke-width="0.700" />
          <rect x="-2" y="-1" width="4" height="7" rx="1" fill={colours.hull} />
        </g>
      )}
      {crew && [[-9, 9], [9, 8], [0, 13], [-12, 0]].slice(0, mortar ? 3 : 4).map(([x, y]) => <Man key={`${x} ${y}`} x={x!} y={y!} turn={x! < 0 ? 30 : -30} colours={colours} />)}
    </g>
  );
}

const PLACES: readonly (readonly [number, number])[] = [[0, -6], [-7, -2], [7, -1], [-4, 7], [5, 7], [0, 1], [-9, 8]];

function Stand({ look, colours, id }: { readonly look: Look; readonly colours: Paint; readonly id: string }) {
  const start = seed(id);
  return (
    <g>
      {/mg|machine/.test(look.what) && <path d="M0 -12V-1M-4 3L0 -2L4 3" stroke="#222" stroke-width="1.500" fill="none" />}
      {/at-|bazooka|panzer|piat|rifle-at/.test(look.what) && <path d="M3 -12V4" stroke="#333" stroke-width="1.800" />}
      {/observer|radio|command/.test(look.what) && <path d="M-9 8V-10" stroke="#222" stroke-width="0.600" />}
      {PLACES.slice(0, Math.max(1, Math.min(7, look.figures))).map(([x, y], i) => <Man key={i} x={x} y={y} turn={((start >>> i) % 50) - 25} colours={colours} {...(i === 0 && /command/.test(look.what) ? { cap: "#8b3a2e" } : {})} />)}
    </g>
  );
}

function Man({ x, y, turn, colours, cap }: { readonly x: number; readonly y: number; readonly turn: number; readonly colours: Paint; readonly cap?: string }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn}) scale(1.25)`}>
      <ellipse cx="0.900" cy="1.200" rx="3.200" ry="2" fill="#000" opacity="0.350" />
      <ellipse rx="3.100" ry="1.900" fill={colours.cloth} stroke="#2b2a1c" stroke-width="0.300" />
      <path d="M1.500 0V-5" stroke="#3a2c1c" stroke-width="0.900" />
      <circle r="1.700" fill={cap ?? colours.helmet} stroke="#222" stroke-width="0.300" />
      <circle cx="-0.500" cy="-0.500" r="0.600" fill="#fff" opacity="0.350" />
    </g>
  );
}

/** The base of a piece, for measuring. */
export const standing = (piece: Piece, side: string | null, at: Point): Standing => {
  const { base } = lookOf(piece, side);
  return { at, facing: number(piece["facing"], 0), radius: base === "gun" ? 2 : 1.5, half: base === "vehicle" ? 1.5 : 0 };
};

/** A model alone, for panels. */
export function ModelIcon({ piece, side, x, y, size }: { readonly piece: Piece; readonly side: string | null; readonly x: number; readonly y: number; readonly size: number }) {
  const look = lookOf(piece, side);
  const k = size / Math.max(...baseSize(look.base)) / (look.base === "stand" ? 1.15 : 1);
  return (
    <g transform={`translate(${x} ${y}) scale(${k.toFixed(3)})`}>
      <Model piece={{ ...piece, facing: 0, turret: 0 }} look={look} snow={false} wreck={piece["state"] === "wreck"} />
    </g>
  );
}

/** Far away a model is a sign: a shape by its base, a stroke in its facing, letters of its name. */
export function Sign({ piece, look, fill, ink, label }: { readonly piece: Piece; readonly look: Look; readonly fill: string; readonly ink: string; readonly label: string }) {
  const facing = degrees(number(piece["facing"], 0));
  return (
    <g class="sign">
      <g transform={`rotate(${facing.toFixed(1)})`}>
        {look.base === "vehicle" ? <path d="M-17 27V-22L0 -33L17 -22V27Z" fill={fill} class="sign-shape" /> : look.base === "gun" ? <path d="M-20 17L0 -26L20 17Z" fill={fill} class="sign-shape" /> : <circle r="17" fill={fill} class="sign-shape" />}
      </g>
      <text y="6" fill={ink}>{label}</text>
    </g>
  );
}
