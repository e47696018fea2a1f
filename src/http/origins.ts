/**
 * Decides about requests from web pages: accepts our own pages and those named by `--allow-origin`.
 */

import type { Middleware } from "./env.ts";
import { Refusal } from "./refusal.ts";

const ALLOWED_METHODS = "GET, HEAD, POST, DELETE";
const ALLOWED_HEADERS = [
  ...["authorization", "content-type", "if-none-match", "x-request-id"],
  ...["mcp-method", "mcp-name", "mcp-protocol-version"],
].join(", ");
const EXPOSED_HEADERS = [
  ...["content-disposition", "etag", "retry-after", "x-request-id"],
  ...["x-changes", "x-display", "x-frame", "x-ignored-fields", "x-region", "x-scale"],
].join(", ");
/**
 * Values of `Sec-Fetch-Site` for our own pages, and for addresses that were typed or bookmarked.
 */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const PREFLIGHT_SECONDS = "600";

/** Lets permitted pages read the answers. */
export function openToOrigins(origins: Origins): Middleware {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.append("vary", "Origin");
    const origin = c.req.raw.headers.get("origin");
    if (origin === null || !origins.allows(origin)) return;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  };
}

export class Origins {
  readonly #allowed: ReadonlySet<string>;

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(comparable));
  }

  /** Whether any foreign page is permitted, so that answers depend on `Origin`. */
  get any(): boolean {
    return this.#allowed.size > 0;
  }

  /** @throws Refusal `forbidden` when a foreign page sent the request. */
  check(origin: string, host: string): void {
    if (isOwn(origin, host) || this.allows(origin)) return;
    throw new Refusal(
      "forbidden",
      `Origin ${
        JSON.stringify(origin.slice(0, 100))
      } is foreign: name it with --allow-origin to let its pages in`,
    );
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
      "A page of another site sent this request: open the address itself, or let its pages in with " +
        "--allow-origin",
    );
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin) || this.#allowed.has(comparable(origin));
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
export function isOwn(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//i.exec(origin)?.[0];
  if (scheme === undefined) return false;
  return comparable(origin) === comparable(scheme + host);
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
function comparable(origin: string): string {
  if (/[@?#\\\s]/.test(origin)) return origin; // more than an origin
  const url = URL.parse(origin);
  if (url === null || url.host === "" || url.pathname !== "/" && url.pathname !== "") return origin;
  return `${url.protocol}//${url.host}`;
}
