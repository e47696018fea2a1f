/**
 * Answers the requests to the interface of another project: its routes call operations of this
 * service for the client, behind the checks that its request has passed.
 */

import type { Log } from "../core/log.ts";
import { readPath } from "./address.ts";
import { emptyResponse, failureResponse } from "./answers.ts";
import { parseJsonBody, readWholeBody } from "./body.ts";
import type { Caller, RequestTraits } from "./connections/connections.ts";
import { findSending, streamedResponse } from "./connections/long_answers.ts";
import type { Incoming } from "./context.ts";
import { givenToken } from "./guard.ts";
import { Refusal } from "./origins.ts";

/** Finds the route of a request by `incoming.path`, and answers by it; throws what is to be said. */
export type Route = (request: Request, incoming: Incoming) => Response | Promise<Response>;

/** What the routes of another interface may use, for the client of one request. */
export interface OperationClient {
  /** The answer of an operation, whatever its status; never rejects. */
  answer(request: Request): Promise<Response>;
  /** The value of the JSON body, whatever its media type. @throws ServiceError */
  readJson(): Promise<unknown>;
  /** The token that it has sent, where one was asked for. */
  readonly token?: string | undefined;
}

/** The routes of another interface. */
export type OtherRoutes = (
  request: Request,
  client: OperationClient,
) => Response | Promise<Response>;

/** Words a refusal, which has the service's own form, as the clients of another interface read it. */
export type WordRefusal = (request: Request, refusal: Response) => Promise<Response>;

interface Parts {
  /** The routes of the operations. */
  readonly route: Route;
  readonly maxBodyBytes: number;
  readonly log: Pick<Log, "error">;
}

/** Base64 makes a third more of what was sent, and the fields around it are short. */
const INNER_BODY_FACTOR = 2;
const INNER_BODY_MORE = 64 * 1024;

/** nginx's status for a client that closed the connection; no client receives it. */
export const CLIENT_CLOSED = 499;

/** A route for every path: reads the body within its limits first, and then lets `routes` answer. */
export function otherRoute(routes: OtherRoutes, { route, maxBodyBytes, log }: Parts): Route {
  const innerBytes = maxBodyBytes * INNER_BODY_FACTOR + INNER_BODY_MORE;
  return async (request, outer) => {
    const { caller, requestId, actor } = outer;
    let isAnswered = false;
    const inner = caller && admittedOnce(caller, () => isAnswered);
    inner?.admit?.({});
    checkRequest(request);
    const body = await readWholeBody(request, maxBodyBytes, caller);
    /** What the answers of the operations held that take time to send. */
    let heldBytes: number | undefined;

    async function answer(asked: Request): Promise<Response> {
      const began = performance.now();
      const incoming: Incoming = {
        caller: inner,
        requestId,
        path: readPath(asked.url),
        maxBodyBytes: innerBytes,
        ...(actor === undefined ? {} : { actor }),
      };
      const response = await answerTo(asked, incoming);
      incoming.timings?.add(response.status, performance.now() - began);
      return response;
    }

    async function answerTo(asked: Request, incoming: Incoming): Promise<Response> {
      try {
        const response = await route(asked, incoming);
        outer.notice ??= incoming.notice;
        const sending = findSending(response);
        if (sending !== undefined) heldBytes = Math.max(heldBytes ?? 0, sending.heldBytes);
        return response;
      } catch (error) {
        const what = `${asked.method} ${incoming.path}`;
        return failureResponse(error, { requestId, what, log });
      }
    }

    const { url, method, headers, signal } = request;
    const read = new Request(url, { method, headers, signal, body: body ?? null });
    const readJson = () => parseJsonBody(body === undefined ? [] : [body]);
    if (body !== undefined) caller?.holdBody?.(body.length);
    try {
      const token = actor === undefined ? undefined : givenToken(headers);
      const response = await routes(read, { answer, readJson, token });
      isAnswered = true;
      return followed(response, heldBytes);
    } catch (error) {
      if (signal.aborted) return emptyResponse(CLIENT_CLOSED);
      throw error;
    } finally {
      if (body !== undefined) caller?.endBody?.(() => {}); // nothing holds it any more
    }
  };
}

/** Methods that no `Request` of a program can have (Fetch standard, 2.2.1). */
const FORBIDDEN_METHOD = /^(?:connect|trace|track)$/i;

/** @throws Refusal for what a server can receive, but a route cannot be given */
function checkRequest({ method, url }: Request): void {
  if (FORBIDDEN_METHOD.test(method)) {
    throw new Refusal("method_not_allowed", `Nothing here takes ${method.toUpperCase()}`);
  }
  if (!URL.canParse(url)) throw new Refusal("invalid", "The address of the request is not a URL");
}

/** The refusal in the form of another interface, with its headers; as it is where that has none. */
export async function reworded(
  word: WordRefusal,
  request: Request,
  refusal: Response,
): Promise<Response> {
  let worded: Response;
  try {
    worded = await word(request, refusal.clone());
  } catch {
    return refusal; // what has refused the request is more than that its form cannot be loaded
  }
  for (const [name, value] of refusal.headers) {
    if (!name.startsWith("content-")) worded.headers.set(name, value);
  }
  return worded;
}

const EVENTS = "text/event-stream";

/** What is made of a long answer takes as long to send: its connection is busy until then. */
function followed(response: Response, heldBytes: number | undefined): Response {
  const { body, status, headers } = response;
  if (body === null || findSending(response) !== undefined) return response;
  const isLong = heldBytes !== undefined || headers.get("content-type")?.startsWith(EVENTS);
  return isLong ? streamedResponse(body, { status, headers }, heldBytes) : response;
}

/**
 * The client of one request that calls several operations: whether there is room for it is decided
 * once for each kind of request, so that no short operation is refused after another has acted; all
 * of them share the permit for a large answer, which the connection holds until that is sent; and none
 * reads from the connection.
 * @param isAnswered whether the answer is being sent: its permit can no longer be taken
 */
function admittedOnce(caller: Caller, isAnswered: () => boolean): Caller {
  let isAdmitted = false;
  let isLongAdmitted = false;
  let reserved: Promise<boolean> | undefined;
  return {
    remoteAddr: caller.remoteAddr,
    ...(caller.localAddr === undefined ? {} : { localAddr: caller.localAddr }),
    admit({ long = false }: RequestTraits) {
      if (long ? isLongAdmitted : isAdmitted) return;
      caller.admit?.({ long });
      isAdmitted = true;
      isLongAdmitted ||= long;
    },
    reserve() {
      if (isAnswered()) return reserved ?? Promise.resolve(true);
      return reserved ??= caller.reserve?.() ?? Promise.resolve(true);
    },
  };
}
