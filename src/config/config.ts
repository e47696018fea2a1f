/** Turns flags and environment into one frozen Config, by the table of options. */

import { ConfigError } from "./config_error.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { OPTIONS } from "./options.ts";
import { type Places, readPlaces } from "./places.ts";
import { type GivenTo, readValues, type ValuesOf } from "./read_values.ts";
import { readToken, type TokenFile } from "./token.ts";

export { ConfigError };

export const VERSION = "0.1.0";

/** The given flags of the service: texts, lists of texts, `true` for a flag without a value. */
export type Flags = GivenTo<typeof OPTIONS>;

type Values = ValuesOf<typeof OPTIONS>;

/** The values of all options; the limits are grouped, and the token replaces its file. */
export type Config = Omit<Values, keyof Limits | "tokenFile" | "stateDir"> & Places & {
  readonly version: string;
  /** The bearer token, from `--token-file` or `COMPUTER_CONTROL_TOKEN`. */
  readonly token?: string;
  readonly limits: Limits;
};

/**
 * Makes the Config of a run, from its arguments only.
 * @throws ConfigError with every fault in one line
 */
export function readConfig(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => TokenFile,
  os = "linux",
): Config {
  const { tokenFile, stateDir, ...values } = readValues(OPTIONS, flags);
  if (values.virtualDisplay !== undefined && values.displays.has(1)) {
    throw new ConfigError(
      "--virtual-display and --display 1=... exclude each other: both say what display 1 is",
    );
  }
  if (values.openBrowser !== undefined && values.browserAddress !== undefined) {
    throw new ConfigError(
      "--open-browser and --browser-address exclude each other: both say which browser is used",
    );
  }
  const token = readToken(tokenFile, env, readFile);
  if (token !== undefined && values.noAuth) {
    throw new ConfigError(
      "--no-auth contradicts the token that --token-file or COMPUTER_CONTROL_TOKEN gives: choose one",
    );
  }
  return Object.freeze({
    version: VERSION,
    ...withLimitsApart(values),
    ...readPlaces(os, env, stateDir),
    ...(token === undefined ? {} : { token }),
  });
}

function withLimitsApart<V extends Limits>(
  values: V,
): Omit<V, keyof Limits> & { readonly limits: Limits } {
  const entries = Object.entries(values);
  const others = Object.fromEntries(entries.filter(([name]) => !(name in DEFAULT_LIMITS)));
  const limits = Object.fromEntries(entries.filter(([name]) => name in DEFAULT_LIMITS));
  return { ...others as Omit<V, keyof Limits>, limits: Object.freeze(limits) as Limits };
}
