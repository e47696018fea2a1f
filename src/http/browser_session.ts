/**
 * Lets a person with the token open the pages of the service in a browser: a small page takes the
 * token from the fragment of the address or from a field, and gets a cookie for it.
 */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { InputError } from "../core/errors.ts";
import { readPath } from "./address.ts";
import { emptyResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { Caller } from "./connections/connections.ts";
import { HTML_HEADERS, PAGE_HEADERS } from "./docs.ts";
import type { Incoming } from "./env.ts";
import { isFromOwnPage, READS, Refusal } from "./origins.ts";

/** Where the page sends the token; below `/docs`, because other first segments name computers. */
export const SESSION_PATH = "/docs/session";
const SCRIPT_PATH = "/docs/sign-in.js";
/** Addresses that a person opens: they show the page instead of an error. */
const PAGES: ReadonlySet<string> = new Set(["/", "/docs", "/docs/", "/api", "/api/"]);
const MAX_BODY_BYTES = 8_192;

/** The sessions of one run of the service: their key is made at its start and never stored. */
export class BrowserSessions {
  readonly #key = randomBytes(32);

  /** Whether the request carries the cookie that this service gave to this host. */
  has(request: Request, host: string): boolean {
    const cookies = request.headers.get("cookie");
    if (cookies === null) return false;
    const name = cookieName(host);
    const expected = new TextEncoder().encode(this.#value(host));
    return cookies.split("; ").some((cookie) => {
      if (!cookie.startsWith(`${name}=`)) return false;
      const given = new TextEncoder().encode(cookie.slice(name.length + 1));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  /** The value of `Set-Cookie`. It has no end of its own: it ends with the browser or the service. */
  cookie(host: string): string {
    return `${cookieName(host)}=${this.#value(host)}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Bound to the host, so that a cookie for one name is worth nothing under another. */
  #value(host: string): string {
    return createHmac("sha256", this.#key).update(host.toLowerCase()).digest("hex");
  }
}

/** Cookies ignore ports: only the name keeps two services of one host apart. */
function cookieName(host: string): string {
  return `computer-control-${/:(\d+)$/.exec(host)?.[1] ?? "80"}`;
}

/**
 * Checks a request without `Authorization`.
 * @returns whether a session lets it in
 * @throws Refusal `forbidden` for a change that is not sent by one of our own pages
 */
export function isSignedIn(sessions: BrowserSessions, request: Request, host: string): boolean {
  if (!sessions.has(request, host)) return false;
  const { method, headers } = request;
  if (READS.has(method) || isFromOwnPage(headers, host)) return true;
  throw new Refusal(
    "forbidden",
    "Browser sessions are only for the service's own pages: send the token",
  );
}

/** Answers what a person without a session may see; `undefined` for everything else. */
export function signInResponse(
  { method, url, headers: sent }: Request,
  { path }: Incoming,
): Response | undefined {
  if (!READS.has(method)) return undefined;
  if (path === SCRIPT_PATH) {
    const type = { "content-type": "text/javascript; charset=utf-8" };
    return new Response(SCRIPT, { headers: { ...PAGE_HEADERS, ...type } });
  }
  if (!PAGES.has(path) || !sent.get("accept")?.includes("text/html")) return undefined;
  const headers = { ...HTML_HEADERS, "cache-control": "no-store" };
  return new Response(page(baseOf(readPath(url), path)), { status: 401, headers });
}

/** `/desk-1` of `/desk-1/docs`, as it was sent, in a form that a page can hold. */
function baseOf(path: string, below: string): string {
  if (path === below) return "";
  const base = /^\/[^/]*/.exec(path)![0];
  // browsers take a backslash for a slash, and so the name for a host
  return base.replaceAll("\\", "%5C").replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

/**
 * Gives a session for the token.
 * @param isToken compares in constant time
 * @throws Refusal `forbidden` when no page of ours asks, `unauthorized` for a wrong token
 */
export async function openSession(
  request: Request,
  { sessions, isToken, caller }: {
    readonly sessions: BrowserSessions;
    readonly isToken: (text: string) => boolean;
    readonly caller: Caller | undefined;
  },
): Promise<Response> {
  const host = request.headers.get("host") ?? "";
  if (!isFromOwnPage(request.headers, host)) {
    throw new Refusal(
      "forbidden",
      "Only the service's own page can sign in: open the address in a browser",
    );
  }
  const body = await readJsonBody(request, MAX_BODY_BYTES, caller);
  const token = (body as { readonly token?: unknown }).token;
  if (typeof token !== "string") {
    const msg = "Field required";
    throw new InputError([{ loc: ["body", "token"], msg, type: "missing" }]);
  }
  if (!isToken(token)) throw new Refusal("unauthorized", "The token is invalid");
  return emptyResponse(204, { "set-cookie": sessions.cookie(host), "cache-control": "no-store" });
}

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Computer Control Service: sign in</title>
</head>
<body>
<h1>Computer Control Service</h1>
<form id="form" data-base="${base}">
<label>Token <input id="token" type="password" autocomplete="off" required></label>
<button>Sign in</button>
</form>
<p id="message" role="alert"></p>
<p>The token is in the file of <code>--token-file</code>, or in <code>COMPUTER_CONTROL_TOKEN</code>.</p>
<script src="${base}${SCRIPT_PATH}"></script>
</body>
</html>
`;
}

/** Takes the token out of the address before anything else can see it. */
const SCRIPT = `const form = document.getElementById("form");

/** The token as an address encodes it, or as it is, if it has no "%": a "+" is no space. */
function takeToken() {
  const [, text] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  if (text === undefined) return;
  try {
    signIn(decodeURIComponent(text));
  } catch {
    signIn(text); // a "%" of the token itself
  }
}

async function signIn(token) {
  const answer = await fetch(form.dataset.base + "${SESSION_PATH}", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (answer.ok) return location.replace(form.dataset.base + "/docs");
  const { detail } = await answer.json().catch(() => ({}));
  document.getElementById("message").textContent =
    typeof detail === "string" ? detail : "The service answered " + answer.status;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  signIn(document.getElementById("token").value.trim());
});
addEventListener("hashchange", takeToken); // entered while this page is open: nothing is loaded
takeToken();
`;
