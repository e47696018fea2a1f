/** Reads the command line of `computer-control token`. */

import { readValues } from "../../config/config.ts";
import { readDeskName, readNames } from "../../config/flag_values.ts";
import { ConfigError } from "../../config/option.ts";
import { OPTIONS } from "../../config/options.ts";
import { TOKEN_SCOPES, type TokenScope } from "../../core/groups.ts";
import { type GivenFlags, suggest } from "../arguments.ts";

/** Adds, lists and revokes the tokens of a state folder, whether or not a service runs with it. */
export type TokenRequest =
  & { readonly kind: "token"; readonly stateDir?: string | undefined }
  & (AddRequest | { readonly action: "list"; readonly json: boolean } | RevokeRequest);

export interface AddRequest {
  readonly action: "add";
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The one desk that it is for. */
  readonly desk?: string | undefined;
  /** How long it is valid, in milliseconds; absent for ever. */
  readonly validMs?: number | undefined;
}

interface RevokeRequest {
  readonly action: "revoke";
  readonly name: string;
}

export const TOKEN_ACTIONS = {
  add: "make a token with this name, and print it once",
  list: "list the tokens of the state folder, without their values",
  revoke: "end a token at once",
} as const;

type Action = keyof typeof TOKEN_ACTIONS;

/** The flags that one of the actions takes. */
const OWN_FLAGS: Readonly<Record<string, Action>> = {
  scopes: "add",
  desk: "add",
  expires: "add",
  json: "list",
};

/**
 * @param words what follows `token`
 * @throws ConfigError
 */
export function readToken(words: readonly string[], flags: GivenFlags): TokenRequest {
  const [action, name, ...more] = words;
  if (action === undefined || !Object.hasOwn(TOKEN_ACTIONS, action)) {
    const known = Object.keys(TOKEN_ACTIONS);
    const advice = action === undefined ? "" : suggest(action, known);
    throw new ConfigError(`token needs what to do: ${advice}token ${known.join(" | token ")}`);
  }
  for (const [flag, owner] of Object.entries(OWN_FLAGS)) {
    if (flag in flags && action !== owner) {
      throw new ConfigError(`token ${action} takes no --${flag}`);
    }
  }
  const tooMany = action === "list" ? words.slice(1) : more;
  if (tooMany.length > 0) {
    throw new ConfigError(
      `Too many words (${tooMany.join(", ")}): quote a name that has spaces, and then flags`,
    );
  }
  const common = { kind: "token", ...readValues({ stateDir: OPTIONS.stateDir }, flags) } as const;
  if (action === "list") return { ...common, action, json: flags["json"] === true };
  if (name === undefined) throw new ConfigError(`token ${action} needs a name`);
  if (action === "revoke") return { ...common, action, name };
  return { ...common, action: "add", name, ...readValues(ADD_OPTIONS, flags as AddFlags) };
}

type AddFlags = Readonly<{ scopes?: string; desk?: string; expires?: string }>;

const ADD_OPTIONS = {
  scopes: {
    flag: "scopes",
    help: "",
    default: ["all"] as readonly TokenScope[],
    read: (text: string) => [...readNames([text], { known: TOKEN_SCOPES, what: "scope" })],
  },
  desk: { flag: "desk", help: "", read: readDeskName },
  validMs: { flag: "expires", help: "", read: readDuration },
} as const;

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const MAX_MS = 3_650 * 86_400_000;

/** `90m`, `12h`, `30d` or `4w`, in milliseconds. */
function readDuration(text: string): number {
  const [, count = "0", unit = ""] = /^(\d{1,7})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw new Error(`"${text}": must be a time from 1m to 3650d, such as 90m, 12h, 30d or 4w`);
}
