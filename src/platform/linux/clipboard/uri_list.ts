/**
 * Files as clipboards have them: `text/uri-list` (RFC 2483), and `x-special/gnome-copied-files`,
 * which says `copy` or `cut` before the URIs.
 */

import { fileURLToPath, pathToFileURL } from "node:url";

/** One `file:` URI a line, each line ended by CR LF. */
export function formatUriList(paths: readonly string[]): string {
  return paths.map((path) => `${toUri(path)}\r\n`).join("");
}

/** As GNOME's, Xfce's and other file managers paste it. */
export function formatCopiedFiles(paths: readonly string[]): string {
  return ["copy", ...paths.map(toUri)].join("\n");
}

/** The paths of the local files of either list; comments, other URIs and what is no URI are left out. */
export function parseUriList(text: string): string[] {
  return text.split(/[\r\n\0]+/).flatMap((line) => {
    if (!line.startsWith("file:")) return [];
    try {
      const url = new URL(line);
      url.hostname = ""; // some programs name this computer
      return [fileURLToPath(url)];
    } catch {
      return [];
    }
  });
}

function toUri(path: string): string {
  return pathToFileURL(path).href;
}
