/** What an option is: one entry of the table, from which all that knows of it is made. */

import { readWholeNumber } from "./flag_values.ts";

/** `Given` is what the command line gives: a text, a list of texts, or `true` for a flag without a value. */
export interface Option<Flag extends string = string, Given = unknown, Value = unknown> {
  /** Without the dashes: `max-body`. */
  readonly flag: Flag;
  /** Half a sentence. */
  readonly help: string;
  /** The value as the help shows it: `<bytes>`, or `[WxH]` where it may be left out. */
  readonly placeholder?: string;
  /** Whether the flag may stand several times. */
  readonly repeatable?: boolean;
  /** What `Config` has without the flag. */
  readonly default?: Value;
  /** The default in words, where the value does not say it. */
  readonly defaultText?: string;
  /** Whether a relative value starts from the current folder. */
  readonly isPath?: boolean;
  /** The variable that stands for the flag. */
  readonly variable?: { readonly name: string; readonly help: string };
  /** Of a limit, in the unit of the flag. */
  readonly bounds?: Bounds;
  /** @throws Error with what is wrong and what would be right, without the name of the flag. */
  read(given: Given): Value;
}

/** An option that is always in `Config`. */
export type WithDefault<O, Value> = O & { readonly default: Value };

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
  /** The only command that takes it. */
  readonly command?: string;
  /** One letter that stands for it. */
  readonly short?: string;
}

/** How many of a limit's own units one unit of its flag is. */
const UNITS = { bytes: 1, characters: 1, ms: 1, seconds: 1_000, number: 1 } as const;

export type Unit = keyof typeof UNITS;

type Words<T> = Pick<
  Option<string, never, T>,
  "help" | "defaultText" | "isPath" | "variable"
>;

/** A flag with a value; the last one counts. */
export function option<const F extends string, T>(
  flag: F,
  placeholder: string,
  rest: Words<T> & { readonly default: NoInfer<T>; read(text: string): T },
): WithDefault<Option<F, string, T>, T>;
export function option<const F extends string, T>(
  flag: F,
  placeholder: string,
  rest: Words<T> & { read(text: string): T },
): Option<F, string, T>;
export function option<const F extends string, T>(
  flag: F,
  placeholder: string,
  rest: Words<T> & { readonly default?: T; read(text: string): T },
): Option<F, string, T> {
  return { flag, placeholder, ...rest };
}

/** A flag whose value may be left out, which means `bare`. */
export function optionalValue<const F extends string, T>(
  flag: F,
  placeholder: string,
  { bare, read, ...words }: Words<T> & { readonly bare: T; read(text: string): T },
): Option<F, string | true, T> {
  const readGiven = (given: string | true) => given === true ? bare : read(given);
  return { flag, placeholder, ...words, read: readGiven };
}

/** A flag that may stand several times; without it, it is as if an empty list were given. */
export function list<const F extends string, T>(
  flag: F,
  placeholder: string,
  rest: Words<T> & { read(texts: readonly string[]): T },
): WithDefault<Option<F, readonly string[], T>, T> {
  return { flag, placeholder, repeatable: true, default: rest.read([]), ...rest };
}

/** A flag without a value, which sets what is the opposite without it. */
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
  { values, defaultText }: {
    readonly values: readonly [T, ...T[]];
    readonly defaultText: string;
  },
): WithDefault<Option<F, string, T>, T> {
  const all = values.join(", ").replace(/, ([^,]*)$/, " or $1");
  const read = (text: string) => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new Error(`"${text}": must be ${all}`);
    return value;
  };
  return { flag, placeholder, help: all, default: values[0], defaultText, read };
}

/** A bound of the service. Numbers count the flag's units; what they become in `Config` are milliseconds, where it is a time. */
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
    ...{ flag, placeholder: `<${unit}>`, help, bounds },
    default: normal * UNITS[unit],
    defaultText: String(normal),
    read: (text) => readWholeNumber(text, bounds) * UNITS[unit],
  };
}

/** Options under one heading of the help and the documents. */
export interface OptionGroup {
  readonly heading: string;
  readonly options: readonly (Option<string, never> | CommandFlag)[];
}
