/** The bounds of the service that an operator can change: the options of the table that are numbers with bounds. */

import type { Limit } from "./option.ts";
import { OPTIONS } from "./options.ts";

type Options = typeof OPTIONS;

export type LimitName = {
  [Name in keyof Options]: Options[Name] extends Limit ? Name : never;
}[keyof Options];

/** Numbers in the unit that the name ends in: bytes, milliseconds, or a count. */
export type Limits = { readonly [Name in LimitName]: number };

/** The entry of each limit. */
export const LIMITS = Object.fromEntries(
  Object.entries(OPTIONS).filter(([, option]) => "bounds" in option),
) as { readonly [Name in LimitName]: Options[Name] };

export const DEFAULT_LIMITS = Object.freeze(
  Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit.default])),
) as Limits;
