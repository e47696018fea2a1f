/**
 * Lets a person with a token, or a link to watch, open the pages of the service in a browser: a small
 * page takes it from the fragment of the address or from a field, and gets a cookie for it.
 */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { InputError } from "../core/errors.ts";
import type { Actor } from "../features/actor.ts";
import { readPath } from "./address.ts";
import { emptyResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import type { Caller } from "./connections/connections.ts";
import { HTML_HEADERS, PAGE_HEADERS } from "./docs.ts";
import type { Incoming } from "./context.ts";
import { isFromOwnPage, READS, Refusal } from "./origins.ts";

/** Where the page sends the token; below `/docs`, because other first segments name computers. */
export const SESSION_PATH = "/docs/session";
const SCRIPT_PATH = "/docs/sign-in.js";
/** Addresses that a person opens: they show the page instead of an error. */
const PAGES: ReadonlySet<string> = new Set([
  ...["/", "/docs", "/docs/", "/api", "/api/", "/console", "/console/"],
]);
const MAX_BODY_BYTES = 8_192;

/** By what a browser is let in: the ids of a token and of a link to watch, which may have ended. */
interface BrowserSession {
  readonly token?: string | undefined;
  readonly link?: string | undefined;
}

type SessionKind = keyof BrowserSession;

/** The sessions of one run of the service: their key is made at its start and never stored. */
export class BrowserSessions {
  readonly #key = randomBytes(32);

  /**
   * The id in the cookie that this service gave to this host. Whether that token or link is still
   * valid is another question.
   */
  read(kind: SessionKind, request: Request, host: string): string | undefined {
    const cookies = request.headers.get("cookie");
    if (cookies === null) return undefined;
    const start = `${cookieName(kind, host)}=`;
    for (const cookie of cookies.split("; ")) {
      if (!cookie.startsWith(start)) continue;
      const [, id = ""] = COOKIE_VALUE.exec(cookie.slice(start.length)) ?? [];
      const given = new TextEncoder().encode(cookie.slice(start.length));
      const expected = new TextEncoder().encode(this.#value(kind, host, id));
      if (given.length === expected.length && timingSafeEqual(given, expected)) return id;
    }
    return undefined;
  }

  /**
   * The value of `Set-Cookie`. It has no end of its own: it ends with the token or the link, the
   * browser or the service.
   */
  cookie(kind: SessionKind, host: string, id: string): string {
    const value = this.#value(kind, host, id);
    return `${cookieName(kind, host)}=${value}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Bound to the host, so that a cookie for one name is worth nothing under another. */
  #value(kind: SessionKind, host: string, id: string): string {
    const signed = JSON.stringify([kind, host.toLowerCase(), id]);
    return `${id}.${createHmac("sha256", this.#key).update(signed).digest("hex")}`;
  }
}

const COOKIE_VALUE = /^([\w-]{1,64})\.[\da-f]{64}$/;

/** Cookies ignore ports: only the name keeps two services of one host apart. */
function cookieName(kind: SessionKind, host: string): string {
  const name = kind === "token" ? "computer-control" : "computer-control-watch";
  return `${name}-${/:(\d+)$/.exec(host)?.[1] ?? "80"}`;
}

/**
 * Checks a request without `Authorization`.
 * @returns by what a session lets it in; `undefined` without one
 * @throws Refusal `forbidden` for a change that is not sent by one of our own pages
 */
export function readSession(
  sessions: BrowserSessions,
  request: Request,
  host: string,
): BrowserSession | undefined {
  const token = sessions.read("token", request, host);
  const link = sessions.read("link", request, host);
  if (token === undefined && link === undefined) return undefined;
  const { method, headers } = request;
  if (READS.has(method) || isFromOwnPage(headers, host)) return { token, link };
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
 * Gives a session for a token, or for the secret of a link to watch.
 * @throws Refusal `forbidden` when no page of ours asks, `unauthorized` for what lets nobody in
 */
export async function openSession(
  request: Request,
  { sessions, findToken, findLink, caller }: {
    readonly sessions: BrowserSessions;
    readonly findToken: (text: string) => Actor | undefined;
    readonly findLink: (secret: string) => Promise<Actor | undefined>;
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
  const { token, watch } = body as { readonly token?: unknown; readonly watch?: unknown };
  if (typeof watch === "string") {
    const actor = await findLink(watch);
    if (actor === undefined) throw new Refusal("unauthorized", "The link to watch has ended");
    return signedIn(sessions.cookie("link", host, actor.id));
  }
  if (typeof token !== "string") {
    const msg = "Field required";
    throw new InputError([{ loc: ["body", "token"], msg, type: "missing" }]);
  }
  const actor = findToken(token);
  if (actor?.token === undefined) throw new Refusal("unauthorized", "The token is invalid");
  return signedIn(sessions.cookie("token", host, actor.token));
}

function signedIn(cookie: string): Response {
  return emptyResponse(204, { "set-cookie": cookie, "cache-control": "no-store" });
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

/** Takes the token, or the secret of a link to watch, out of the address before anything else can see it. */
const SCRIPT = `const form = document.getElementById("form");

/** The secret as an address encodes it, or as it is, if it has no "%": a "+" is no space. */
function takeSecret() {
  const [, kind, text] = /^#(token|watch)=(.+)$/.exec(location.hash) ?? [];
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  if (text === undefined) return;
  let secret = text; // with a "%" of its own, if it cannot be decoded
  try {
    secret = decodeURIComponent(text);
  } catch {}
  signIn({ [kind]: secret });
}

async function signIn(secret) {
  const answer = await fetch(form.dataset.base + "${SESSION_PATH}", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(secret),
  });
  const isConsole = "watch" in secret || /[/]console[/]?$/.test(location.pathname);
  if (answer.ok) return location.replace(form.dataset.base + (isConsole ? "/console" : "/docs"));
  const { detail } = await answer.json().catch(() => ({}));
  document.getElementById("message").textContent =
    typeof detail === "string" ? detail : "The service answered " + answer.status;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  signIn({ token: document.getElementById("token").value.trim() });
});
addEventListener("hashchange", takeSecret); // entered while this page is open: nothing is loaded
takeSecret();
`;
