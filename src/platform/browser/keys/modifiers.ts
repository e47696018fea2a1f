/** Modifier keys as the protocol counts them. */

import { ValueFault } from "../../../core/errors.ts";

const BITS: Readonly<Record<string, number>> = {
  alt: 1,
  option: 1,
  ctrl: 2,
  control: 2,
  meta: 4,
  super: 4,
  win: 4,
  command: 4,
  cmd: 4,
  shift: 8,
};

/** The bit of a modifier; `undefined` for any other key. */
export function modifierBit(name: string): number | undefined {
  const word = name.toLowerCase().replace(/(?:left|right|_l|_r)$/, "");
  return Object.hasOwn(BITS, word) ? BITS[word] : undefined;
}

/** @throws ValueFault on `modifiers` */
export function modifierBits(names: readonly string[]): number {
  return names.reduce((bits, name) => {
    const bit = modifierBit(name);
    if (bit !== undefined) return bits | bit;
    throw new ValueFault(
      "modifiers",
      `${JSON.stringify(name)} is no modifier: use ctrl, shift, alt or meta`,
    );
  }, 0);
}
