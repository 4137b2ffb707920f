/** The hashes of the dice, over texts, in hexadecimal. Synchronous, and here also where the page came over plain http. */
import { blake2b } from "@noble/hashes/blake2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export const sha = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export const mac = (key: string, text: string): string => bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text)));

export const checksum = (text: string): string => bytesToHex(blake2b(utf8ToBytes(text), { dkLen: 16 }));

const PERSON = new Uint8Array(16);
PERSON.set(utf8ToBytes("grognard dice"));

/** Block `index` of the chance that a key gives. */
export function block(key: string, index: number): Uint8Array {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(index));
  return blake2b(number, { key: utf8ToBytes(key).slice(0, 64), personalization: PERSON, dkLen: 64 });
}
