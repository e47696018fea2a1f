/** Reads the command line of `computer-control grant`. */

import { readValues } from "../../config/config.ts";
import { ConfigError } from "../../config/option.ts";
import { OPTIONS } from "../../config/options.ts";
import type { Host, Started } from "../../platform/host.ts";
import { type GivenFlags, suggest } from "../arguments.ts";
import { CommandError } from "../command.ts";
import type { Launch } from "../launch.ts";

/** Asks a desktop to let the service see and control it, or takes that back. */
export interface GrantRequest {
  readonly kind: "grant";
  readonly grant: GrantName;
  readonly remove: boolean;
  /** Shows what would be written, and changes nothing. */
  readonly print: boolean;
  /** The program to grant it to, instead of this one. */
  readonly executable?: string;
  /** The state folder of the service, instead of the usual one. */
  readonly stateDir?: string | undefined;
}

/** The flags that one of the grants takes. */
const OWN_FLAGS: Readonly<Record<string, GrantName>> = {
  "executable": "kde",
  [OPTIONS.stateDir.flag]: "portal",
};

/** @param words what follows `grant` */
export function readGrant(words: readonly string[], flags: GivenFlags): GrantRequest {
  const [name, ...more] = words;
  const names = Object.keys(GRANTS);
  if (name === undefined) {
    throw new ConfigError(`grant needs the name of a desktop: grant ${names.join(" | grant ")}`);
  }
  if (!Object.hasOwn(GRANTS, name)) {
    const advice = suggest(name, names) || `the names are ${names.join(", ")}`;
    throw new ConfigError(`There is no grant for "${name}": ${advice.trimEnd()}`);
  }
  if (more.length > 0) {
    throw new ConfigError(`Too many words (${more.join(", ")}): grant ${name}, then flags`);
  }
  for (const [flag, owner] of Object.entries(OWN_FLAGS)) {
    if (flag in flags && name !== owner) throw new ConfigError(`grant ${name} takes no --${flag}`);
  }
  const { remove, print, executable } = flags;
  return {
    kind: "grant",
    grant: name as GrantName,
    remove: remove === true,
    print: print === true,
    ...typeof executable === "string" ? { executable } : {},
    ...readValues({ stateDir: OPTIONS.stateDir }, flags),
  };
}

// What `computer-control grant` can ask a desktop for.

export const GRANTS = {
  kde: "KDE Plasma: write the file that permits the use of KWin's screenshots and input",
  portal: "desktops with portals: request the permission once, and store it",
} as const;

export type GrantName = keyof typeof GRANTS;

// What a grant is carried out with.

/** @throws CommandError on a system without it */
export function requireWayland({ os }: Host): void {
  if (os === "linux") return;
  throw new CommandError(`grant is for Wayland desktops on Linux, and this is "${os}"`);
}

export interface GrantOptions {
  readonly host: Host;
  readonly launch: Launch;
  readonly started: Started;
  /** The folder for relative paths. */
  readonly cwd: string;
}
