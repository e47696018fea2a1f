/**
 * Chance that is the same for one seed, and that has a name: what one name gives does not depend on what others have
 * taken, so that something new in a world moves little of the rest.
 */

/** The next number from 0 to 1. */
export type Chance = () => number;

/** mulberry32 from the hash of a name. */
export function chanceOf(name: string): Chance {
  let state = hash(name);
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ bits >>> 15, bits | 1);
    bits ^= bits + Math.imul(bits ^ bits >>> 7, bits | 61);
    return ((bits ^ bits >>> 14) >>> 0) / 0x1_0000_0000;
  };
}

/** Which of some names has the highest number of its own: one more takes from each others its share, and moves none. */
export function highest<T>(from: readonly T[], nameOf: (each: T) => string): T {
  const numbers = from.map((each) => chanceOf(nameOf(each))());
  return from[numbers.indexOf(Math.max(...numbers))]!;
}

/** FNV-1a. */
function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
