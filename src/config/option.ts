/** Defines an option: one entry of the table that the command line, the help and docs use. */

import { readInteger } from "./flag_values.ts";

/** `Given` is the type of a given flag: a text, a list of texts, or `true` without a value. */
export interface Option<Flag extends string = string, Given = unknown, Value = unknown> {
  /** Without the dashes: `max-body`. */
  readonly flag: Flag;
  /** Half a sentence for `--help`. */
  readonly help: string;
  /** The value as `--help` shows it: `<bytes>`, or `[WxH]` for an optional one. */
  readonly placeholder?: string;
  /** Another name of the flag, which only the command line knows. */
  readonly alias?: string;
  readonly repeatable?: boolean;
  /** What separates the values in its variable, if not lines and commas. */
  readonly separator?: string;
  /** The value in `Config` when the flag is absent. */
  readonly default?: Value;
  /** The default in words, when the value is not enough. */
  readonly defaultText?: string;
  /** The words that the value can be, or be made of. */
  readonly values?: readonly string[];
  /** Whether the value is a path, relative to the current folder. */
  readonly isPath?: boolean;
  /** The environment variable that can replace the flag. */
  readonly variable?: { readonly name: string; readonly help: string };
  readonly bounds?: Bounds;
  /** @throws Error with what is wrong and what would be right, without the name of the flag. */
  read(given: Given): Value;
}

/** An option that is always in `Config`. */
type WithDefault<O, Value> = O & { readonly default: Value };

export interface Bounds {
  readonly unit: Unit;
  readonly min: number;
  readonly max: number;
}

export type Limit<Flag extends string = string> =
  & WithDefault<Option<Flag, string, number>, number>
  & { readonly bounds: Bounds };

/** A flag that belongs to a command of the program and not to the service. */
export interface CommandFlag {
  readonly flag: string;
  readonly help: string;
  /** As in {@link Option}. */
  readonly placeholder?: string;
  /** The commands that take it, if it is not for all. */
  readonly commands?: readonly string[];
  readonly short?: string;
}

/** Factor from the unit of a flag to the unit of its limit. */
const UNITS = { bytes: 1, characters: 1, ms: 1, seconds: 1_000, number: 1 } as const;

type Unit = keyof typeof UNITS;

type Words<T> = Pick<
  Option<string, never, T>,
  "help" | "defaultText" | "isPath" | "separator" | "values" | "variable"
>;

/** A flag with a value; the last one counts. */
export function option<
  const F extends string,
  R extends Words<unknown> & { readonly default?: unknown; read(text: string): unknown },
>(flag: F, placeholder: string, rest: R) {
  return { flag, placeholder, ...rest };
}

/** A flag whose value is optional; without one it means `bare`. */
export function optionalValue<const F extends string, T>(
  flag: F,
  placeholder: string,
  { bare, read, ...words }: Words<T> & { readonly bare: T; read(text: string): T },
): Option<F, string | true, T> {
  const readGiven = (given: string | true) => given === true ? bare : read(given);
  return { flag, placeholder, ...words, read: readGiven };
}

/** A flag that may be given several times; its default is that of an empty list. */
export function list<const F extends string, T>(
  flag: F,
  placeholder: string,
  rest: Words<T> & { read(texts: readonly string[]): T },
): WithDefault<Option<F, readonly string[], T>, T> {
  return { flag, placeholder, repeatable: true, default: rest.read([]), ...rest };
}

/** A flag without a value; `sets` is its value, and the default is the opposite. */
export function toggle<const F extends string>(
  flag: F,
  { sets, ...words }: Words<boolean> & { readonly sets: boolean },
): WithDefault<Option<F, true, boolean>, boolean> {
  return { flag, ...words, default: !sets, read: () => sets };
}

/** A flag with one of a few values, the first of which is the default. */
export function choice<const F extends string, const T extends string>(
  flag: F,
  placeholder: string,
  { values, help, ...rest }: Pick<Option, "alias" | "defaultText" | "help"> & {
    readonly values: readonly [T, ...T[]];
  },
): WithDefault<Option<F, string, T>, T> {
  const all = values.join(", ").replace(/, ([^,]*)$/, " or $1");
  const read = (text: string) => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new Error(`"${text}": must be ${all}`);
    return value;
  };
  const words = { ...rest, help: `${help}: ${all}` };
  return { flag, placeholder, values, default: values[0], ...words, read };
}

/** A limit of the service. Its flag counts in `unit`; times become milliseconds in `Config`. */
export function limit<const F extends string>(
  flag: F,
  unit: Unit,
  { default: normal, bounds: [min, max], help }: {
    readonly default: number;
    readonly bounds: readonly [min: number, max: number];
    readonly help: string;
  },
): Limit<F> {
  const bounds = { unit, min, max };
  return {
    flag,
    placeholder: `<${unit}>`,
    help,
    bounds,
    default: normal * UNITS[unit],
    defaultText: String(normal),
    read: (text) => readInteger(text, bounds) * UNITS[unit],
  };
}

/** Options under one heading of the help and the documents. */
export interface OptionGroup {
  readonly heading: string;
  readonly options: readonly (Option<string, never> | CommandFlag)[];
}

/** The error of a flag or a variable that cannot be accepted: one line for the terminal, exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
