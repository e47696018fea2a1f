/** Copied files as Windows has them: DROPFILES, and behind it the paths, each ended by NUL. */

import { wideText } from "../../../../ffi/memory.ts";
import { DROPFILES } from "../../../../ffi/windows/clipboard.ts";

export function formatDropFiles(paths: readonly string[]): Uint8Array<ArrayBuffer> {
  const list = wideText(paths.map((path) => `${path}\0`).join(""));
  const bytes = new Uint8Array(DROPFILES.size + list.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(DROPFILES.pFiles, DROPFILES.size, true);
  view.setUint32(DROPFILES.fWide, 1, true);
  bytes.set(list, DROPFILES.size);
  return bytes;
}

export function parseDropFiles(bytes: Uint8Array<ArrayBuffer>): string[] {
  if (bytes.length < DROPFILES.size) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = view.getUint32(DROPFILES.fWide, true) !== 0;
  const list = bytes.subarray(view.getUint32(DROPFILES.pFiles, true));
  const text = new TextDecoder(isWide ? "utf-16le" : "windows-1252").decode(list);
  return text.slice(0, (text + "\0\0").indexOf("\0\0")).split("\0").filter((path) => path !== "");
}
