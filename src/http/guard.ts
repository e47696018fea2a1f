/**
 * Decides which requests are accepted, and whose they are: checks `Host`, `Origin` and the token, the
 * session of a browser or the ticket of a WebSocket, before anything else.
 */

import type { Config } from "../config/config.ts";
import { accessOf, type Actor, ANYONE, type Revocations } from "../features/actor.ts";
import type { WatchLinks } from "../features/links/watch_links.ts";
import { readAuthority, readPath, readQuery } from "./address.ts";
import {
  BrowserSessions,
  openSession,
  readSession,
  SESSION_PATH,
  signInResponse,
} from "./browser_session.ts";
import type { Caller } from "./connections/connections.ts";
import type { Incoming } from "./context.ts";
import { hasOwnOrigin, Hosts, type Origins, READS, Refusal } from "./origins.ts";
import type { Tickets } from "./tokens/tickets.ts";
import type { Tokens } from "./tokens/tokens.ts";

export interface GuardParts {
  readonly config: Config;
  readonly origins: Origins;
  readonly tokens: Tokens;
  /** Absent while there is no platform yet, and so are the other two. */
  readonly tickets?: Tickets;
  readonly revocations?: Revocations;
  /** The links to watch; what keeps them is loaded only then. */
  readonly links?: () => Promise<WatchLinks>;
  /** Whether it has `/healthz`, which needs no token, and pages, into which a person signs in. */
  readonly hasPages: boolean;
}

/**
 * Answers a preflight, and who signs in; otherwise notes whose request it is and returns nothing, or
 * throws a Refusal: `forbidden` or `unauthorized`.
 */
export type Guard = (
  request: Request,
  incoming: Incoming,
) => undefined | Response | Promise<Response | undefined>;

const BEARER = /^Bearer +(\S+)$/i;
/** The token where a proxy before the service keeps `Authorization` for itself; it wins over that. */
const TOKEN_HEADER = "x-computer-control-token";
const CHALLENGE = { "www-authenticate": 'Bearer realm="computer-control"' };
/** A WebSocket, which is opened by a ticket instead of a token. */
export const SOCKET_PATH = "/console/socket";
/** What a ticket is for where the address names no `target`. */
export const CONSOLE_TARGET = "console";
/** What a link to watch opens: the page of the console with its files, and a ticket for its stream. */
const WATCHED_FILE = /^\/(?:favicon\.ico|console(?:\/[\w.-]*)?)$/;
export const TICKET_PATH = "/console/ticket";

export function createGuard(parts: GuardParts): Guard {
  const { config, origins, hasPages } = parts;
  const hosts = new Hosts({ bound: config.host, allowed: config.allowHosts });
  const identify = createIdentify(parts);
  /** The last accepted host as it was sent: the next request nearly always has the same. */
  let accepted: string | undefined;
  return (request, incoming) => {
    const { headers, method, url } = request;
    const host = headers.get("host");
    if (host === null) throw foreignHost(host);
    if (host !== accepted && !hosts.accepts(host)) throw foreignHost(host);
    const target = readAuthority(url); // as a proxy is asked, or else the same
    if (target !== host && !hosts.accepts(target)) throw foreignHost(target);
    accepted = host;
    const origin = headers.get("origin");
    if (origin !== null) origins.check(origin, host);
    const site = headers.get("sec-fetch-site");
    if (site !== null) origins.checkSite(site, origin, method);
    if (origin !== null) {
      const preflight = origins.preflight(request, origin);
      if (preflight !== undefined) return preflight;
    }
    if (hasPages && readPath(url) === "/healthz") return undefined;
    return identify(request, incoming, host);
  };
}

type Identify = (request: Request, incoming: Incoming, host: string) => ReturnType<Guard>;

/** Whose request it is, once it is known that it comes from no foreign page. */
function createIdentify({ tokens, tickets, revocations, links, hasPages }: GuardParts): Identify {
  const sessions = new BrowserSessions();
  const bind = createBind(revocations);

  function admit(incoming: Incoming, actor: Actor): undefined {
    incoming.actor = actor;
    bind(incoming.caller, accessOf(actor));
  }

  async function findLink(find: (links: WatchLinks) => Actor | undefined) {
    return links === undefined ? undefined : find(await links());
  }

  /** A session of a link to watch, for the little that it opens. */
  async function admitWatcher(request: Request, incoming: Incoming, id: string) {
    const actor = await findLink((all) => all.findById(id));
    if (actor === undefined) return refuseStranger(request, incoming);
    const isFile = READS.has(request.method) && WATCHED_FILE.test(incoming.path);
    if (isFile || incoming.path === TICKET_PATH) return admit(incoming, actor);
    const page = signInResponse(request, incoming); // a watcher may have a token, too
    if (page !== undefined) return page;
    throw new Refusal("forbidden", "A link to watch opens the live picture, and nothing else");
  }

  /** What a person or a probe may see without a session. @throws Refusal `unauthorized` for everything else */
  function refuseStranger(request: Request, incoming: Incoming): Response | undefined {
    const page = hasPages ? signInResponse(request, incoming) : undefined;
    if (page !== undefined) return page;
    if (isProbe(request, hasPages)) return void (incoming.isProbe = true);
    throw new Refusal(
      "unauthorized",
      'Send the token as "Authorization: Bearer <token>"',
      CHALLENGE,
    );
  }

  /** Lets in who has a session, or opens one. */
  function identifyBrowser(request: Request, incoming: Incoming, host: string): ReturnType<Guard> {
    if (incoming.path === SESSION_PATH && request.method === "POST") {
      return openSession(request, {
        sessions,
        findToken: (text) => tokens.find(text),
        findLink: (secret) => findLink((all) => all.find(secret)),
        caller: incoming.caller,
      });
    }
    const session = readSession(sessions, request, host);
    const actor = session?.token === undefined ? undefined : tokens.findById(session.token);
    if (actor !== undefined) return admit(incoming, actor);
    if (session?.link !== undefined) return admitWatcher(request, incoming, session.link);
    return refuseStranger(request, incoming);
  }

  /** Lets in a WebSocket by its ticket, which is void then. */
  function identifySocket({ headers, url }: Request, incoming: Incoming, host: string): undefined {
    if (!hasOwnOrigin(headers, host)) {
      throw new Refusal("forbidden", "Only the service's own page can open a WebSocket");
    }
    const query = new URLSearchParams(readQuery(url));
    const target = query.get("target") ?? CONSOLE_TARGET;
    const actor = tickets?.redeem(query.get("ticket") ?? "", target);
    if (actor === undefined) {
      throw new Refusal("unauthorized", "The ticket is wrong, used or too old: ask for another");
    }
    return admit(incoming, actor);
  }

  function identifyFresh(request: Request, incoming: Incoming, host: string): ReturnType<Guard> {
    if (hasPages && incoming.path === SOCKET_PATH) return identifySocket(request, incoming, host);
    if (!tokens.required) return void bind(incoming.caller, ANYONE.id);
    const { headers } = request;
    if (!headers.has(TOKEN_HEADER) && !headers.has("authorization")) {
      return hasPages
        ? identifyBrowser(request, incoming, host)
        : refuseStranger(request, incoming);
    }
    const given = givenToken(headers);
    const actor = given === undefined ? undefined : tokens.find(given);
    if (actor === undefined) throw new Refusal("unauthorized", "The token is invalid", CHALLENGE);
    return admit(incoming, actor);
  }

  return (request, incoming, host) => {
    const refreshing = tokens.refresh();
    if (refreshing === undefined) return identifyFresh(request, incoming, host);
    return refreshing.then(() => identifyFresh(request, incoming, host));
  };
}

/** The token that a request has in its headers. */
export function givenToken(headers: Headers): string | undefined {
  return headers.get(TOKEN_HEADER) ?? BEARER.exec(headers.get("authorization") ?? "")?.[1];
}

/** Whether it asks only if the service is ready, as an orchestrator does, which has no token. */
function isProbe({ method, url }: Request, hasPages: boolean): boolean {
  return hasPages && READS.has(method) && readPath(url) === "/readyz";
}

/**
 * Closes the connections of clients whose token or link ends, and with them whatever is done or sent
 * there. A connection is of whoever has sent the last request on it.
 */
function createBind(revocations: Revocations | undefined) {
  const bound = new WeakMap<Caller, { id: string; listening: Disposable }>();
  return (caller: Caller | undefined, id: string): void => {
    if (revocations === undefined || caller?.abort === undefined) return;
    const known = bound.get(caller);
    if (known?.id === id) return;
    known?.listening[Symbol.dispose]();
    bound.set(caller, { id, listening: revocations.on(id, () => caller.abort?.()) });
    if (known !== undefined) return;
    caller.closed?.then(() => bound.get(caller)?.listening[Symbol.dispose]());
  };
}

function foreignHost(host: string | null): Refusal {
  if (host === null || host === "") {
    return new Refusal("forbidden", "The request has no Host header");
  }
  const quoted = JSON.stringify(host.slice(0, 100));
  return new Refusal(
    "forbidden",
    `Host ${quoted} is not this computer: name it with --allow-host if it is`,
  );
}
