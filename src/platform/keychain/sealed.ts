/** Seals texts with AES-256-GCM: only the key's holder can read one, or change it undetected. */

const NONCE_BYTES = 12;
export const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
/** Texts are padded to a multiple of this, so that their length reveals little. */
const BLOCK_BYTES = 256;
const LENGTH_BYTES = 4;

type Bytes = Uint8Array<ArrayBuffer>;

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

export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
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
