/**
 * Decides about requests from web pages: accepts our own pages and those named by `--allow-origin`.
 */

import { type ErrorCode, ServiceError } from "../core/errors.ts";
import type { Capability, Peers } from "../platform/types/mod.ts";
import type { Caller } from "./connections/connections.ts";
import type { Incoming } from "./context.ts";

const ALLOWED_METHODS = "GET, HEAD, POST, PUT, DELETE";
const ALLOWED_HEADERS = [
  ...["authorization", "content-type", "if-none-match", "x-computer-control-token"],
  ...["x-request-id", "mcp-method", "mcp-name", "mcp-protocol-version", "x-control-lease"],
].join(", ");
const EXPOSED_HEADERS = [
  ...["content-disposition", "etag", "retry-after", "x-request-id"],
  ...["x-changes", "x-control-notice", "x-display", "x-frame", "x-ignored-fields"],
  ...["x-redaction-gap", "x-region", "x-scale"],
].join(", ");
/**
 * Values of `Sec-Fetch-Site` for our own pages, and for addresses that were typed or bookmarked.
 */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);
/** Methods that change nothing. */
export const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const PREFLIGHT_SECONDS = "600";

/** Lets permitted pages read an answer. */
export function openToOrigins(origins: Origins, request: Request, { headers }: Response): void {
  headers.append("vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !origins.allows(origin)) return;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
}

export class Origins {
  readonly #allowed: ReadonlySet<string>;

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(comparableOrigin));
  }

  /** Whether any foreign page is permitted, so that answers depend on `Origin`. */
  get any(): boolean {
    return this.#allowed.size > 0;
  }

  /** @throws Refusal `forbidden` when a foreign page sent the request. */
  check(origin: string, host: string): void {
    if (isOwn(origin, host) || this.allows(origin)) return;
    const quoted = JSON.stringify(origin.slice(0, 100));
    const advice = "name it with --allow-origin to let its pages in";
    throw new Refusal("forbidden", `Origin ${quoted} is foreign: ${advice}`);
  }

  /**
   * Browsers send no `Origin` when a page loads a picture, a script or a link, but always
   * `Sec-Fetch-Site`.
   * @throws Refusal `forbidden` when a foreign page sent the request.
   */
  checkSite(site: string, origin: string | null, method: string): void {
    // an address that was opened only reads
    if (OWN_SITES.has(site) && (site !== "none" || READS.has(method))) return;
    if (origin !== null && this.allows(origin)) return;
    throw new Refusal(
      "forbidden",
      "A page of another site sent this request: open the address itself, or allow its pages by " +
        "--allow-origin",
    );
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin) || this.#allowed.has(comparableOrigin(origin));
  }

  /** The answer to a preflight from a permitted page; otherwise `undefined`. */
  preflight(request: Request, origin: string): Response | undefined {
    if (request.method !== "OPTIONS" || !this.allows(origin)) return undefined;
    if (!request.headers.has("access-control-request-method")) return undefined;
    const headers = new Headers({
      "access-control-allow-methods": ALLOWED_METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": PREFLIGHT_SECONDS,
      "vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    if (request.headers.get("access-control-request-private-network") === "true") {
      headers.set("access-control-allow-private-network", "true");
    }
    return new Response(null, { status: 204, headers });
  }
}

/** Whether the page was loaded from the same host and port that this request was sent to. */
function isOwn(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//i.exec(origin)?.[0];
  if (scheme === undefined) return false;
  return comparableOrigin(origin) === comparableOrigin(scheme + host);
}

/**
 * Whether a page of this host and port asks for a WebSocket. Not every browser says more than its
 * `Origin` then; over TLS, which a proxy has ended, the ticket proves the rest.
 */
export function hasOwnOrigin(headers: Headers, host: string): boolean {
  const origin = headers.get("origin");
  return origin !== null && isOwn(origin, host);
}

/**
 * Whether one of our own pages sent the request. Over TLS, which a proxy has ended, the browser must
 * say so, too: another program could serve the same host and port by the other scheme.
 */
export function isFromOwnPage(headers: Headers, host: string): boolean {
  const origin = headers.get("origin");
  if (origin === null || !isOwn(origin, host)) return false;
  return /^http:/i.test(origin) || headers.get("sec-fetch-site") === "same-origin";
}

/** Normalises an origin: browsers send lower case and omit default ports, operators may not. */
function comparableOrigin(origin: string): string {
  if (/[@?#\\\s]/.test(origin)) return origin; // more than an origin
  const url = URL.parse(origin);
  if (url === null || url.host === "" || url.pathname !== "/" && url.pathname !== "") return origin;
  return `${url.protocol}//${url.host}`;
}

// Decides which `Host` headers to accept: a page under another name that resolves to this machine
// (DNS rebinding) must be rejected.

/** The settings for accepting hosts. */
interface HostRules {
  /** The address that the service listens on. */
  readonly bound: string;
  /** Names and `*.domain` given by `--allow-host`, with or without a port. */
  readonly allowed: readonly string[];
}

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]"]);
const HOST = /^(\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?)(?::(\d{1,5}))?$/;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export class Hosts {
  /** Names, with and without a port. */
  readonly #names: ReadonlySet<string>;
  /** `.domain`, with and without a port: whatever ends with it is accepted. */
  readonly #ends: readonly string[];
  readonly #anyAddress: boolean;

  constructor(rules: HostRules) {
    const names = rules.allowed.filter((name) => !name.startsWith("*"));
    this.#names = new Set([rules.bound, ...names].map(comparableWithPort));
    this.#ends = rules.allowed.filter((name) => name.startsWith("*."))
      .map((name) => name.slice(1).toLowerCase());
    this.#anyAddress = WILDCARDS.has(rules.bound);
  }

  /** @param sent the value of a `Host` header */
  accepts(sent: string): boolean {
    const parts = HOST.exec(sent.toLowerCase());
    if (parts === null) return false;
    const name = comparableHost(parts[1] ?? "");
    if (isLoopback(name) || this.#names.has(name)) return true;
    const withPort = parts[2] === undefined ? name : `${name}:${Number(parts[2])}`;
    if (parts[2] !== undefined && this.#names.has(withPort)) return true;
    if (this.#ends.some((end) => name.endsWith(end) || withPort.endsWith(end))) return true;
    return this.#anyAddress && (name.startsWith("[") || IPV4.test(name));
  }
}

/** Whether it is a name or an address of this machine that is unreachable from other machines. */
export function isLoopback(host: string): boolean {
  const name = comparableHost(host);
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return name === "[::1]" || (IPV4.test(name) && name.startsWith("127."));
}

function comparableWithPort(host: string): string {
  const [, name = host, port] = HOST.exec(host.toLowerCase()) ?? [];
  return port === undefined ? comparableHost(name) : `${comparableHost(name)}:${Number(port)}`;
}

/** Normalises a host: lower case, no trailing dot, IPv6 in brackets and in its shortest form. */
export function comparableHost(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, "");
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  if (!/^[\da-f]*:[\da-f]*:[\da-f:.]*$/.test(bare)) return name;
  return URL.parse(`http://[${bare}]`)?.hostname ?? name;
}

// Refuses requests of browsers that a service of this user controls: who may use the browser alone
// must not get at everything else by what it shows.

/** By this header the browser operations know the refusal, whatever the page was called. */
const REFUSED_HEADER = { "x-refused": "browser" };

type CheckPeer = (request: Request, incoming: Incoming) => void | Promise<void>;

/** Checks each connection once, and no clients other than browsers. */
export function refuseOwnBrowser(peers: Capability<Peers> | undefined): CheckPeer {
  if (!peers?.ready || peers.use.isOwnBrowser === undefined) return () => {};
  const { use } = peers;
  const others = new WeakSet<Caller>();
  const checkOnce = async (caller: Caller): Promise<void> => {
    const { remoteAddr: remote, localAddr: local } = caller;
    if (remote.transport !== "tcp" || !await use.isOwnBrowser!({ remote, local })) {
      return void others.add(caller);
    }
    throw new Refusal(
      "forbidden",
      "A browser that is controlled by a service cannot use this service: call it from a program, or open it in another browser",
      REFUSED_HEADER,
    );
  };
  return ({ headers }, { caller }) => {
    // tests have no connection; every request of a browser has this header, which no page can change
    if (caller?.remoteAddr === undefined || others.has(caller)) return;
    if (headers.has("accept-encoding")) return checkOnce(caller);
    others.add(caller);
  };
}

/** A refusal by the HTTP layer itself, with the headers that the answer needs. */
export class Refusal extends ServiceError {
  override readonly name = "Refusal";

  constructor(
    code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message);
  }
}
