/** Reads the given flags by the table of options. */

import { ConfigError } from "./config_error.ts";
import type { Option } from "./option.ts";

type Table = Readonly<Record<string, Option<string, never>>>;

/** The accepted input, by flag. */
export type GivenTo<T extends Table> = {
  readonly [Name in keyof T as T[Name]["flag"]]?: Parameters<T[Name]["read"]>[0];
};

/** The resulting values, by the names of the table; one without a default may be missing. */
export type ValuesOf<T extends Table> =
  & { readonly [Name in NamesWithDefault<T>]: ReturnType<T[Name]["read"]> }
  & { readonly [Name in Exclude<keyof T, NamesWithDefault<T>>]?: ReturnType<T[Name]["read"]> };

type NamesWithDefault<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly default: unknown } ? Name : never;
}[keyof T];

/** @throws ConfigError with every fault in one line. */
export function readValues<T extends Table>(options: T, flags: GivenTo<T>): ValuesOf<T> {
  const given = flags as Readonly<Record<string, never>>;
  const values: Record<string, unknown> = {};
  const faults = new Set<string>();
  for (const [name, option] of Object.entries(options)) {
    try {
      const value = option.flag in given ? option.read(given[option.flag]!) : option.default;
      if (value !== undefined) values[name] = value;
    } catch (error) {
      faults.add(`--${option.flag} ${(error as Error).message}`);
    }
  }
  if (faults.size > 0) throw new ConfigError([...faults].join("; "));
  return values as ValuesOf<T>;
}
