/** Flags and environment become one frozen Config, through one zod schema. */

import type { Group } from "../core/groups.ts";
import type { Limits } from "../core/limits.ts";
import type { Size } from "../core/geometry.ts";
import { type Flags, FlagsSchema, type KeychainChoice } from "./flags.ts";
import { ConfigError } from "./config_error.ts";
import { readPlaces } from "./places.ts";
import { readToken, type TokenFile } from "./token.ts";

export { ConfigError };

export const VERSION = "0.1.0";

export interface Config {
  readonly version: string;
  /** Address to bind to. */
  readonly host: string;
  /** TCP port; 0 is any free one. */
  readonly port: number;
  /** The computer's name in the base address; without one any segment is accepted. */
  readonly name?: string;
  /** Display numbers bound by `--display n=<X display>`. */
  readonly displays: ReadonlyMap<number, string>;
  /** Size of the virtual display asked for by `--virtual-display`. */
  readonly virtualDisplay?: Size;
  /** What is started on display 1: command lines and addresses of `--open`. */
  readonly open: readonly { readonly text: string; readonly words: readonly string[] }[];
  readonly inputDriver: "auto" | "x11" | "xdotool";
  /** The shell that runs commands, from `--shell`. */
  readonly shell?: string;
  /** The bearer token, from `--token-file` or `COMPUTER_CONTROL_TOKEN`. */
  readonly token?: string;
  /** `--no-auth` was given in words. */
  readonly noAuth: boolean;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** Groups that `--disable` takes away. */
  readonly disabled: ReadonlySet<Group>;
  readonly readOnly: boolean;
  /** Whether missing system packages may be installed; `--no-setup` forbids. */
  readonly setup: boolean;
  /** The home of the service's user, which relative paths start from. */
  readonly home: string;
  /** The folder where the service keeps what must outlive it. */
  readonly stateDir: string;
  /** Where secrets are kept; `auto` is the system's keychain where it can be used, else the encrypted file. */
  readonly keychain: KeychainChoice;
  /** File with the key of the encrypted file; without one the service makes a key of its own. */
  readonly keychainKeyFile?: string;
  /** Whether stored values are replaced in the output of commands; `--no-redact` forbids. */
  readonly redact: boolean;
  /** Whether what keeps the main thread is logged. */
  readonly watchdog: boolean;
  readonly limits: Limits;
}

/**
 * Makes the Config of a run. It looks at nothing but its arguments.
 * @throws ConfigError with every fault in one line.
 */
export function readConfig(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => TokenFile,
  os = "linux",
): Config {
  const parsed = FlagsSchema.safeParse(flags);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => issue.message);
    throw new ConfigError([...new Set(faults)].join("; "));
  }
  const { name, virtualDisplay, shell, tokenFile, stateDir, keychainKeyFile, ...rest } =
    parsed.data;
  if (virtualDisplay !== undefined && rest.displays.has(1)) {
    throw new ConfigError(
      "--virtual-display and --display 1=... exclude each other: both say what display 1 is",
    );
  }
  const token = readToken(tokenFile, env, readFile);
  if (token !== undefined && rest.noAuth) {
    throw new ConfigError(
      "--no-auth contradicts the token that --token-file or COMPUTER_CONTROL_TOKEN gives: choose one",
    );
  }
  return Object.freeze({
    version: VERSION,
    ...rest,
    ...readPlaces(os, env, stateDir),
    ...(keychainKeyFile === undefined ? {} : { keychainKeyFile }),
    ...(name === undefined ? {} : { name }),
    ...(virtualDisplay === undefined ? {} : { virtualDisplay }),
    ...(shell === undefined ? {} : { shell }),
    ...(token === undefined ? {} : { token }),
  });
}
