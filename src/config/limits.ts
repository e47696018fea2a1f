/** The limits of the service: the options of the table that are numbers with bounds. */

import type { Limit } from "./option.ts";
import { OPTIONS } from "./options.ts";

type Options = typeof OPTIONS;

export type LimitName = {
  [Name in keyof Options]: Options[Name] extends Limit ? Name : never;
}[keyof Options];

/** Values in the unit that ends the name: bytes, milliseconds, or a count. */
export type Limits = { readonly [Name in LimitName]: number };

/** The option of each limit. */
export const LIMITS = Object.fromEntries(
  Object.entries(OPTIONS).filter(([, option]) => "bounds" in option),
) as { readonly [Name in LimitName]: Options[Name] };

export const DEFAULT_LIMITS = Object.freeze(
  Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit.default])),
) as Limits;
