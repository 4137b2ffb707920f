/**
 * Verifying the dice here, in the reader's own browser, from the game file alone: none of the server's code is used.
 *
 * The checksum, the host's commitment, every share and salt, and every number that was drawn are worked out anew; every die in
 * the log must be among the numbers drawn. What this browser kept from before the first order is compared with the file. Rules
 * are not replayed here: `grognard verify` and the server do that.
 */
import { bindingOf, commitmentOf, gameKey, nextLink, shareCommitment, stirred, type Share } from "./ceremony";
import { block, checksum } from "./hashes";

export interface Draw {
  readonly of: number;
  readonly value: number;
}

export interface FileLine {
  readonly side: string;
  readonly verb: string;
  readonly target: string;
  readonly notes: string[];
  salt: string;
  draws: string;
}

export interface GameFile {
  readonly header: { readonly [key: string]: string };
  readonly opening: { readonly notes: string[]; draws: string };
  readonly lines: FileLine[];
  readonly whole: boolean;
}

/** What this browser kept of a game whose dice it helped to make. */
export interface Kept {
  readonly commitment: string;
  readonly shares: { readonly [side: string]: string };
  readonly own: { readonly [side: string]: string };
  /** The orders that we witnessed, by side and by the number of our link. */
  readonly witnessed?: { readonly [side: string]: { readonly [number: string]: string } };
  readonly all?: boolean;
}

export interface Proof {
  readonly ok: boolean;
  readonly actions: number;
  readonly rolls: number;
  readonly draws: number;
  readonly typed: number;
  readonly withheld: readonly string[];
  readonly unsalted: { readonly [side: string]: number };
  readonly mark: string;
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly key: "cut" | "seed" | "share" | "salt" | "draw" | "die" | "kept-seed" | "kept-share" | "kept-own" | "kept-order" | "kept-all" | "unwitnessed" | "withheld" | "old";
  readonly side?: string;
  readonly number?: number;
}

export function parse(text: string): GameFile {
  const end = text.lastIndexOf("end: ");
  const body = end < 0 ? text : text.slice(0, end);
  const rows = body.split("\n");
  const header: Record<string, string> = {};
  let at = 0;
  for (; at < rows.length && rows[at]!.trim(); at++) {
    const row = rows[at]!;
    const colon = row.indexOf(":");
    header[row.slice(0, colon)] = row.slice(colon + 1).trim();
  }
  const opening = { notes: [] as string[], draws: "" };
  const lines: FileLine[] = [];
  for (const row of rows.slice(at)) {
    if (!row.trim()) continue;
    if (!row.startsWith("    ")) {
      const [side = "", verb = "", ...rest] = row.split(" ");
      lines.push({ side, verb, target: rest.join(" "), notes: [], salt: "", draws: "" });
      continue;
    }
    const note = row.slice(4);
    const last = lines[lines.length - 1];
    if (note.startsWith("% ")) (last ?? opening).draws = note.slice(2);
    else if (note.startsWith("+ ") && last) last.salt = note.slice(2);
    else if (!note.startsWith("= ") && !note.startsWith("#")) (last ?? opening).notes.push(note);
  }
  return { header, opening, lines, whole: text.slice(end) === `end: ${lines.length} actions, checksum ${checksum(body)}\n` };
}

const sharesOf = (header: GameFile["header"]): Share[] =>
  (header["shares"] ?? "").split(" ").filter(Boolean).map((word) => {
    const [side = "", rest = ""] = word.split("=");
    const [commitment = "", entropy = ""] = rest.split(":");
    return { side, commitment, entropy: entropy === "-" ? "" : entropy };
  });

/** The numbers that a key gives, one after the other. */
class Generator {
  used = 0;
  private known: { key: string; index: number; bytes: Uint8Array } | null = null;
  constructor(public key: string) {}

  private byte(): number {
    const index = Math.floor(this.used / 64);
    if (this.known?.key !== this.key || this.known.index !== index) this.known = { key: this.key, index, bytes: block(this.key, index) };
    return this.known.bytes[this.used++ % 64]!;
  }

  draw(of: number): number {
    const width = of <= 256 ? 1 : 4;
    const span = 256 ** width;
    const limit = span - (span % of);
    for (;;) {
      let value = 0;
      for (let i = 0; i < width; i++) value = value * 256 + this.byte();
      if (value < limit) return value % of;
    }
  }
}

export function prove(text: string, kept: Kept | null = null): Proof {
  const file = parse(text);
  const { header, lines } = file;
  const problems: Problem[] = [];
  const shares = sharesOf(header);
  const seed = header["seed"] ?? "";
  const game = header["id"] ?? "";
  if (!file.whole) problems.push({ key: "cut" });
  if (seed === "withheld") problems.push({ key: "withheld" });
  else if (commitmentOf(seed) !== header["commitment"]) problems.push({ key: "seed" });
  if (header["grognard"] === "1") problems.push({ key: "old" });
  for (const share of shares) if (share.entropy && shareCommitment(game, share.side, share.entropy) !== share.commitment) problems.push({ key: "share", side: share.side });
  if (kept) problems.push(...compare(header, shares, kept));
  const dice = new Generator(gameKey(seed, game, header["entropy"] ? (JSON.parse(header["entropy"]) as string[]) : [], shares));
  const unsalted: Record<string, number> = {};
  let [rolls, draws, typed] = [0, 0, 0];
  if (!problems.some((p) => p.key === "withheld" || p.key === "old")) {
    const links = new Map(shares.filter((s) => s.entropy).map((s) => [s.side, s.entropy]));
    const used: Record<string, number> = {};
    const witnessed: Record<string, Record<string, string>> = {};
    let shown: string[] = []; // sides that witness the order that comes next
    const stir = (side: string, link: string, number: number): void => {
      if (links.get(side) === undefined || unsalted[side] !== undefined || nextLink(link) !== links.get(side)) problems.push({ key: "salt", side, number });
      links.set(side, link);
      used[side] = (used[side] ?? 0) + 1;
      dice.key = stirred(dice.key, link);
    };
    const check = (drawn: string, notes: readonly string[], number: number): void => {
      const numbers = readDraws(drawn);
      if (drawn && Number(drawn.split(" ")[0]) !== dice.used) problems.push({ key: "draw", number });
      for (const one of numbers) if (dice.draw(one.of) !== one.value) problems.push({ key: "draw", number });
      draws += numbers.length;
      if (!typed && !diceAreAmong(notes, numbers)) problems.push({ key: "die", number });
    };
    check(file.opening.draws, file.opening.notes, 0);
    lines.forEach((line, i) => {
      const number = i + 1;
      if (line.side === "*" && line.verb === "dice") typed += line.target.split(" ").filter(Boolean).length;
      if (line.side === "*") {
        const [side = "", link = ""] = line.target.split(" ");
        if (line.verb === "without") unsalted[line.target] ??= number;
        else if (line.verb === "witness") {
          stir(side, link, number);
          shown.push(side);
        }
      } else {
        for (const side of shown) (witnessed[side] ??= {})[used[side]!] = bindingOf(seed, game, used[side]!, line);
        const others = [...links.keys()].filter((side) => side !== line.side && unsalted[side] === undefined);
        if (header["dice"] === "all" && line.draws && !others.every((side) => shown.includes(side))) problems.push({ key: "unwitnessed", number });
        shown = [];
        if (line.salt) stir(line.side, line.salt, number);
        else if (links.has(line.side)) unsalted[line.side] ??= number;
      }
      rolls += line.notes.filter((note) => note.startsWith("roll")).length;
      if (problems.length < 20) check(line.draws, line.notes, number);
    });
    if (kept) problems.push(...compareOrders(kept, witnessed, used));
  }
  const withheld = shares.filter((s) => !s.entropy).map((s) => s.side);
  return { ok: !problems.length, actions: lines.length, rolls, draws, typed, withheld, unsalted, mark: header["mark"] ?? "", problems };
}

/** Every order that we were told of is the one that our link went to; the last may have been overtaken by the end. */
function compareOrders(kept: Kept, witnessed: Record<string, Record<string, string>>, used: Record<string, number>): Problem[] {
  return Object.entries(kept.witnessed ?? {}).flatMap(([side, told]) =>
    Object.entries(told).flatMap(([number, binding]) => {
      const overtaken = Number(number) === (used[side] ?? 0) + 1;
      return witnessed[side]?.[number] === binding || overtaken ? [] : [{ key: "kept-order" as const, side, number: Number(number) }];
    }),
  );
}

/** What we kept against what the file says now. */
function compare(header: GameFile["header"], shares: readonly Share[], kept: Kept): Problem[] {
  const found: Problem[] = [];
  if (kept.commitment !== header["commitment"]) found.push({ key: "kept-seed" });
  if (kept.all && header["dice"] !== "all") found.push({ key: "kept-all" });
  for (const [side, word] of Object.entries(kept.shares)) if (shares.find((s) => s.side === side)?.commitment !== word) found.push({ key: "kept-share", side });
  for (const [side, entropy] of Object.entries(kept.own)) if (shares.find((s) => s.side === side)?.entropy !== entropy) found.push({ key: "kept-own", side });
  return found;
}

const readDraws = (text: string): Draw[] =>
  text.split(" ").slice(1).map((word) => {
    const [of, value] = word.split(":");
    return { of: Number(of), value: Number(value) };
  });

/** Every die of the log is one of the numbers drawn, in their order. */
function diceAreAmong(notes: readonly string[], numbers: readonly Draw[]): boolean {
  let at = 0;
  for (const note of notes) {
    if (!/^roll(!\S*)? /.test(note)) continue;
    const faces = Number(/ faces=(\d+)/.exec(note)?.[1] ?? 6);
    for (const die of JSON.parse(/ dice=(\[[^\]]*\])/.exec(note)?.[1] ?? "[]") as number[]) {
      while (at < numbers.length && !(numbers[at]!.of === faces && numbers[at]!.value === die - 1)) at++;
      if (at++ >= numbers.length) return false;
    }
  }
  return true;
}
