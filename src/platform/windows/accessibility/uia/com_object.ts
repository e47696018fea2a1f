/** Calls of methods that give an object, or nothing. */

import { callMethod, type ComPointer, S_OK } from "../../../../../ffi/windows/com.ts";

type Types = Parameters<typeof callMethod>[2];
type Arguments = Parameters<typeof callMethod> extends [unknown, unknown, unknown?, ...infer Rest]
  ? Rest
  : never;

/** A method that has failed. */
export class ComFailure extends Error {
  override readonly name = "ComFailure";

  /** @param code the HRESULT */
  constructor(readonly code: number) {
    super(`Windows answers 0x${(code >>> 0).toString(16)}`);
  }
}

/**
 * Calls a method whose last parameter is where it puts an object; 0 where it gives none.
 * @throws ComFailure
 */
export function callForObject(
  object: ComPointer,
  slot: number,
  types: NonNullable<Types> = [],
  ...args: Arguments
): ComPointer {
  const out = new BigUint64Array(1);
  check(callMethod(object, slot, [...types, "buffer"], ...args, out));
  return out[0]!;
}

/** @throws ComFailure */
export function check(code: number): void {
  if (code !== S_OK) throw new ComFailure(code);
}
