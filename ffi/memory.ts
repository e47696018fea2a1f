/** Strings and structures in the memory layout of C. */

/** A string as `LPCWSTR`: UTF-16, little-endian, terminated by NUL. */
export function wideText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((text.length + 1) * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), true);
  return bytes;
}

/** The string at a `LPCWSTR`, up to its NUL. */
export function readWideText(pointer: Deno.PointerObject): string {
  const view = new Deno.UnsafePointerView(pointer);
  let text = "";
  for (let at = 0;; at += 2) {
    const unit = view.getUint16(at);
    if (unit === 0) return text;
    text += String.fromCharCode(unit);
  }
}

/** Zeroed memory at a fixed address, for a structure that the system still uses after the call. */
export function memory(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(size));
}

/**
 * The address of bytes, for a pointer inside a structure; the bytes must stay alive as long as it
 * is used.
 */
export function pointerAddress(bytes: Uint8Array<ArrayBuffer>): bigint {
  const pointer = Deno.UnsafePointer.of(bytes);
  return pointer === null ? 0n : Deno.UnsafePointer.value(pointer);
}

/**
 * References bytes after a call, so that memory that structures point to is not collected earlier.
 */
export function keepAlive(...parts: readonly Uint8Array[]): void {
  for (const part of parts) part.at(0);
}
