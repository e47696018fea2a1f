/** What a route knows about a request besides the request itself. */

import type { Context, Handler, Hono } from "hono";
import type { Actor } from "../features/actor.ts";
import type { Timings } from "../features/figures.ts";
import type { Caller } from "./connections/connections.ts";

export interface Incoming {
  /** Absent when a test calls the app without a connection. */
  readonly caller: Caller | undefined;
  readonly requestId: string;
  /** The path by which the route is found. */
  readonly path: string;
  /** Whose token it carries; set once it has passed the guard. */
  actor?: Actor;
  /** Whether it only asks for readiness, without a token: it learns yes or no, and no reasons. */
  isProbe?: boolean;
  /** The most bytes of its body, where they are not those of the configuration. */
  readonly maxBodyBytes?: number;
  /** The computer's path prefix in the address, `/desk-1`; absent if there is none. */
  base?: string;
  /** The fields that the operation does not know, as the header names them. */
  ignored?: string;
  /** What its program has to know since a person has handed back control. */
  notice?: string | undefined;
  /** Where it is counted; absent for what reaches no operation. */
  timings?: Timings;
  /** Keeps the answer of a request with a key, and gives the one to send. */
  keep?: (response: Response) => Promise<Response>;
}

export interface HttpEnv {
  Bindings: Incoming;
}

export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;
export type HttpHandler = Handler<HttpEnv>;
