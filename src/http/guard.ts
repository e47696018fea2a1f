/** Who may call at all: looks at `Host`, `Origin` and the bearer token before anything else of a request. */

import { timingSafeEqual } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Operation } from "../features/operation.ts";
import { authorityOf, Hosts } from "./hosts.ts";
import { Origins } from "./origins.ts";
import { Refusal } from "./refusal.ts";

const BEARER = /^Bearer +(\S+)$/i;
const CHALLENGE = { "www-authenticate": 'Bearer realm="computer-control"' };

export class Guard {
  readonly origins: Origins;
  readonly #hosts: Hosts;
  readonly #token: Uint8Array | undefined;

  constructor(config: Config) {
    this.#hosts = new Hosts({ bound: config.host, allowed: config.allowHosts });
    this.origins = new Origins(config.allowOrigins);
    this.#token = config.token === undefined ? undefined : bytesOf(config.token);
  }

  /**
   * Lets a request pass, or answers a preflight.
   * @throws Refusal `forbidden` or `unauthorized`.
   */
  check(request: Request, path: string): Response | undefined {
    const host = request.headers.get("host") ?? authorityOf(request);
    if (host === undefined || !this.#hosts.accepts(host)) throw foreignHost(host);
    const origin = request.headers.get("origin");
    if (origin !== null) this.origins.check(origin, host);
    this.origins.checkSite(request.headers.get("sec-fetch-site"), origin);
    if (origin !== null) {
      const preflight = this.origins.preflight(request, origin);
      if (preflight !== undefined) return preflight;
    }
    if (this.#token !== undefined && path !== "/healthz") this.#checkToken(request, this.#token);
    return undefined;
  }

  #checkToken(request: Request, token: Uint8Array): void {
    const header = request.headers.get("authorization");
    if (header === null) {
      throw new Refusal(
        "unauthorized",
        'Send the token as "Authorization: Bearer <token>"',
        CHALLENGE,
      );
    }
    const given = BEARER.exec(header)?.[1];
    if (given === undefined || !isEqual(bytesOf(given), token)) {
      throw new Refusal("unauthorized", "The token is not valid", CHALLENGE);
    }
  }
}

/**
 * Whether the operator left this operation on.
 * @throws Refusal `forbidden`, naming the flag.
 */
export function checkSwitches(operation: Operation, config: Config): void {
  if (operation.unnamed) return;
  if (config.disabled.has(operation.group)) {
    throw new Refusal("forbidden", `The group "${operation.group}" is switched off by --disable`);
  }
  if (config.readOnly && !operation.readOnly) {
    throw new Refusal(
      "forbidden",
      `"${operation.id}" changes something, which --read-only forbids`,
    );
  }
}

/**
 * In a time that tells the length of what was given, but nothing of the token.
 * @param compare a test may watch what is compared
 */
export function isEqual(
  given: Uint8Array,
  token: Uint8Array,
  compare: (one: Uint8Array, other: Uint8Array) => boolean = timingSafeEqual,
): boolean {
  const same = given.byteLength === token.byteLength;
  return compare(same ? given : token, token) && same;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function foreignHost(host: string | undefined): Refusal {
  if (host === undefined || host === "") {
    return new Refusal("forbidden", "The request has no Host header");
  }
  const shown = JSON.stringify(host.slice(0, 100));
  return new Refusal(
    "forbidden",
    `Host ${shown} is not this computer: name it with --allow-host if it is`,
  );
}
