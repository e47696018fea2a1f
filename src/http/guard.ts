/**
 * Decides which requests are accepted: checks `Host`, `Origin` and the bearer token, or the session
 * of a browser, before anything else.
 */

import { timingSafeEqual } from "node:crypto";
import type { Config } from "../config/config.ts";
import { readAuthority, readPath } from "./address.ts";
import {
  BrowserSessions,
  isSignedIn,
  openSession,
  SESSION_PATH,
  signInResponse,
} from "./browser_session.ts";
import type { Middleware } from "./env.ts";
import { Hosts } from "./hosts.ts";
import type { Origins } from "./origins.ts";
import { Refusal } from "./refusal.ts";

const BEARER = /^Bearer +(\S+)$/i;
const CHALLENGE = { "www-authenticate": 'Bearer realm="computer-control"' };

/** Passes a request on, answers a preflight, or throws a Refusal: `forbidden` or `unauthorized`. */
export function guard(config: Config, origins: Origins): Middleware {
  const hosts = new Hosts({ bound: config.host, allowed: config.allowHosts });
  const token = config.token === undefined ? undefined : encodeText(config.token);
  const sessions = new BrowserSessions();
  /** The last accepted host as it was sent: the next request nearly always has the same. */
  let accepted: string | undefined;
  return (c, next) => {
    const { headers } = c.req.raw;
    const host = headers.get("host");
    if (host === null) throw foreignHost(host);
    if (host !== accepted && !hosts.accepts(host)) throw foreignHost(host);
    const target = readAuthority(c.req.url); // as a proxy is asked, or else the same
    if (target !== host && !hosts.accepts(target)) throw foreignHost(target);
    accepted = host;
    const origin = headers.get("origin");
    if (origin !== null) origins.check(origin, host);
    const site = headers.get("sec-fetch-site");
    if (site !== null) origins.checkSite(site, origin, c.req.raw.method);
    if (origin !== null) {
      const preflight = origins.preflight(c.req.raw, origin);
      if (preflight !== undefined) return Promise.resolve(preflight);
    }
    if (token === undefined || readPath(c.req.url) === "/healthz") return next();
    const authorization = headers.get("authorization");
    if (authorization === null) {
      if (isSignedIn(sessions, c.req.raw, host)) return next();
      if (c.req.path === SESSION_PATH && c.req.method === "POST") {
        return openSession(c, { sessions, isToken: (text) => isEqual(encodeText(text), token) });
      }
      const page = signInResponse(c);
      if (page !== undefined) return Promise.resolve(page);
    }
    checkToken(authorization, token);
    return next();
  };
}

/**
 * Compares in a time that may reveal the length of the given text, but nothing about the token.
 * @param compare lets a test observe what is compared
 */
export function isEqual(
  given: Uint8Array,
  token: Uint8Array,
  compare: (one: Uint8Array, other: Uint8Array) => boolean = timingSafeEqual,
): boolean {
  const same = given.byteLength === token.byteLength;
  return compare(same ? given : token, token) && same;
}

function checkToken(header: string | null, token: Uint8Array): void {
  if (header === null) {
    const message = 'Send the token as "Authorization: Bearer <token>"';
    throw new Refusal("unauthorized", message, CHALLENGE);
  }
  const given = BEARER.exec(header)?.[1];
  if (given === undefined || !isEqual(encodeText(given), token)) {
    throw new Refusal("unauthorized", "The token is not valid", CHALLENGE);
  }
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function foreignHost(host: string | null): Refusal {
  if (host === null || host === "") {
    return new Refusal("forbidden", "The request has no Host header");
  }
  const shown = JSON.stringify(host.slice(0, 100));
  return new Refusal(
    "forbidden",
    `Host ${shown} is not this computer: name it with --allow-host if it is`,
  );
}
