/**
 * The service as one Hono app: request ids, guard and the computer's name are middleware;
 * operations and pages are routes.
 */

import { Hono } from "hono";
import { timingSafeEqual } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Group } from "../core/groups.ts";
import { FieldError, type ServiceError } from "../core/errors.ts";
import { isLogged, type Log, log as standardLog } from "../core/log.ts";
import { isTraced, trace } from "../core/trace.ts";
import { Callables } from "../features/call/callables.ts";
import { reportUndeclared } from "../features/call/unknown_fields.ts";
import { groupOf, OperationGroups } from "../features/mod.ts";
import type { Operation } from "../features/operation.ts";
import { redactError } from "../features/secrets/redact_texts.ts";
import type { Session } from "../features/session.ts";
import { Streamed } from "../features/streamed.ts";
import { findSwitch } from "../features/switched_off.ts";
import type { Capability, Peers, Platform } from "../platform/types/mod.ts";
import { computerName, pathBelowName, readAuthority, readPath, readQuery } from "./address.ts";
import { answerWith, emptyResponse, jsonResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import {
  BrowserSessions,
  isSignedIn,
  openSession,
  SESSION_PATH,
  signInResponse,
} from "./browser_session.ts";
import type { Caller } from "./connections/serve_connection.ts";
import { RequestContext, type Shared } from "./context.ts";
import { addNotFound, addPages, notFound } from "./docs.ts";
import type { HttpApp, HttpContext, HttpHandler, Middleware } from "./env.ts";
import { errorBody, failureResponse } from "./failures.ts";
import { describeIgnored, inputReader, locateInRequest, readInput } from "./input.ts";
import { addMcp, type OpenMcp } from "./mcp_route.ts";
import { Hosts, openToOrigins, Origins, Refusal } from "./origins.ts";

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
}

export function createApp(parts: AppParts): App {
  const { platform, config, session, operations, log = standardLog } = parts;
  const services = { platform, config, session, log };
  const callables = new Callables(services, operations ?? []);
  const shared = { ...services, calls: callables };
  const groups = new OperationGroups(config.limits);
  const all = async () => operations ?? await groups.all();
  const middleware = guards(config, { peers: platform.peers });
  middleware.push(computerName(config.name));

  function openApp(): HttpApp {
    const app = createGuardedApp(middleware, { log, getPath: pathBelowName });
    addNotFound(app, all);
    return app;
  }

  const apps = new Map<Group, HttpApp | Promise<HttpApp>>();
  async function openGroup(group: Group): Promise<HttpApp> {
    const app = openApp();
    try {
      callables.add(await groups.loadCalled(group));
      addOperations(app, await groups.load(group), shared);
      apps.set(group, app);
    } catch (error) {
      apps.delete(group);
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

  /** The app that knows the path of a request. */
  function appFor(request: Request): HttpApp | Promise<HttpApp> {
    const group = operations === undefined ? groupOf(pathBelowName(request)) : undefined;
    if (group === undefined) return others;
    const known = apps.get(group);
    if (known !== undefined) return known;
    const opening = openGroup(group);
    apps.set(group, opening);
    return opening;
  }

  /** While a group is loaded: whatever is asked for meanwhile waits, so that requests keep their order. */
  let opening: Promise<unknown> | undefined;

  return {
    callables,
    fetch(request, caller) {
      const app = appFor(request);
      if (opening === undefined && !(app instanceof Promise)) return app.fetch(request, caller);
      const ready = Promise.all([app, opening]);
      opening = ready;
      return ready.then(([{ fetch }]) => {
        if (opening === ready) opening = undefined;
        return fetch(request, caller);
      });
    },
  };
}

/** Answers while there is no platform yet: the service is alive but not ready. */
export function createWaitingApp(config: Config, log?: Pick<Log, "error">): Pick<App, "fetch"> {
  const app = createGuardedApp(guards(config), { log, getPath: ({ url }) => readPath(url) });
  app.get("/healthz", () => jsonResponse({ status: "ok" }, 200));
  app.all("*", (c) => {
    const body = errorBody("unavailable", "The service is starting", c.get("requestId"));
    return jsonResponse(body, 503, { "retry-after": "1" });
  });
  return app;
}

/** What stands before every route; `peers` is absent while there is no platform yet. */
function guards(config: Config, { peers }: { readonly peers?: Capability<Peers> } = {}) {
  const origins = new Origins(config.allowOrigins);
  const middleware: Middleware[] = [answerHeaders()];
  if (origins.any) middleware.push(openToOrigins(origins));
  if (peers !== undefined) middleware.push(refuseOwnBrowser(peers));
  middleware.push(guard(config, origins));
  return middleware;
}

interface GuardedOptions {
  readonly log: Pick<Log, "error"> | undefined;
  /** The path by which routes are found. */
  readonly getPath: (request: Request) => string;
}

/**
 * Hono's default router finds a route with one look-up. A move takes about 20 µs of processor time,
 * of which the app with its three middlewares takes 1.4 µs with this router (SmartRouter over
 * RegExpRouter), 1.3 µs with RegExpRouter alone, 2.2 µs with TrieRouter, 4.3 µs with PatternRouter
 * and 5.1 µs with LinearRouter. Without routes and middleware an answer takes 0.3 µs.
 */
function createGuardedApp(
  middleware: readonly Middleware[],
  { log = standardLog, getPath }: GuardedOptions,
): HttpApp {
  const app: HttpApp = new Hono({ getPath });
  app.use(...middleware);
  app.onError((error, c) => {
    const { method, url } = c.req;
    // without the query, which may contain confidential data
    return failureResponse(error, {
      requestId: c.get("requestId"),
      what: `${method} ${readPath(url)}`,
      log,
    });
  });
  return app;
}

// Refuses requests of browsers that a service of this user controls: who may use the browser alone
// must not get at everything else by what it shows.

/** By this header the browser operations know the refusal, whatever the page was called. */
const REFUSED_HEADER = { "x-refused": "browser" };

/** Looks once for each connection, and never at clients that are no browsers. */
function refuseOwnBrowser(peers: Capability<Peers>): Middleware {
  if (!peers.ready || peers.use.isOwnBrowser === undefined) return (_, next) => next();
  const { use } = peers;
  const others = new WeakSet<Caller>();
  const check = async (c: HttpContext): Promise<void> => {
    const { remoteAddr: remote, localAddr: local } = c.env;
    if (remote.transport !== "tcp" || !await use.isOwnBrowser!({ remote, local })) {
      return void others.add(c.env);
    }
    throw new Refusal(
      "forbidden",
      "A browser that is controlled by a service cannot use this service: call it from a program, or open it in another browser",
      REFUSED_HEADER,
    );
  };
  return (c, next) => {
    // tests have no connection; every request of a browser has this header, which no page can change
    if (c.env?.remoteAddr === undefined || others.has(c.env)) return next();
    if (c.req.raw.headers.has("accept-encoding")) return check(c).then(next);
    others.add(c.env);
    return next();
  };
}

// Sets the headers of every answer: the id of its request, the fields that were ignored, and the
// ban on embedding by pages of other origins.

/** A token that is safe in a header and in a log line. */
const SANE = /^[\w.:-]{1,128}$/;

/** Sets the headers of all answers, and the length for the answer to a HEAD request. */
function answerHeaders(): Middleware {
  const ids = new RequestIds();
  return async (c, next) => {
    const id = ids.of(c.req.raw);
    c.set("requestId", id);
    if (isTraced("http") || isLogged("debug")) await watched(c, next, id);
    else await next();
    const { headers } = c.res;
    // not even as a picture (Fetch standard, 3.7)
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("x-request-id", id);
    const ignored = c.get("ignored");
    if (ignored !== undefined) headers.set("x-ignored-fields", ignored);
    if (c.req.method !== "HEAD" || c.res.body === null) return;
    // a body of known length is not read for it
    if (headers.has("content-length")) await c.res.body.cancel();
    else headers.set("content-length", String((await c.res.arrayBuffer()).byteLength));
  };
}

/** Logs a request and its answer; without the query, which may contain confidential data. */
async function watched(c: HttpContext, next: () => Promise<void>, id: string): Promise<void> {
  const request = `${c.req.method} ${readPath(c.req.url)}`;
  if (isTraced("http")) trace("http", "from", request, { request_id: id });
  const began = performance.now();
  await next();
  const { status } = c.res;
  const ms = Math.round((performance.now() - began) * 1_000) / 1_000;
  if (isTraced("http")) trace("http", "to", String(status), { request_id: id, ms });
  standardLog.debug("request", { request, status, ms, request_id: id });
}

/**
 * Uses the client's own id if it is a safe token; otherwise combines an id of this run (so that no
 * two runs share ids) with a counter, which costs next to nothing.
 */
class RequestIds {
  readonly #start = [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
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

/** Passes a request on, answers a preflight, or throws a Refusal: `forbidden` or `unauthorized`. */
function guard(config: Config, origins: Origins): Middleware {
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
  const shown = JSON.stringify(host.slice(0, 100));
  return new Refusal(
    "forbidden",
    `Host ${shown} is not this computer: name it with --allow-host if it is`,
  );
}

// Makes each operation a route: reads the body and fields, calls the handler, and answers.

/** nginx's status for a client that closed the connection; no client receives it. */
const CLIENT_CLOSED = 499;

function addOperations(
  app: HttpApp,
  operations: readonly Operation[],
  shared: Shared,
): void {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const route = routePath(path);
    if (group.some(({ unnamed }) => unnamed)) app.use(route, withoutName);
    for (const operation of group) {
      app.on(operation.method, route, createHandler(operation, shared));
    }
    app.all(route, refuseMethod(group, shared));
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
  return async (c) => {
    const { req } = c;
    const caller: Caller | undefined = c.env;
    caller?.admit?.(operation);
    const body = operation.body && await readJsonBody(req.raw, maxBodyBytes, caller);
    const { fields, ignored } = readInput(reader, {
      body,
      query: readQuery(req.url),
      path: operation.params && { sent: req.path, parameters: req.param() },
    });
    if (ignored.length > 0) c.set("ignored", describeIgnored(ignored));
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
    const shown = await redactError(context, error);
    if (shown instanceof FieldError) throw locateInRequest(operation, shown);
    // Hono passes only instances of Error to its error handler
    throw shown instanceof Error ? shown : new Error(`thrown: ${typeof shown}`);
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

const withoutName: Middleware = (c, next) => {
  if (c.get("base") !== undefined) throw notFound(c);
  return next();
};
