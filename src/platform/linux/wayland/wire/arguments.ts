/** The arguments of requests and events, as their tables describe them. */

import type { ArgumentType, MessageTable } from "../protocols/table.ts";

export interface Argument {
  readonly type: ArgumentType;
  readonly isNullable: boolean;
  /** The only interface of the object, if there is one. */
  readonly interface: string | undefined;
}

/** On the wire, objects are numbers. */
export type WireValue = number | string | Uint8Array | undefined;

const parsed = new WeakMap<MessageTable, readonly Argument[]>();

export function argumentsOf(message: MessageTable): readonly Argument[] {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const made = message.args.map(parseArgument);
  parsed.set(message, made);
  return made;
}

function parseArgument(text: string): Argument {
  const [, type = "", name] = text.split(":");
  const isNullable = type.startsWith("?");
  const bare = isNullable ? type.slice(1) : type;
  return { type: bare as ArgumentType, isNullable, interface: name };
}

/** Numbers of 24 bits before the point and 8 bits behind it. */
export const FIXED_UNIT = 256;

/** Data on the wire is filled up to whole words of four bytes. */
export function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}
