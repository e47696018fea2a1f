/** The flags as they are written, and the one schema that checks them. */

import { z } from "zod";
import { type Group, GROUPS } from "../core/groups.ts";
import { LIMIT_FLAGS, type LimitFlag } from "./limit_flags.ts";
import { DEFAULT_LIMITS, type Limits } from "../core/limits.ts";
import type { Size } from "../core/geometry.ts";
import {
  readDisplays,
  readFilePath,
  readFolder,
  readGroups,
  readHost,
  readHostAndPort,
  readName,
  readOpening,
  readOrigin,
  readShell,
  readSize,
  readWholeNumber,
} from "./flag_values.ts";

/** What the command line gives: texts, lists of texts for repeatable flags, booleans for switches. */
export type Flags = z.input<typeof FlagsSchema>;

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 4242;
export const DEFAULT_VIRTUAL_SIZE = Object.freeze({ width: 1280, height: 800 });
export const INPUT_DRIVERS = ["auto", "x11", "xdotool"] as const;

export const KEYCHAINS = ["auto", "secret-service", "macos", "windows", "file"] as const;
export type KeychainChoice = typeof KEYCHAINS[number];

const LIMIT_NAMES = Object.keys(LIMIT_FLAGS) as (keyof Limits)[];

export const FlagsSchema = z.object({
  host: z.string().optional(),
  port: z.string().optional(),
  name: z.string().optional(),
  display: z.array(z.string()).default([]),
  "virtual-display": z.union([z.string(), z.literal(true)]).optional(),
  open: z.array(z.string()).default([]),
  "input-driver": z.string().default("auto"),
  shell: z.string().optional(),
  "token-file": z.string().optional(),
  "allow-host": z.array(z.string()).default([]),
  "allow-origin": z.array(z.string()).default([]),
  "no-auth": z.boolean().default(false),
  disable: z.array(z.string()).default([]),
  "read-only": z.boolean().default(false),
  "no-setup": z.boolean().default(false),
  "state-dir": z.string().optional(),
  keychain: z.string().default("auto"),
  "keychain-key-file": z.string().optional(),
  "no-redact": z.boolean().default(false),
  watchdog: z.boolean().default(false),
  limits: z.partialRecord(z.enum(LIMIT_NAMES), z.string()).default({}),
}).transform((flags, context) => {
  /** Reads one flag; a fault is noted with the flag's name, and the other flags are read on. */
  function read<T, F>(
    flag: string,
    value: T | undefined,
    parse: (value: T) => F,
    absent: NoInfer<F>,
  ): F {
    if (value === undefined) return absent;
    try {
      return parse(value);
    } catch (error) {
      const message = `--${flag} ${(error as Error).message}`;
      context.addIssue({ code: "custom", message, input: value });
      return absent;
    }
  }

  const limits: Record<keyof Limits, number> = { ...DEFAULT_LIMITS };
  for (const name of LIMIT_NAMES) {
    const limit: LimitFlag = LIMIT_FLAGS[name];
    const toUnit = (text: string) => readWholeNumber(text, limit) * limit.scale;
    limits[name] = read(limit.flag, flags.limits[name], toUnit, limits[name]);
  }

  const port = { min: 0, max: 65_535 };
  return {
    host: read("host", flags.host, readHost, DEFAULT_HOST),
    port: read("port", flags.port, (text) => readWholeNumber(text, port), DEFAULT_PORT),
    name: read<string, string | undefined>("name", flags.name, readName, undefined),
    displays: read("display", flags.display, readDisplays, new Map()),
    virtualDisplay: read("virtual-display", flags["virtual-display"], sizeOf, undefined),
    open: read("open", flags.open, (all) => all.map(readOpening), []),
    inputDriver: read("input-driver", flags["input-driver"], readDriver, "auto"),
    shell: read<string, string | undefined>("shell", flags.shell, readShell, undefined),
    tokenFile: flags["token-file"],
    noAuth: flags["no-auth"],
    allowHosts: read("allow-host", flags["allow-host"], (all) => all.map(readHostAndPort), []),
    allowOrigins: read("allow-origin", flags["allow-origin"], (all) => all.map(readOrigin), []),
    disabled: read("disable", flags.disable, readDisabled, new Set<Group>()),
    readOnly: flags["read-only"],
    setup: !flags["no-setup"],
    stateDir: read<string, string | undefined>(
      "state-dir",
      flags["state-dir"],
      readFolder,
      undefined,
    ),
    keychain: read<string, KeychainChoice>("keychain", flags.keychain, readKeychain, "auto"),
    keychainKeyFile: read<string, string | undefined>(
      "keychain-key-file",
      flags["keychain-key-file"],
      readFilePath,
      undefined,
    ),
    redact: !flags["no-redact"],
    watchdog: flags.watchdog,
    limits: Object.freeze(limits) as Limits,
  };
});

function sizeOf(text: string | true): Size | undefined {
  return text === true ? DEFAULT_VIRTUAL_SIZE : readSize(text);
}

function readDriver(text: string): typeof INPUT_DRIVERS[number] {
  const driver = INPUT_DRIVERS.find((each) => each === text);
  if (driver === undefined) throw new Error(`"${text}": must be auto, x11 or xdotool`);
  return driver;
}

function readKeychain(text: string): KeychainChoice {
  const choice = KEYCHAINS.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new Error(`"${text}": must be auto, secret-service, macos, windows or file`);
}

function readDisabled(values: readonly string[]): ReadonlySet<Group> {
  return readGroups(values, GROUPS);
}
