/** Suggests what a mistyped word was meant to be. */

import { editDistance } from "../platform/keys.ts";

/** Suggests the most similar name as a question, if one is similar enough. */
export function suggest(word: string, names: readonly string[]): string {
  const far = Math.ceil(word.replace(/^-+/, "").length / 2);
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(word.slice(0, 40).toLowerCase(), name) }))
    .filter(({ distance }) => distance <= far)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : `did you mean "${nearest.name}"? `;
}
