/**
 * Refuses requests of browsers that a service of this user controls: who may use the browser alone
 * must not get at everything else by what it shows.
 */

import type { Peers, Port } from "../platform/types/mod.ts";
import type { Caller } from "./connections/caller.ts";
import type { HttpContext, Middleware } from "./env.ts";
import { Refusal } from "./refusal.ts";

/** By this header the browser operations know the refusal, whatever the page was called. */
export const REFUSED_HEADER = { "x-refused": "browser" };

/** Looks once for each connection, and never at clients that are no browsers. */
export function refuseOwnBrowser(peers: Port<Peers>): Middleware {
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
      "A browser that a service controls cannot use this service: call it from a program, or open it in another browser",
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
