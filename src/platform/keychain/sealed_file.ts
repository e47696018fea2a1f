/**
 * The format of the keychain file: a signature, the key's id, a sealed table of contents, sealed
 * records. The table holds the names, the sizes and the digest of all records. Changing, removing,
 * restoring or truncating anything is therefore detected, and no name is stored in plain text.
 */

import { z } from "zod";
import { joinBytes } from "../../core/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Sealed records by service name. */
export type Records = ReadonlyMap<string, Bytes>;

/**
 * Thrown when the file cannot be read; the message is half a sentence, as in `the file is damaged`.
 */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

const VERSION = 1;
const MAGIC = new TextEncoder().encode(`CCKEYS${String(VERSION).padStart(2, "0")}`);
const KEY_ID_BYTES = 8;
const SIZE_BYTES = 4;
const HEAD_BYTES = MAGIC.byteLength + KEY_ID_BYTES + SIZE_BYTES;

const Table = z.object({
  sha256: z.string(),
  /** Name and number of bytes of each record, in the order of the file. */
  records: z.array(z.tuple([z.string(), z.int().min(0)])),
});

export async function encodeFile(key: SealingKey, records: Records): Promise<Bytes> {
  const body = joinBytes([...records.values()]);
  const table: z.input<typeof Table> = {
    sha256: await hashContent(body),
    records: [...records].map(([name, record]) => [name, record.byteLength]),
  };
  const sealed = await seal(key, JSON.stringify(table), boundOfTable());
  const size = new Uint8Array(SIZE_BYTES);
  new DataView(size.buffer).setUint32(0, sealed.byteLength);
  return joinBytes([MAGIC, key.id, size, sealed, body]);
}

/** @throws FormatError */
export async function decodeFile(key: SealingKey, file: Bytes): Promise<Records> {
  if (file.byteLength < HEAD_BYTES || !startsWith(file, MAGIC)) {
    throw new FormatError("it is damaged, or not a keychain file of this version");
  }
  if (!startsWith(file.subarray(MAGIC.byteLength), key.id)) {
    throw new FormatError("it was written with another key");
  }
  const end = HEAD_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(16);
  const table = await openTable(key, file.slice(HEAD_BYTES, end));
  const body = file.slice(end);
  if (await hashContent(body) !== table.sha256) throw damaged();
  const records = new Map<string, Bytes>();
  let at = 0;
  for (const [name, size] of table.records) records.set(name, body.slice(at, at += size));
  return records;
}

/** The associated data of a record: this version and its service, so that it opens nowhere else. */
export function boundOfRecord(service: string): string {
  return `computer-control item ${VERSION} ${service}`;
}

async function openTable(key: SealingKey, sealed: Bytes): Promise<z.output<typeof Table>> {
  let text: string;
  try {
    text = await open(key, sealed, boundOfTable());
  } catch {
    throw damaged();
  }
  return Table.parse(JSON.parse(text));
}

function boundOfTable(): string {
  return `computer-control table ${VERSION}`;
}

async function hashContent(bytes: Bytes): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function damaged(): FormatError {
  return new FormatError("it is damaged");
}

// Seals texts with AES-256-GCM: only the key's holder can read one, or change it undetected.

const NONCE_BYTES = 12;
export const KEY_BYTES = 32;
/** Texts are padded to a multiple of this, so that their length reveals little. */
const BLOCK_BYTES = 256;
const LENGTH_BYTES = 4;

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

/** Seals a text with a fresh nonce; it opens only with the same `bound`, its associated data. */
export async function seal({ key }: SealingKey, text: string, bound: string): Promise<Bytes> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(nonce, bound), key, pad(text));
  return joinBytes([nonce, new Uint8Array(sealed)]);
}

/** @throws an error without details when the text was changed or `bound` differs */
export async function open({ key }: SealingKey, sealed: Bytes, bound: string): Promise<string> {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const opened = await crypto.subtle.decrypt(
    algorithm(nonce, bound),
    key,
    sealed.subarray(NONCE_BYTES),
  );
  return unpad(opened);
}

function algorithm(iv: Bytes, bound: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(bound) };
}

function pad(text: string): Bytes {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil((LENGTH_BYTES + bytes.byteLength) / BLOCK_BYTES) * BLOCK_BYTES;
  const padded = new Uint8Array(size);
  new DataView(padded.buffer).setUint32(0, bytes.byteLength);
  padded.set(bytes, LENGTH_BYTES);
  return padded;
}

function unpad(padded: ArrayBuffer): string {
  const length = new DataView(padded).getUint32(0);
  return new TextDecoder().decode(new Uint8Array(padded, LENGTH_BYTES, length));
}
