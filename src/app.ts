/** The service as one function from request to response: guard, operations, pages, errors. */

import type { Config } from "./config.ts";
import { allOperations } from "./features/mod.ts";
import type { Operation } from "./features/operation.ts";
import type { Session } from "./features/session.ts";
import { splitName, type Target, targetOf } from "./http/address.ts";
import { jsonResponse, withoutBody } from "./http/answers.ts";
import type { Shared } from "./http/context.ts";
import { failureResponse } from "./http/failures.ts";
import { checkSwitches, Guard } from "./http/guard.ts";
import { createPages, type PageAddress } from "./http/pages.ts";
import { type Call, perform } from "./http/perform.ts";
import { Refusal } from "./http/refusal.ts";
import { RequestIds } from "./http/request_id.ts";
import { type Match, type Methods, type Route, RouteTable } from "./http/routes.ts";
import { type Log, log as standardLog } from "./log.ts";
import type { Platform } from "./platform/types.ts";

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
  readonly fetch: (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;
}

export function createApp(parts: AppParts): App {
  const door = new Door(parts);
  return { fetch: (request, info) => door.answer(request, info) };
}

/** Answers as long as there is no platform yet, to everybody the same. */
export function createWaitingApp(): App {
  const ids = new RequestIds();
  const body = { detail: "The service is starting" };
  const later = { "retry-after": "1" };
  return { fetch: (request) => Promise.resolve(jsonResponse(body, 503, ids.of(request), later)) };
}

type Asked = Pick<Call, "request" | "info" | "requestId">;

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

  answer(request: Request, info?: Deno.ServeHandlerInfo): Promise<Response> {
    const answer = this.#answer({ request, info, requestId: this.#ids.of(request) });
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
  response.headers.set("x-request-id", requestId);
  return response;
}
