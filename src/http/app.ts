/**
 * The service as one function that answers requests: it checks each, and hands it to its route in a
 * Hono app, an operation or a page.
 */

import { Hono } from "hono";
import { timingSafeEqual } from "node:crypto";
import type { Config } from "../config/config.ts";
import { FieldError, type ServiceError } from "../core/errors.ts";
import { isLogged, type Log, log as standardLog } from "../core/log.ts";
import { isTraced, trace } from "../core/trace.ts";
import { Callables } from "../features/call/callables.ts";
import { reportUndeclared } from "../features/call/unknown_fields.ts";
import { OperationGroups, type Part, partOf } from "../features/mod.ts";
import type { Operation } from "../features/operation.ts";
import { KnownSecrets } from "../features/secrets/known_secrets.ts";
import { redactError } from "../features/secrets/redact_texts.ts";
import type { Session } from "../features/session.ts";
import { Streamed } from "../features/streamed.ts";
import { findSwitch } from "../features/switched_off.ts";
import type { Capability, Peers, Platform } from "../platform/types/mod.ts";
import { pathBelowName, readAuthority, readBase, readPath, readQuery } from "./address.ts";
import { answerWith, emptyResponse, jsonResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import {
  BrowserSessions,
  isSignedIn,
  openSession,
  SESSION_PATH,
  signInResponse,
} from "./browser_session.ts";
import type { Caller } from "./connections/connections.ts";
import { RequestContext, type Shared } from "./context.ts";
import { addNotFound, addPages, notFound } from "./docs.ts";
import type { HttpApp, HttpHandler, Incoming } from "./env.ts";
import { errorBody, failureResponse } from "./failures.ts";
import { describeIgnored, inputReader, locateInRequest, readInput } from "./input.ts";
import { addMcp, type OpenMcp } from "./mcp_route.ts";
import { Hosts, openToOrigins, Origins, Refusal, refuseOwnBrowser } from "./origins.ts";
import {
  CLIENT_CLOSED,
  otherRoute,
  type OtherRoutes,
  reworded,
  type Route,
  type WordRefusal,
} from "./other_interface.ts";

interface AppParts {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** By default all operations; a test may pass its own. */
  readonly operations?: readonly Operation[];
  readonly log?: Pick<Log, "error">;
  /** Opens `/mcp`; without it, there is nothing at that path. */
  readonly openMcp?: OpenMcp;
}

export interface App {
  /** The operations by name that others can call now. */
  readonly callables: Callables;
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
  addPages(others, all, config);

  /** The app that knows a path. */
  function appFor(path: string): HttpApp | Promise<HttpApp> {
    const part = operations === undefined ? partOf(path) : undefined;
    if (part === undefined) return others;
    const known = apps.get(part);
    if (known !== undefined) return known;
    const opening = openPart(part);
    apps.set(part, opening);
    return opening;
  }

  /** While a part is loaded: whatever is asked for meanwhile waits, so that requests keep their order. */
  let opening: Promise<unknown> | undefined;

  function route(request: Request, incoming: Incoming): Response | Promise<Response> {
    const app = appFor(incoming.path);
    if (opening === undefined && !(app instanceof Promise)) return app.fetch(request, incoming);
    const ready = Promise.all([app, opening]);
    opening = ready;
    return ready.then(([{ fetch }]) => {
      if (opening === ready) opening = undefined;
      return fetch(request, incoming);
    });
  }

  const { peers } = platform;
  const gap = () => config.redact ? session.use(KnownSecrets).gap : undefined;
  const checks = { config, peers, log, gap };
  const { maxBodyBytes } = config.limits;
  return {
    callables,
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

/** Answers while there is no platform yet: the service is alive but not ready. */
export function createWaitingApp(config: Config, log?: Pick<Log, "error">): Pick<App, "fetch"> {
  const app = createRoutes();
  app.get("/healthz", () => jsonResponse({ status: "ok" }, 200));
  app.all("*", ({ env }) => {
    const body = errorBody("unavailable", "The service is starting", env.requestId);
    return jsonResponse(body, 503, { "retry-after": "1" });
  });
  return { fetch: guarded(app.fetch, { config, log, hasPages: true, getPath: (path) => path }) };
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

interface GuardParts {
  readonly config: Config;
  /** Absent while there is no platform yet. */
  readonly peers?: Capability<Peers>;
  readonly log: Pick<Log, "error"> | undefined;
  /** Why answers may have stored values in them. */
  readonly gap?: () => string | undefined;
  /** Whether it has `/healthz`, which needs no token, and pages, into which a person signs in. */
  readonly hasPages: boolean;
  /** The path by which routes are found. */
  readonly getPath: (path: string) => string;
  /** The form of refusals, where it is not the service's own. */
  readonly word?: WordRefusal | undefined;
}

/** The answers of `route` to requests that pass all checks, and those to all others; never rejects. */
function guarded(
  route: Route,
  { config, peers, log = standardLog, gap, hasPages, getPath, word }: GuardParts,
): App["fetch"] {
  const origins = new Origins(config.allowOrigins);
  const ids = new RequestIds();
  const checkPeer = refuseOwnBrowser(peers);
  const check = guard(config, { origins, hasPages });

  return async (request, caller) => {
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
      let answer = check(request, incoming);
      if (answer === undefined) {
        isAllowed = !hasPages || incoming.path !== "/healthz"; // needs no token
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
    noteAnswer?.(response);
    if (origins.any) openToOrigins(origins, request, response);
    addHeaders(response, incoming, isAllowed ? gapBefore ?? gap?.() : undefined);
    if (request.method !== "HEAD" || response.body === null) return response;
    await noteLength(response);
    return new Response(null, response);
  };
}

/** A token that is safe in a header and in a log line. */
const SANE = /^[\w.:-]{1,128}$/;

function addHeaders(
  { headers, status }: Response,
  { requestId, ignored }: Incoming,
  gap: string | undefined,
): void {
  // not even as a picture (Fetch standard, 3.7); 204 has nothing, and a header takes microseconds
  if (status !== 204) headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("x-request-id", requestId);
  if (ignored !== undefined) headers.set("x-ignored-fields", ignored);
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
  if (headers.has("content-length")) await body.cancel();
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

// Decides which requests are accepted: checks `Host`, `Origin` and the bearer token, or the session
// of a browser, before anything else.

const BEARER = /^Bearer +(\S+)$/i;
const CHALLENGE = { "www-authenticate": 'Bearer realm="computer-control"' };

type Guard = (request: Request, incoming: Incoming) => undefined | Response | Promise<Response>;

/**
 * Answers a preflight, and who signs in; otherwise returns nothing, or throws a Refusal: `forbidden`
 * or `unauthorized`.
 */
function guard(
  config: Config,
  { origins, hasPages }: { readonly origins: Origins } & Pick<GuardParts, "hasPages">,
): Guard {
  const hosts = new Hosts({ bound: config.host, allowed: config.allowHosts });
  const token = config.token === undefined ? undefined : encodeText(config.token);
  const sessions = new BrowserSessions();
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
    if (token === undefined || (hasPages && readPath(url) === "/healthz")) return undefined;
    const authorization = headers.get("authorization");
    if (authorization === null && hasPages) {
      if (isSignedIn(sessions, request, host)) return undefined;
      if (incoming.path === SESSION_PATH && method === "POST") {
        const isToken = (text: string) => isEqual(encodeText(text), token);
        return openSession(request, { sessions, isToken, caller: incoming.caller });
      }
      const page = signInResponse(request, incoming);
      if (page !== undefined) return page;
    }
    checkToken(authorization, token);
    return undefined;
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
    throw new Refusal("unauthorized", "The token is invalid", CHALLENGE);
  }
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
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

// Makes each operation a route: reads the body and fields, calls the handler, and answers.

function addOperations(app: HttpApp, operations: readonly Operation[], shared: Shared): void {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const handlers = new Map<string, HttpHandler>(
      group.map((operation) => [operation.method, createHandler(operation, shared)]),
    );
    const refuse = refuseMethod(group, shared);
    const isUnnamed = group.some(({ unnamed }) => unnamed);
    app.all(routePath(path), (c, next) => {
      if (isUnnamed && c.env.base !== undefined) throw notFound(c);
      const { method } = c.req;
      return (handlers.get(method === "HEAD" ? "GET" : method) ?? refuse)(c, next);
    });
  }
}

/** `{pid}` is one segment; a final `{path}` is the rest of the path, including slashes. */
function routePath(path: string): string {
  return path.replace(/\{path\}$/, ":path{.+}").replaceAll(/\{(\w+)\}/g, ":$1");
}

function createHandler(operation: Operation, shared: Shared): HttpHandler {
  if (operation.method === "POST" && operation.body === undefined) {
    throw new TypeError(`Operation "${operation.id}" is a POST without a body schema`);
  }
  const refusal = findSwitch(operation, shared.config);
  if (refusal !== undefined) return refuse(refusal);
  const reader = inputReader(operation, shared.config.ignoreUnknownFields);
  const { maxBodyBytes } = shared.config.limits;
  return async ({ req, env }) => {
    const { caller } = env;
    caller?.admit?.(operation);
    const maxBytes = env.maxBodyBytes ?? maxBodyBytes;
    const body = operation.body && await readJsonBody(req.raw, maxBytes, caller);
    const { fields, ignored } = readInput(reader, {
      body,
      query: readQuery(req.url),
      path: operation.params && { sent: req.path, parameters: req.param() },
    });
    if (ignored.length > 0) env.ignored = describeIgnored(ignored);
    if (operation.large && await caller?.reserve?.() === false) return emptyResponse(CLIENT_CLOSED);
    const context = new RequestContext(shared, req.raw, caller);
    return await answer(operation, context, fields);
  };
}

async function answer(
  operation: Operation,
  context: RequestContext,
  input: unknown,
): Promise<Response> {
  let streaming = false;
  try {
    context.session.noteOperation?.(operation, input);
    const result = await operation.run(context, input);
    if (result instanceof Streamed) {
      streaming = true; // the client is watched until the last byte is generated
      result.ended.then(() => context.finish());
    }
    return answerWith(result, operation.answer);
  } catch (error) {
    if (context.clientGone) return emptyResponse(CLIENT_CLOSED);
    reportUndeclared(operation, error, context.log);
    const redacted = await redactError(context, error);
    if (redacted instanceof FieldError) throw locateInRequest(operation, redacted);
    // a handler may throw anything
    throw redacted instanceof Error ? redacted : new Error(`thrown: ${typeof redacted}`);
  } finally {
    if (!streaming) context.finish();
  }
}

function refuse(refusal: ServiceError): HttpHandler {
  return () => {
    throw refusal;
  };
}

function refuseMethod(group: readonly Operation[], { config }: Shared): HttpHandler {
  const methods = group.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]);
  const allow = methods.join(", ");
  const refusal = group.map((operation) => findSwitch(operation, config))
    .find((found) => found !== undefined);
  return ({ req }) => {
    throw refusal ??
      new Refusal("method_not_allowed", `This path takes ${allow}, not ${req.method}`, { allow });
  };
}
