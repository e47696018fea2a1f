/** Compiles glob patterns: `* ** ? [a-z] [!a-z] {a,b}`, with `\` before a literal character. */

import { alternativesWithSlash, splitOutsideBraces } from "./glob_parts.ts";
import { compileName } from "./glob_name.ts";

/** Whether a file or folder matches; `below` returns its path below the root, with `/`. */
export type Matches = (name: string, below: () => string) => boolean;

type Segment = "**" | ((name: string) => boolean);

/**
 * A pattern without `/` is matched against the name, at any depth; one with `/`, against the path
 * below the root. Neither takes more than the product of both lengths, for any pattern.
 * @throws RangeError when the braces expand to too many patterns.
 */
export function compileGlob(pattern: string): Matches {
  const wanted = pattern.replace(/^\.?\/+/, "");
  if (!wanted.includes("/")) return compileName(wanted);
  const paths = alternativesWithSlash(wanted).map(compilePath);
  return (_name, below) => {
    const names = below().split("/");
    return paths.some((segments) => matchPath(segments, names));
  };
}

function compilePath(pattern: string): readonly Segment[] {
  const parts = splitOutsideBraces(pattern, "/")
    .filter((part, index, all) => part !== "**" || all[index - 1] !== "**");
  const segments = parts.map((part): Segment => part === "**" ? part : compileName(part));
  // a folder is not below itself
  return parts.at(-1) === "**" ? [...segments, () => true] : segments;
}

/**
 * Tries the shortest match for each `**` and backtracks only to the last one, which is sufficient.
 */
function matchPath(segments: readonly Segment[], names: readonly string[]): boolean {
  let segment = 0;
  let name = 0;
  let retry: { segment: number; name: number } | undefined;
  while (name < names.length) {
    const wanted = segments[segment];
    if (wanted === "**") {
      segment++;
      retry = { segment, name };
    } else if (wanted?.(names[name]!)) {
      segment++;
      name++;
    } else if (retry !== undefined) {
      retry.name++;
      segment = retry.segment;
      name = retry.name;
    } else return false;
  }
  return segment === segments.length;
}
