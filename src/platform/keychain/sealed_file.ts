/**
 * The format of the keychain file: a signature, the key's id, and all items as one sealed JSON.
 * Changing, removing or truncating anything is therefore detected, and no name is in plain text.
 */

import { z } from "zod";
import { joinBytes, roundUp } from "../../core/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Texts by service name. */
export type Items = ReadonlyMap<string, string>;

/**
 * Thrown when the file cannot be read; the message is half a sentence, as in `the file is damaged`.
 */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

const MAGIC = new TextEncoder().encode("CCKEYS02");
/** Of files that earlier versions wrote; they are written in the present format at the next change. */
const EARLIER_MAGIC = new TextEncoder().encode("CCKEYS01");
const KEY_ID_BYTES = 8;
const HEAD_BYTES = MAGIC.byteLength + KEY_ID_BYTES;
/** What is sealed is padded to a multiple of this, so that its length reveals little. */
const BLOCK_BYTES = 256;
const SPACE = 0x20;

const Entries = z.array(z.tuple([z.string(), z.string()]));

export async function encodeFile(key: SealingKey, items: Items): Promise<Bytes> {
  const json = new TextEncoder().encode(JSON.stringify([...items]));
  const padded = new Uint8Array(roundUp(json.byteLength, BLOCK_BYTES)).fill(SPACE);
  padded.set(json); // JSON may end with spaces
  const head = joinBytes([MAGIC, key.id]);
  return joinBytes([head, await seal(key, padded, head)]);
}

/** @throws FormatError */
export async function decodeFile(key: SealingKey, file: Bytes): Promise<Items> {
  const isEarlier = startsWith(file, EARLIER_MAGIC);
  if (file.byteLength < HEAD_BYTES || !isEarlier && !startsWith(file, MAGIC)) {
    throw new FormatError("it is damaged, or not a keychain file of this version");
  }
  if (!startsWith(file.subarray(MAGIC.byteLength), key.id)) {
    throw new FormatError("it was written with another key");
  }
  const head = file.subarray(0, HEAD_BYTES);
  const sealed = file.subarray(HEAD_BYTES);
  try {
    if (isEarlier) return await decodeEarlier(key, sealed);
    return new Map(Entries.parse(parseJson(await open(key, sealed, head))));
  } catch (cause) {
    throw new FormatError("it is damaged", { cause });
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function parseJson(bytes: BufferSource): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

// Seals bytes with AES-256-GCM: only the key's holder can read them, or change them undetected.

const NONCE_BYTES = 12;
export const KEY_BYTES = 32;

/** An imported key. */
export interface SealingKey {
  readonly key: CryptoKey;
  /** Identifies the key and reveals nothing else about it. */
  readonly id: Bytes;
}

export async function importKey(raw: Bytes): Promise<SealingKey> {
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
  const label = new TextEncoder().encode("computer-control key id");
  const digest = await crypto.subtle.digest("SHA-256", joinBytes([label, raw]));
  return { key, id: new Uint8Array(digest, 0, KEY_ID_BYTES) };
}

/** Seals with a fresh nonce; opens only with the same `bound`, its associated data. */
export async function seal({ key }: SealingKey, bytes: Bytes, bound: Bytes): Promise<Bytes> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(nonce, bound), key, bytes);
  return joinBytes([nonce, new Uint8Array(sealed)]);
}

/** @throws an error without details when anything was changed or `bound` differs */
export async function open({ key }: SealingKey, sealed: Bytes, bound: Bytes): Promise<Bytes> {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const rest = sealed.subarray(NONCE_BYTES);
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(nonce, bound), key, rest));
}

function algorithm(iv: Bytes, additionalData: Bytes): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData };
}

// Reads files of the first format: a sealed table of names and sizes, then a sealed record each.
// Whatever was sealed there begins with its length.

const SIZE_BYTES = 4;

const EarlierTable = z.object({
  sha256: z.string(),
  /** Name and number of bytes of each record, in the order of the file. */
  records: z.array(z.tuple([z.string(), z.int().min(0)])),
});

async function decodeEarlier(key: SealingKey, sealed: Bytes): Promise<Items> {
  const openBound = async (part: Bytes, bound: string) =>
    unpad(await open(key, part, new TextEncoder().encode(`computer-control ${bound}`)));
  const end = SIZE_BYTES + readSize(sealed);
  const table = await openBound(sealed.subarray(SIZE_BYTES, end), "table 1");
  const { sha256, records } = EarlierTable.parse(parseJson(table));
  const body = sealed.subarray(end);
  const digest = await crypto.subtle.digest("SHA-256", body);
  if (new Uint8Array(digest).toHex() !== sha256) throw new Error("The records are other ones");
  const items = new Map<string, string>();
  let at = 0;
  for (const [name, size] of records) {
    const text = await openBound(body.subarray(at, at += size), `item 1 ${name}`);
    items.set(name, new TextDecoder().decode(text));
  }
  return items;
}

function unpad(bytes: Bytes): Bytes {
  return bytes.subarray(SIZE_BYTES, SIZE_BYTES + readSize(bytes));
}

function readSize({ buffer, byteOffset }: Bytes): number {
  return new DataView(buffer, byteOffset).getUint32(0);
}
