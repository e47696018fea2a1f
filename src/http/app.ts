/** The service as one function from request to response: guard, operations, pages, errors. */

import type { Config } from "../config/config.ts";
import { allOperations } from "../features/mod.ts";
import type { Operation } from "../features/operation.ts";
import type { Session } from "../features/session.ts";
import { getHealth } from "../features/system/health.ts";
import { splitName, type Target, targetOf } from "./address.ts";
import { jsonResponse, SAME_ORIGIN, withoutBody } from "./answers.ts";
import type { Caller } from "./connections/caller.ts";
import type { Shared } from "./context.ts";
import { failureResponse } from "./failures.ts";
import { checkSwitches, Guard } from "./guard.ts";
import { createPages, type PageAddress } from "./pages.ts";
import { type Call, perform } from "./perform.ts";
import { Refusal } from "./refusal.ts";
import { RequestIds } from "./request_id.ts";
import { type Match, type Methods, type Route, RouteTable } from "./routes.ts";
import { type Log, log as standardLog } from "../core/log.ts";
import type { Platform } from "../platform/types/mod.ts";

export interface AppParts {
  readonly platform: Platform;
  readonly config: Config;
  readonly session: Session;
  /** All operations, unless a test brings its own. */
  readonly operations?: readonly Operation[];
  readonly log?: Pick<Log, "error">;
}

export interface App {
  /** Answers every request; never rejects. */
  readonly fetch: (request: Request, caller?: Caller) => Promise<Response>;
}

export function createApp(parts: AppParts): App {
  const door = new Door(parts);
  return { fetch: (request, caller) => door.answer(request, caller) };
}

const STARTING = { detail: "The service is starting" };

/** Answers as long as there is no platform yet: the service is alive, and not ready. */
export function createWaitingApp(config: Config, log: Pick<Log, "error"> = standardLog): App {
  const ids = new RequestIds();
  const guard = new Guard(config);
  const answer = (request: Request): Response => {
    const requestId = ids.of(request);
    const target = targetOf(request.url);
    try {
      guard.check(request, target.path);
      if (target.path === "/healthz") return jsonResponse(getHealth(), 200, requestId);
      return jsonResponse(STARTING, 503, requestId, { "retry-after": "1" });
    } catch (error) {
      return failureResponse(error, { requestId, what: whatOf(request, target), log });
    }
  };
  return { fetch: (request) => Promise.resolve(answer(request)) };
}

type Asked = Pick<Call, "request" | "caller" | "requestId">;

class Door {
  readonly #shared: Shared;
  readonly #guard: Guard;
  readonly #table: RouteTable;
  readonly #pages: ReturnType<typeof createPages>;
  readonly #ids = new RequestIds();
  readonly #log: Pick<Log, "error">;

  constructor({ platform, config, session, operations, log }: AppParts) {
    const list = operations ?? allOperations(config.limits);
    this.#shared = { platform, config, session };
    this.#guard = new Guard(config);
    this.#table = new RouteTable(list);
    this.#pages = createPages(list, config.version);
    this.#log = log ?? standardLog;
  }

  answer(request: Request, caller?: Caller): Promise<Response> {
    const answer = this.#answer({ request, caller, requestId: this.#ids.of(request) });
    if (!this.#guard.origins.any) return answer;
    const origin = request.headers.get("origin");
    return answer.then((response) => this.#guard.origins.open(response, origin));
  }

  async #answer(asked: Asked): Promise<Response> {
    const { request, requestId } = asked;
    const target = targetOf(request.url);
    try {
      const preflight = this.#guard.check(request, target.path);
      if (preflight !== undefined) return labelled(preflight, requestId);
      const found = this.#find(target.path);
      const response = "methods" in found
        ? await this.#perform(asked, found, target)
        : labelled(await this.#pages.fetch(asGet(request), found), requestId);
      return request.method === "HEAD" ? await withoutBody(response) : response;
    } catch (error) {
      return failureResponse(error, { requestId, what: whatOf(request, target), log: this.#log });
    }
  }

  #perform(asked: Asked, { methods, parameters }: Match, { query }: Target): Promise<Response> {
    const route = this.#routeOf(methods, asked.request.method);
    return perform(this.#shared, { ...asked, route, parameters, query });
  }

  /** The operations of a path, or the page that it may be. */
  #find(path: string): Match | PageAddress {
    const direct = this.#table.find(path);
    if (direct !== undefined) return direct;
    const named = splitName(path, this.#shared.config.name);
    if (named === undefined) return { base: "", path };
    const match = this.#table.find(named.rest);
    if (match !== undefined && !match.methods.unnamed) return match;
    return { base: named.base, path: named.rest || "/" };
  }

  #routeOf(methods: Methods, method: string): Route {
    const route = methods.routes.get(method);
    if (route === undefined) {
      for (const { operation } of methods.routes.values()) {
        checkSwitches(operation, this.#shared.config);
      }
      const message = `This path takes ${methods.allow}, not ${method}`;
      throw new Refusal("method_not_allowed", message, { allow: methods.allow });
    }
    checkSwitches(route.operation, this.#shared.config);
    return route;
  }
}

/** Without the query, which may hold what nobody else should read. */
function whatOf(request: Request, target: Target): string {
  return `${request.method} ${target.path}`;
}

/** Hono drops the body of the answer to a HEAD before its length is known. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}

function labelled(response: Response, requestId: string): Response {
  for (const [name, value] of Object.entries(SAME_ORIGIN)) response.headers.set(name, value);
  response.headers.set("x-request-id", requestId);
  return response;
}
