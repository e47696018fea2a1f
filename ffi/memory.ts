/** Texts and structures in the memory layout of C. */

/** A text for a `LPCWSTR`: UTF-16, little end first, with a NUL at the end. */
export function wideText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((text.length + 1) * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), true);
  return bytes;
}

/** The text at a `LPCWSTR`, up to its NUL. */
export function readWideText(pointer: Deno.PointerObject): string {
  const view = new Deno.UnsafePointerView(pointer);
  let text = "";
  for (let at = 0;; at += 2) {
    const unit = view.getUint16(at);
    if (unit === 0) return text;
    text += String.fromCharCode(unit);
  }
}
