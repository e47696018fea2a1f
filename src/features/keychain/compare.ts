/** Compares given values with stored ones in a time that tells nothing of the stored ones. */

import { timingSafeEqual } from "node:crypto";
import type { Item } from "../secrets/item.ts";

/** A value to compare. */
export interface Claim {
  readonly type: string;
  readonly value: string;
}

/** What is compared where nothing is stored, so that it takes the same work; it never counts as equal. */
export const DECOY_ITEM: Item = new Map([["username", "decoy"], ["password", "decoy-password"]]);
const DECOY_VALUE = "decoy-password";

/** The claims that are wrong; all are compared, whatever the first ones give. */
export function wrongClaims(claims: readonly Claim[], item: Item | undefined): Claim[] {
  const against = item ?? DECOY_ITEM;
  const results = claims.map(({ type, value }) => {
    const stored = against.get(type);
    const same = isSame(value, stored ?? DECOY_VALUE);
    return same && stored !== undefined && item !== undefined;
  });
  return claims.filter((_, index) => !results[index]);
}

/** The work depends on the length of `given` alone. */
function isSame(given: string, stored: string): boolean {
  const left = new TextEncoder().encode(given);
  const right = new Uint8Array(left.byteLength);
  const bytes = new TextEncoder().encode(stored);
  right.set(bytes.subarray(0, left.byteLength));
  const sameBytes = timingSafeEqual(left, right);
  return sameBytes && left.byteLength === bytes.byteLength;
}
