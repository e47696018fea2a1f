/** Turns flags and environment into one frozen Config, by the table of options. */

import { DEFAULT_LIMITS, type LimitName, type Limits } from "./limits.ts";
import {
  checkVariables,
  findUserFolders,
  flagFromEnvironment,
  type UserFolders,
  variableOf,
} from "./environment.ts";
import { ConfigError, type Option } from "./option.ts";
import { OPTIONS } from "./options.ts";
import { readToken, type TokenFile } from "./token.ts";

export { ConfigError };

export const VERSION = "0.1.0";

/** The given flags of the service: texts, lists of texts, `true` for a flag without a value. */
export type Flags = GivenTo<typeof OPTIONS>;

type Values = ValuesOf<typeof OPTIONS>;

/** The values of all options; the limits are grouped, and the token was read from its file. */
export type Config = Omit<Values, LimitName | "stateDir"> & UserFolders & {
  readonly version: string;
  /** The bearer token, from `--token-file` or `COMPUTER_CONTROL_TOKEN`. */
  readonly token?: string;
  readonly limits: Limits;
};

/**
 * Makes the Config of a run, from its arguments and, for flags that are not among them, from the
 * environment.
 * @throws ConfigError with every error in one line
 */
export function readConfig(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => TokenFile,
  os = "linux",
): Config {
  checkVariables(OPTIONS, env);
  const { stateDir, ...values } = readValues(OPTIONS, flags, env);
  if (values.virtualDisplay !== undefined && values.displays.has(1)) {
    throw new ConfigError(
      "--virtual-display and --display 1=... exclude each other: both choose display 1",
    );
  }
  if (values.openBrowser !== undefined && values.browserAddress !== undefined) {
    throw new ConfigError(
      "--open-browser and --browser-address exclude each other: both choose the browser",
    );
  }
  const { port, compat } = values;
  for (const [name, own] of compat) {
    if (own === 0 || own !== port) continue;
    throw new ConfigError(
      `--compat ${name}:${own} and --port ${port} exclude each other: both choose the same port`,
    );
  }
  if (values.openConsole && values.approve.size > 0) {
    throw new ConfigError(
      "--open-console and --approve exclude each other: programs could press the buttons of the page",
    );
  }
  const token = readToken(values.tokenFile, env, readFile);
  if (token !== undefined && values.noAuth) {
    throw new ConfigError(
      "--no-auth contradicts the token of --token-file or COMPUTER_CONTROL_TOKEN: choose one",
    );
  }
  return Object.freeze({
    version: VERSION,
    ...withLimitsGrouped(values),
    ...findUserFolders(os, env, stateDir),
    ...(token === undefined ? {} : { token }),
  });
}

function withLimitsGrouped<V extends Pick<Limits, LimitName>>(
  values: V,
): Omit<V, LimitName> & { readonly limits: Limits } {
  const entries = Object.entries(values);
  const others = Object.fromEntries(entries.filter(([name]) => !(name in DEFAULT_LIMITS)));
  const limits = Object.fromEntries(entries.filter(([name]) => name in DEFAULT_LIMITS));
  return {
    ...others as Omit<V, LimitName>,
    limits: Object.freeze({ ...DEFAULT_LIMITS, ...limits }),
  };
}

type Table = Readonly<Record<string, Option<string, never>>>;

/** The accepted input, by flag. */
type GivenTo<T extends Table> = {
  readonly [Name in keyof T as T[Name]["flag"]]?: Parameters<T[Name]["read"]>[0];
};

/** The resulting values, by the names of the table; one without a default may be missing. */
export type ValuesOf<T extends Table> =
  & { readonly [Name in NamesWithDefault<T>]: ReturnType<T[Name]["read"]> }
  & { readonly [Name in Exclude<keyof T, NamesWithDefault<T>>]?: ReturnType<T[Name]["read"]> };

type NamesWithDefault<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly default: unknown } ? Name : never;
}[keyof T];

/**
 * @param env has the values of flags that are not given
 * @throws ConfigError with every error in one line.
 */
export function readValues<T extends Table>(
  options: T,
  flags: GivenTo<T>,
  env: Readonly<Record<string, string | undefined>> = {},
): ValuesOf<T> {
  const given = flags as Readonly<Record<string, never>>;
  const values: Record<string, unknown> = {};
  const errors = new Set<string>();
  for (const [name, option] of Object.entries(options)) {
    const isGiven = option.flag in given;
    try {
      const found = isGiven ? given[option.flag] : flagFromEnvironment(option, env);
      const value = found === undefined ? option.default : option.read(found as never);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      const { message } = error as Error;
      const where = isGiven ? `--${option.flag}` : variableOf(option.flag);
      errors.add(error instanceof ConfigError ? message : `${where} ${message}`);
    }
  }
  if (errors.size > 0) throw new ConfigError([...errors].join("; "));
  return values as ValuesOf<T>;
}
