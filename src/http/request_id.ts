/**
 * Sets the headers of every answer: the id of its request, the fields that were ignored, and the
 * ban on embedding by pages of other origins.
 */

import type { Middleware } from "./env.ts";

/** A token that is safe in a header and in a log line. */
const SANE = /^[\w.:-]{1,128}$/;

/** Sets the headers of all answers, and the length for the answer to a HEAD request. */
export function answerHeaders(): Middleware {
  const ids = new RequestIds();
  return async (c, next) => {
    const id = ids.of(c.req.raw);
    c.set("requestId", id);
    await next();
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
