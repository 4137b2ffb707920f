/** The dice, checked by the browser's own code: it must agree with `grognard verify`, and find every lie. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bindingOf, chainOf, LINKS, nextLink, saltOf, shareCommitment, shareOf } from "../src/dice/ceremony";
import { checksum } from "../src/dice/hashes";
import { parse, prove, type Kept } from "../src/dice/proof";

const read = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
const text = read("dice.txt");
const verdict = JSON.parse(read("dice.json")) as Record<string, unknown>;

const all = read("dice-all.txt");

/** The file with one thing changed, and its checksum made to fit again. */
function forged(from: RegExp | string, to: string, file = text): string {
  const body = file.slice(0, file.lastIndexOf("end: ")).replace(from, to);
  const count = parse(body).lines.length;
  return `${body}end: ${count} actions, checksum ${checksum(body)}\n`;
}

const keys = (file: string, kept: Kept | null = null): string[] => [...new Set(prove(file, kept).problems.map((p) => p.key))];
const header = parse(text).header;
const shares = Object.fromEntries(header["shares"]!.split(" ").map((w) => w.split("=") as [string, string]));
const flip = (hex: string): string => (hex[0] === "0" ? "1" : "0") + hex.slice(1);

describe("verifying the dice in the browser", () => {
  it("agrees with grognard verify", () => {
    const proof = prove(text);
    expect(proof.problems).toEqual([]);
    for (const key of ["actions", "rolls", "typed", "withheld", "unsalted", "mark"] as const) expect(proof[key]).toEqual(verdict[key]);
    expect(proof.draws).toBeGreaterThan(proof.rolls);
  });

  it("finds a changed byte", () => {
    expect(keys(text.replace("crossing", "Crossing"))).toContain("cut");
    expect(keys(text.slice(0, -40))).toContain("cut");
  });

  it("finds another seed, share or salt", () => {
    expect(keys(forged(header["seed"]!, flip(header["seed"]!)))).toContain("seed");
    const entropy = shares["red"]!.split(":")[1]!;
    expect(keys(forged(`:${entropy}`, `:${flip(entropy)}`))).toContain("share");
    const salt = /\n {4}\+ ([0-9a-f]+)/.exec(text)![1]!;
    expect(keys(forged(salt, flip(salt)))).toContain("salt");
  });

  it("finds another number and another die", () => {
    expect(keys(forged(/(\n {4}% \d+ \d+:)(\d)/, "$15$2"))).toContain("draw");
    expect(keys(forged(/dice=\[(\d)/, "dice=[9"))).toContain("die");
  });

  it("compares with what this browser kept", () => {
    const kept: Kept = { commitment: header["commitment"]!, shares: { blue: shares["blue"]!.split(":")[0]! }, own: { red: shares["red"]!.split(":")[1]! } };
    expect(keys(text, kept)).toEqual([]);
    expect(keys(text, { ...kept, commitment: "0" })).toEqual(["kept-seed"]);
    expect(keys(text, { ...kept, shares: { blue: "0" } })).toEqual(["kept-share"]);
    expect(keys(text, { ...kept, own: { red: "0" } })).toEqual(["kept-own"]);
  });

  it("checks the links of dice that all make, and finds those that are missing", () => {
    const told = JSON.parse(read("dice-all.json")) as Record<string, unknown>;
    const proof = prove(all);
    expect(proof.problems).toEqual([]);
    for (const key of ["actions", "rolls", "typed", "withheld", "unsalted", "mark"] as const) expect(proof[key]).toEqual(told[key]);
    const [whole, side, link] = /\n\* witness (\w+) ([0-9a-f]{64})\n {4}= \w+/.exec(all)!;
    expect(keys(forged(link!, flip(link!), all))).toContain("salt");
    expect(keys(forged(whole, "", all))).toContain("unwitnessed");
    expect(keys(forged("dice: all\n", "", all))).toEqual([]);
    expect(keys(forged("dice: all\n", "", all), { commitment: parse(all).header["commitment"]!, shares: {}, own: {}, all: true })).toEqual(["kept-all"]);
    expect(side).toMatch(/red|blue/);
  });

  it("finds that a link of ours went to another order than we were told", () => {
    const { header, lines } = parse(all);
    const at = lines.findIndex((line) => line.verb === "witness");
    const side = lines[at]!.target.split(" ")[0]!;
    const number = lines.slice(0, at + 1).filter((line) => line.side === side || (line.verb === "witness" && line.target.startsWith(`${side} `))).length;
    const told = bindingOf(header["seed"]!, header["id"]!, number, lines[at + 1]!);
    const kept = (witnessed: NonNullable<Kept["witnessed"]>): Kept => ({ commitment: header["commitment"]!, shares: {}, own: {}, all: true, witnessed });
    expect(keys(all, kept({ [side]: { [number]: told } }))).toEqual([]);
    expect(keys(all, kept({ [side]: { [number]: flip(told) } }))).toEqual(["kept-order"]);
    expect(keys(all, kept({ [side]: { 9000: told } }))).toEqual(["kept-order"]); // asked for, and never used
    expect(keys(forged(lines[at + 1]!.salt, flip(lines[at + 1]!.salt), all), kept({ [side]: { [number]: told } }))).toContain("kept-order");
  });

  it("says that it cannot check a side's copy or an old file", () => {
    expect(keys(forged(header["seed"]!, "withheld"))).toContain("withheld");
    expect(keys(forged("grognard: 2", "grognard: 1"))).toContain("old");
  });
});

describe("our share", () => {
  it("is the end of a chain whose links are the salts", () => {
    const secret = "ab".repeat(32);
    expect(chainOf(secret)).toHaveLength(LINKS + 1);
    expect(nextLink(saltOf(secret, 1))).toBe(shareOf(secret));
    expect(nextLink(saltOf(secret, 2))).toBe(saltOf(secret, 1));
    expect(saltOf(secret, LINKS)).toBe(secret);
    expect(saltOf(secret, LINKS + 1)).toBe("");
    expect(shareCommitment("g", "red", "x")).not.toBe(shareCommitment("g", "blue", "x"));
  });
});
