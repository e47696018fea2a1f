/**
 * Files as clipboards have them: `text/uri-list` (RFC 2483), and `x-special/gnome-copied-files`,
 * which says `copy` or `cut` before the URIs.
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import { Turns } from "../../../core/turns.ts";
import type { Parts } from "../../types/mod.ts";

/** More than the longest path of Linux has, 4,096 bytes, when each is written as `%20`. */
const MAX_URI_LENGTH = 16 * 1024;

/** One `file:` URI a line, each line ended by CR LF. */
export function formatUriList(paths: readonly string[]): string {
  return paths.map((path) => `${toUri(path)}\r\n`).join("");
}

/** As GNOME's, Xfce's and other file managers paste it. */
export function formatCopiedFiles(paths: readonly string[]): string {
  return ["copy", ...paths.map(toUri)].join("\n");
}

/**
 * The paths of the local files of either list, which is UTF-8; comments, other URIs and what is no
 * URI are left out.
 */
export async function parseUriList(parts: Parts): Promise<string[]> {
  const turns = new Turns();
  const paths: string[] = [];
  for (const [line] of decode(parts).matchAll(/[^\r\n\0]+/g)) {
    const path = parseFileUri(line);
    if (path !== undefined) paths.push(path);
    await turns.pass();
  }
  return paths;
}

function parseFileUri(line: string): string | undefined {
  if (!line.startsWith("file:") || line.length > MAX_URI_LENGTH) return undefined;
  try {
    const url = new URL(line);
    url.hostname = ""; // some programs name this computer
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function decode(parts: Parts): string {
  const decoder = new TextDecoder();
  const texts = parts.map((part) => decoder.decode(part, { stream: true }));
  return texts.join("") + decoder.decode();
}

function toUri(path: string): string {
  return pathToFileURL(path).href;
}
