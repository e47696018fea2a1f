/**
 * Reads the address of a request as it was sent: without decoding, and without constructing a URL,
 * which costs more than the rest of a short request. Its first segment may name the computer.
 */

import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/option.ts";
import { RESERVED_NAMES } from "../config/flag_values.ts";
import { tryTo } from "../core/errors.ts";
import { isLoopback, Refusal } from "./origins.ts";

const SHOWN_NAME_LENGTH = 64;

/** The path without the computer's name, by which routes are found. */
export function pathBelowName(path: string): string {
  if (path.startsWith("/api/")) return path;
  return splitName(path)?.rest ?? path;
}

/**
 * The path prefix of this computer in a path that begins with a name.
 * @param own absent if the computer accepts any name
 * @throws Refusal `not_found` for the name of another computer
 */
export function readBase(path: string, own: string | undefined): string {
  const { name } = splitName(path)!;
  if (own !== undefined && name !== own) {
    const other = JSON.stringify(name.slice(0, SHOWN_NAME_LENGTH));
    throw new Refusal("not_found", `This computer is "${own}", not ${other}`);
  }
  return `/${encodeURIComponent(name)}`;
}

/** The host and port of the address. */
export function readAuthority(url: string): string {
  const start = url.indexOf("//") + 2;
  const end = url.indexOf("/", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The path, from the first slash on. */
export function readPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const mark = url.indexOf("?", start);
  return mark === -1 ? url.slice(start) : url.slice(start, mark);
}

/** The text after the question mark; empty if there is none. */
export function readQuery(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** `undefined` when the first segment cannot be a name. */
function splitName(path: string): { readonly name: string; readonly rest: string } | undefined {
  const end = path.indexOf("/", 1);
  const name = tryDecode(end === -1 ? path.slice(1) : path.slice(1, end));
  if (name === undefined || name === "" || RESERVED_NAMES.has(name)) return undefined;
  return { name, rest: end === -1 ? "/" : path.slice(end) };
}

/** `undefined` for a text with a "%" that begins no valid escape. */
export function tryDecode(text: string): string | undefined {
  return tryTo(() => decodeURIComponent(text));
}

/**
 * Checks, before the service listens, that its address and its protection are compatible.
 * @throws ConfigError that says what to change.
 */
export function checkBinding(
  config: Pick<Config, "host" | "token" | "noAuth"> & {
    /** Whether the state folder has tokens. */
    readonly hasTokens?: boolean;
  },
): void {
  if (isLoopback(config.host) || config.token !== undefined || config.noAuth) return;
  if (config.hasTokens) return;
  throw new ConfigError(
    `Refusing to listen on "${config.host}" without a token, because anyone who can reach it could control this computer: give --token-file, add one with "computer-control token add", or give --no-auth if that is intended`,
  );
}
