/** What travels with a request through the Hono app. */

import type { Context, Handler, Hono, MiddlewareHandler } from "hono";
import type { Caller } from "./connections/caller.ts";

/** `Bindings` is missing where a test calls the app without a connection. */
export interface HttpEnv {
  Bindings: Caller;
  Variables: {
    requestId: string;
    /** The path of the computer in the address, `/desk-1`; missing without one. */
    base?: string;
  };
}

export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;
export type HttpHandler = Handler<HttpEnv>;
export type Middleware = MiddlewareHandler<HttpEnv>;
