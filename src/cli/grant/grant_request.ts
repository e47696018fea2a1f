/** Reads the command line of `computer-control grant`. */

import { ConfigError } from "../../config/config_error.ts";
import type { GivenFlags } from "../arguments.ts";
import { suggest } from "../suggest.ts";
import { type GrantName, GRANTS } from "./grant_names.ts";

/** Asks a desktop to let the service see and control it, or takes that back. */
export interface GrantRequest {
  readonly kind: "grant";
  readonly grant: GrantName;
  readonly remove: boolean;
  /** Shows what would be written, and changes nothing. */
  readonly print: boolean;
  /** The program to grant it to, instead of this one. */
  readonly executable?: string;
}

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
  const { remove, print, executable } = flags;
  return {
    kind: "grant",
    grant: name as GrantName,
    remove: remove === true,
    print: print === true,
    ...typeof executable === "string" ? { executable } : {},
  };
}
