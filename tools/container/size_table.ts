/** What each layer of the image takes, as a table for the documents. */

import type { Layer } from "./image.ts";

export function sizeTable(layers: readonly Layer[]): string {
  const rows = layers.map(({ step, bytes }) => [whatOf(step), megabytes(bytes)]);
  const total = layers.reduce((sum, { bytes }) => sum + bytes, 0);
  const all = [["layer", "size"], ["---", "---:"], ...rows, ["all", megabytes(total)]];
  return all.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What a reader knows the step by: the packages, or the file. */
function whatOf(step: string): string {
  const packages = /--no-install-recommends\s+(.+?)\s*&&/.exec(step)?.[1];
  if (packages !== undefined) return packages.split(/\s+/).map((name) => `\`${name}\``).join(" ");
  return `\`${step.replace(/\s+/g, " ")}\``;
}

function megabytes(bytes: number): string {
  const size = bytes / 1e6;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}
