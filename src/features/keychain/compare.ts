/**
 * Compares given values with stored ones in constant time, so that timing reveals nothing about the
 * stored ones.
 */

import { timingSafeEqual } from "node:crypto";
import type { Item } from "../secrets/item.ts";

/** A value to compare. */
export interface Claim {
  readonly type: string;
  readonly value: string;
}

/** Compared when nothing is stored, so that the work is the same; never counts as equal. */
export const DECOY_ITEM: Item = new Map([["username", "decoy"], ["password", "decoy-password"]]);
const DECOY_VALUE = "decoy-password";

/** The claims that are wrong; always compares all of them. */
export function wrongClaims(claims: readonly Claim[], item: Item | undefined): Claim[] {
  const against = item ?? DECOY_ITEM;
  const results = claims.map(({ type, value }) => {
    const stored = against.get(type);
    const same = isSame(value, stored ?? DECOY_VALUE);
    return same && stored !== undefined && item !== undefined;
  });
  return claims.filter((_, index) => !results[index]);
}

/** The work depends only on the length of `given`. */
function isSame(given: string, stored: string): boolean {
  const left = new TextEncoder().encode(given);
  const right = new Uint8Array(left.byteLength);
  const bytes = new TextEncoder().encode(stored);
  right.set(bytes.subarray(0, left.byteLength));
  const sameBytes = timingSafeEqual(left, right);
  return sameBytes && left.byteLength === bytes.byteLength;
}
