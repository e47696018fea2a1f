/**
 * The service as one function that answers requests: it checks each, and hands it to its route in a
 * Hono app, an operation or a page.
 */

import { setImmediate } from "node:timers";
import { Hono } from "hono";
import type { Config } from "../config/config.ts";
import { importModules } from "../core/errors.ts";
import { EventLoopYielder } from "../core/event_loop_yielder.ts";
import { isLogged, isTraced, type Log, log as standardLog, trace } from "../core/log.ts";
import { Callables } from "../features/call/callables.ts";
import { Control } from "../features/control/control.ts";
import { Figures, NO_OPERATION, type Timings } from "../features/figures.ts";
import { OperationGroups, type Part, partOf } from "../features/mod.ts";
import type { Operation } from "../features/operation.ts";
import { Revocations } from "../features/actor.ts";
import { KnownSecrets } from "../features/secrets/known_secrets.ts";
import type { Session } from "../features/session.ts";
import type { Capability, Peers, Platform } from "../platform/types/mod.ts";
import { pathBelowName, readBase, readPath } from "./address.ts";
import { errorBody, failureResponse, jsonResponse } from "./answers.ts";
import type { Caller } from "./connections/connections.ts";
import { type ConsoleModules, ConsoleRoute } from "./console_route.ts";
import { addNotFound, addPages } from "./docs.ts";
import type { HttpApp, Incoming } from "./context.ts";
import { addFiles } from "./files_route.ts";
import { createGuard, type GuardParts } from "./guard.ts";
import { addMcp, type OpenMcp } from "./mcp_route.ts";
import { openToOrigins, Origins, refuseOwnBrowser } from "./origins.ts";
import { addOperations } from "./operation_routes.ts";
import {
  otherRoute,
  type OtherRoutes,
  reworded,
  type Route,
  type WordRefusal,
} from "./other_interface.ts";
import { Tickets } from "./tokens/tickets.ts";
import { Tokens } from "./tokens/tokens.ts";

interface AppParts {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** By default all operations; a test may pass its own. */
  readonly operations?: readonly Operation[];
  readonly log?: Pick<Log, "error">;
  /** Opens `/mcp`; without it, there is nothing at that path. */
  readonly openMcp?: OpenMcp;
  /** Without it, there is nothing at `/console`. */
  readonly consoleModules?: ConsoleModules;
  /** Who may call; by default whoever has the token of the configuration. */
  readonly tokens?: Tokens;
}

export interface App {
  /** The operations by name that others can call now. */
  readonly callables: Callables;
  /** By which pages open WebSockets. */
  readonly tickets: Tickets;
  /** Answers every request; never rejects. */
  readonly fetch: (request: Request, caller?: Caller) => Response | Promise<Response>;
  /**
   * The same for another interface, whose routes call operations; all its requests are checked.
   * @param word without it, refusals have the service's own form
   */
  readonly answerBy: (routes: OtherRoutes, word?: WordRefusal) => App["fetch"];
}

export function createApp(parts: AppParts): App {
  const { platform, config, session, operations, log = standardLog } = parts;
  const services = { platform, config, session, log };
  const callables = new Callables(services, operations ?? []);
  const shared = { ...services, calls: callables };
  const groups = new OperationGroups(config.limits);
  const all = async () => operations ?? await groups.all();

  function openApp(): HttpApp {
    const app = createRoutes();
    addNotFound(app, all);
    return app;
  }

  const apps = new Map<Part, HttpApp | Promise<HttpApp>>();
  async function openPart(part: Part): Promise<HttpApp> {
    const app = openApp();
    try {
      callables.add(await groups.loadCalled(part));
      addOperations(app, await groups.load(part), shared);
      apps.set(part, app);
    } catch (error) {
      apps.delete(part);
      app.all("*", () => {
        throw error;
      });
    }
    return app;
  }

  const others = openApp();
  addOperations(others, operations ?? [], shared);
  if (parts.openMcp !== undefined) addMcp(others, { open: parts.openMcp, operations: all, shared });
  addFiles(others, shared);
  const tokens = parts.tokens ?? ofConfig(config);
  const revocations = session.use(Revocations);
  tokens.reportTo(revocations);
  const { approve } = config;
  session.use(Control).requireApproval(approve, (token) => tokens.hasOtherPerson(token));
  const tickets = new Tickets(revocations);
  const { consoleModules: modules } = parts;
  const console = modules && new ConsoleRoute({ modules, operations: all, shared, tickets });
  console?.addTo(others);
  addPages(others, all, config);

  /** The app that knows a path. */
  function appFor(path: string): HttpApp | Promise<HttpApp> {
    const part = operations === undefined ? partOf(path) : undefined;
    return part === undefined ? others : apps.getOrInsertComputed(part, openPart);
  }

  /**
   * While a part is loaded: whatever is asked for meanwhile waits, so that requests keep their order,
   * and goes on in several turns of the event loop: many at once would hold up the main thread.
   */
  let opening: Promise<unknown> | undefined;
  const yielder = new EventLoopYielder();

  async function inOrder(
    app: HttpApp | Promise<HttpApp>,
    before: Promise<unknown> | undefined,
  ): Promise<HttpApp> {
    const [opened] = await Promise.all([app, before]);
    await yielder.yieldIfDue();
    // one by MCP takes more steps until it is on its way, and this one would overtake it
    if (before !== undefined) await new Promise((resolve) => setImmediate(resolve));
    return opened;
  }

  function route(request: Request, incoming: Incoming): Response | Promise<Response> {
    console?.recognise(request, incoming);
    const app = appFor(incoming.path);
    if (opening === undefined && !(app instanceof Promise)) return app.fetch(request, incoming);
    const ready = inOrder(app, opening);
    opening = ready;
    return ready.then(({ fetch }) => {
      if (opening === ready) opening = undefined;
      return fetch(request, incoming);
    });
  }

  const { peers } = platform;
  const gap = () => config.redact ? session.use(KnownSecrets).gap : undefined;
  const access = {
    tokens,
    tickets,
    revocations,
    links: async () => {
      const { WatchLinks } = await importModules(() => import("../features/links/watch_links.ts"));
      return session.use(WatchLinks);
    },
  };
  const noOperation = Figures.of(session.use(Figures).requests, NO_OPERATION);
  const checks = { config, peers, log, noOperation, gap, ...access };
  const { maxBodyBytes } = config.limits;
  return {
    callables,
    tickets,
    fetch: guarded(route, { ...checks, hasPages: true, getPath: pathBelowName }),
    answerBy: (routes, word) =>
      guarded(otherRoute(routes, { route, maxBodyBytes, log }), {
        ...checks,
        hasPages: false,
        getPath: (path) => path,
        word,
      }),
  };
}

/**
 * Answers while there is no platform yet, or none for new requests any more: the service is alive but
 * not ready.
 * @param why half a sentence for everything but `/healthz`
 */
export function createWaitingApp(
  config: Config,
  { log, tokens = ofConfig(config), why = "The service is starting" }:
    & Pick<Partial<AppParts>, "log" | "tokens">
    & { readonly why?: string } = {},
): Pick<App, "fetch"> {
  const app = createRoutes();
  app.get("/healthz", () => jsonResponse({ status: "ok" }, 200));
  app.all("*", ({ env }) => {
    const body = errorBody("unavailable", why, env.requestId);
    return jsonResponse(body, 503, { "retry-after": "1" });
  });
  const parts = { config, log, tokens, hasPages: true, getPath: (path: string) => path };
  return { fetch: guarded(app.fetch, parts) };
}

/** The one token of the configuration, if there is one. */
function ofConfig({ token }: Config): Tokens {
  return new Tokens(token === undefined ? {} : { token });
}

/**
 * An app without routes. It has no middleware for POST, and gets one route for each path, because
 * Hono calls a single handler at once, and composing several takes about 1 µs. Its default router
 * finds a route with one look-up.
 */
function createRoutes(): HttpApp {
  const app: HttpApp = new Hono({ getPath: (_, options) => options!.env!.path });
  // Hono asks by GET, and drops the body of the answer
  app.get("*", async (c, next) => {
    await next();
    if (c.req.method === "HEAD") await noteLength(c.res);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}

// Answers each request: checks it, hands it to its route, and sets the headers of every answer.

interface CheckParts extends Omit<GuardParts, "origins"> {
  /** Absent while there is no platform yet. */
  readonly peers?: Capability<Peers>;
  readonly log: Pick<Log, "error"> | undefined;
  /** Counts what reaches no operation; absent while there is no platform yet. */
  readonly noOperation?: Timings;
  /** Why answers may have stored values in them. */
  readonly gap?: () => string | undefined;
  /** The path by which routes are found. */
  readonly getPath: (path: string) => string;
  /** The form of refusals, where it is not the service's own. */
  readonly word?: WordRefusal | undefined;
}

/** The answers of `route` to requests that pass all checks, and those to all others; never rejects. */
function guarded(
  route: Route,
  { peers, log = standardLog, noOperation, gap, getPath, word, ...parts }: CheckParts,
): App["fetch"] {
  const { config, hasPages } = parts;
  const origins = new Origins(config.allowOrigins);
  const ids = new RequestIds();
  const checkPeer = refuseOwnBrowser(peers);
  const check = createGuard({ ...parts, origins });

  return async (request, caller) => {
    const began = performance.now();
    const path = readPath(request.url);
    const incoming: Incoming = { caller, requestId: ids.of(request), path: getPath(path) };
    const isWatched = isTraced("http") || isLogged("debug");
    const noteAnswer = isWatched ? watch(request, incoming) : undefined;
    let response: Response;
    let isAllowed = false;
    let gapBefore: string | undefined; // the keychain may be read meanwhile
    try {
      const checking = checkPeer(request, incoming);
      if (checking !== undefined) await checking;
      const checked = check(request, incoming);
      let answer: Response | Promise<Response> | undefined;
      answer = checked instanceof Promise ? await checked : checked;
      if (answer === undefined) {
        // these need no token
        isAllowed = !(hasPages && incoming.path === "/healthz") && !incoming.isProbe;
        if (isAllowed) gapBefore = gap?.();
        if (path !== incoming.path) incoming.base = readBase(path, config.name);
        answer = route(request, incoming);
      }
      response = await answer;
    } catch (error) {
      const what = describeRequest(request);
      response = failureResponse(error, { requestId: incoming.requestId, what, log });
      if (word !== undefined) response = await reworded(word, request, response);
    }
    if (incoming.isProbe) response = answerProbe(response);
    noteAnswer?.(response);
    (incoming.timings ?? noOperation)?.add(response.status, performance.now() - began);
    if (response.status === SWITCHING) return response; // a socket now: its headers are written
    if (origins.any) openToOrigins(origins, request, response);
    addHeaders(response, incoming, isAllowed ? gapBefore ?? gap?.() : undefined);
    if (request.method !== "HEAD" || response.body === null) return response;
    await noteLength(response);
    return new Response(null, response);
  };
}

/** Yes or no: why a service is not ready is for those who have a token. */
function answerProbe({ status, body }: Response): Response {
  body?.cancel().catch(() => {});
  const ready = status === 200;
  return jsonResponse({ ready }, ready ? 200 : 503, ready ? {} : { "retry-after": "1" });
}

const SWITCHING = 101;

/** A token that is safe in a header and in a log line. */
const SANE = /^[\w.:-]{1,128}$/;

function addHeaders(
  { headers, status }: Response,
  { requestId, ignored, notice }: Incoming,
  gap: string | undefined,
): void {
  // not even as a picture (Fetch standard, 3.7); 204 has nothing, and a header takes microseconds
  if (status !== 204) headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("x-request-id", requestId);
  if (ignored !== undefined) headers.set("x-ignored-fields", ignored);
  if (notice !== undefined) headers.set("x-control-notice", notice);
  if (gap !== undefined) headers.set("x-redaction-gap", plainHeader(gap));
}

const MAX_HEADER_LENGTH = 300;

/** The beginning of a text, with what a header may not have, and `%`, as UTF-8 with percent signs. */
function plainHeader(text: string): string {
  return text.slice(0, MAX_HEADER_LENGTH).toWellFormed().replace(
    /[^\x20-\x24\x26-\x7e]/gu,
    encodeURIComponent,
  );
}

/** Sets the length of a body that is not sent; one of known length is not read for it. */
async function noteLength(response: Response): Promise<void> {
  const { body, headers } = response;
  if (body === null) return;
  const hasNoEnd = headers.get("content-type") === "text/event-stream";
  if (hasNoEnd || headers.has("content-length")) await body.cancel();
  else headers.set("content-length", String((await response.arrayBuffer()).byteLength));
}

/** Without the query, which may contain confidential data. */
function describeRequest({ method, url }: Request): string {
  return `${method} ${readPath(url)}`;
}

/** Logs a request; the function returned logs its answer. */
function watch(from: Request, { requestId }: Incoming): (answer: Response) => void {
  const request = describeRequest(from);
  if (isTraced("http")) trace("http", "from", request, { request_id: requestId });
  const began = performance.now();
  return ({ status }) => {
    const ms = Math.round((performance.now() - began) * 1_000) / 1_000;
    if (isTraced("http")) trace("http", "to", String(status), { request_id: requestId, ms });
    standardLog.debug("request", { request, status, ms, request_id: requestId });
  };
}

/**
 * Uses the client's own id if it is a safe token; otherwise combines an id of this run (so that no
 * two runs share ids) with a counter, which costs next to nothing.
 */
class RequestIds {
  readonly #start = crypto.getRandomValues(new Uint8Array(4)).toHex();
  #count = 0;

  of(request: Request): string {
    const given = request.headers.get("x-request-id");
    return given !== null && SANE.test(given) ? given : `${this.#start}-${++this.#count}`;
  }
}
