/**
 * The service as one Hono app: request ids, guard and the computer's name are middleware;
 * operations and pages are routes.
 */

import { Hono } from "hono";
import type { Config } from "../config/config.ts";
import { type Log, log as standardLog } from "../core/log.ts";
import { Callables } from "../features/call/callables.ts";
import { allOperations } from "../features/mod.ts";
import type { Operation } from "../features/operation.ts";
import type { Session } from "../features/session.ts";
import { getHealth } from "../features/system/health.ts";
import type { Peers, Platform, Port } from "../platform/types/mod.ts";
import { computerName, pathBelowName, readPath } from "./address.ts";
import { jsonResponse } from "./answers.ts";
import type { Caller } from "./connections/caller.ts";
import type { HttpApp } from "./env.ts";
import { errorBody, failureResponse } from "./failures.ts";
import { guard } from "./guard.ts";
import { addMcp, type OpenMcp } from "./mcp_route.ts";
import { openToOrigins, Origins } from "./origins.ts";
import { addPages } from "./pages.ts";
import { refuseOwnBrowser } from "./refuse_browser.ts";
import { answerHeaders } from "./request_id.ts";
import { addOperations } from "./routes.ts";

export interface AppParts {
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
  /** The same operations by name, for other interfaces beside HTTP. */
  readonly callables: Callables;
  /** Answers every request; never rejects. */
  readonly fetch: (request: Request, caller?: Caller) => Response | Promise<Response>;
}

export function createApp(parts: AppParts): App {
  const { platform, config, session, log = standardLog } = parts;
  const list = parts.operations ?? allOperations(config.limits);
  const app = createGuardedApp(config, { log, getPath: pathBelowName, peers: platform.peers });
  app.use(computerName(config.name));
  const services = { platform, config, session, log };
  const callables = new Callables(services, list);
  const shared = { ...services, calls: callables };
  addOperations(app, list, shared);
  if (parts.openMcp !== undefined) {
    addMcp(app, { open: parts.openMcp, operations: list, shared });
  }
  addPages(app, list, config);
  return { fetch: app.fetch, callables };
}

/** Answers while there is no platform yet: the service is alive but not ready. */
export function createWaitingApp(config: Config, log?: Pick<Log, "error">): Pick<App, "fetch"> {
  const app = createGuardedApp(config, { log, getPath: ({ url }) => readPath(url) });
  app.get("/healthz", () => jsonResponse(getHealth(), 200));
  app.all("*", (c) => {
    const body = errorBody("unavailable", "The service is starting", c.get("requestId"));
    return jsonResponse(body, 503, { "retry-after": "1" });
  });
  return app;
}

interface GuardedOptions {
  readonly log: Pick<Log, "error"> | undefined;
  /** Absent while there is no platform yet. */
  readonly peers?: Port<Peers>;
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
  config: Config,
  { log = standardLog, getPath, peers }: GuardedOptions,
): HttpApp {
  const app: HttpApp = new Hono({ getPath });
  const origins = new Origins(config.allowOrigins);
  app.use(answerHeaders());
  if (origins.any) app.use(openToOrigins(origins));
  if (peers !== undefined) app.use(refuseOwnBrowser(peers));
  app.use(guard(config, origins));
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
