/** Base64 in every runtime: `Uint8Array.prototype.toBase64` is missing in older ones. */

/** So many bytes are given to a function as arguments. */
const CHUNK = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  }
  return btoa(binary);
}
