/** The variables of a request in the Hono app. */

import type { Context, Handler, Hono, MiddlewareHandler } from "hono";
import type { Caller } from "./connections/serve_connection.ts";

/** `Bindings` is absent when a test calls the app without a connection. */
export interface HttpEnv {
  Bindings: Caller;
  Variables: {
    requestId: string;
    /** The computer's path prefix in the address, `/desk-1`; absent if there is none. */
    base?: string;
    /** The fields that the operation does not know, as the header names them. */
    ignored?: string;
  };
}

export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;
export type HttpHandler = Handler<HttpEnv>;
export type Middleware = MiddlewareHandler<HttpEnv>;
