/**
 * `/v1/files/{path}`: files as bytes. GET and HEAD send one, or a range; PUT receives one, which
 * appears as a whole or not at all; DELETE removes what is there. Loaded by the first request.
 */

import { Blocks } from "../core/bytes.ts";
import { unlessAborted } from "../core/deadline.ts";
import { FieldError, importModules, InputError, ServiceError } from "../core/errors.ts";
import type { Operation } from "../features/operation.ts";
import { findSwitch } from "../features/permissions.ts";
import { readQuery, tryDecode } from "./address.ts";
import { inTime } from "./body.ts";
import type { Caller } from "./connections/connections.ts";
import { type HttpApp, type HttpContext, RequestContext, type Shared } from "./context.ts";
import { refuseMethod } from "./docs.ts";
import { answer } from "./operation_routes.ts";

const PREFIX = "/v1/files/";
const MAX_PATH = 16_384;
/** Bytes that are written at once: what a client sends comes in smaller pieces. */
const PIECE = 1024 * 1024;
/** What would make a PUT depend on something, or write a part of a file. */
const NOT_SUPPORTED = ["if-match", "if-none-match", "if-unmodified-since", "content-range"];

export function addFiles(app: HttpApp, shared: Shared): void {
  app.all(`${PREFIX}*`, async (c, next) => {
    const { method } = c.req;
    if (!["GET", "HEAD", "PUT", "DELETE"].includes(method)) {
      return await refuseMethod("GET, HEAD, PUT, DELETE")(c, next);
    }
    const streams = await importModules(() => import("../features/filesystem/byte_streams.ts"));
    const path = readFilePath(c);
    if (method === "PUT") {
      checkPut(c);
      const bytes = (signal: AbortSignal) => receive(c.req.raw, c.env.caller, signal);
      return await run(streams.receiveFile(bytes), c, { path });
    }
    if (method === "DELETE") return await run(streams.deleteFile(), c, { path, ...recursive(c) });
    checkNoQuery(c);
    return await run(streams.SEND_FILE, c, { path });
  });

  async function run(operation: Operation, { req, env }: HttpContext, input: object) {
    const refusal = findSwitch(operation, shared.config);
    if (refusal !== undefined) throw refusal;
    env.caller?.admit?.({ long: true });
    const context = new RequestContext(shared, req.raw, env);
    return await answer(operation, { context, incoming: env, input });
  }
}

/** Decoded once: absolute, `~/...`, or relative to the home. */
function readFilePath({ env }: HttpContext): string {
  const path = tryDecode(env.path.slice(PREFIX.length));
  if (path === undefined) throw invalid("path", "The path has a % that is no escape of UTF-8");
  if (path.length > MAX_PATH) throw invalid("path", `Path is longer than ${MAX_PATH} characters`);
  return path;
}

function checkPut(c: HttpContext): void {
  for (const name of NOT_SUPPORTED) {
    if (c.req.header(name) !== undefined) {
      throw new ServiceError("unsupported", `PUT takes no ${name}: it replaces the whole file`);
    }
  }
  checkNoQuery(c);
}

function checkNoQuery({ req: { url, method } }: HttpContext): void {
  if (readQuery(url) !== "") throw invalid("query", `${method} takes no fields in the query`);
}

function recursive({ req }: HttpContext): { readonly recursive: boolean } {
  const query = new URLSearchParams(readQuery(req.url));
  const given = query.get("recursive") ?? "false";
  const others = [...query.keys()].filter((name) => name !== "recursive");
  if (others.length > 0) throw invalid("query", "DELETE takes no other field than recursive");
  if (given === "true" || given === "false") return { recursive: given === "true" };
  throw invalid("query", "recursive should be true or false");
}

function invalid(where: "path" | "query", msg: string): InputError {
  return new InputError([{ loc: [where], msg, type: "value_error" }]);
}

/**
 * The body in pieces, each of which has to come in time.
 * @throws ServiceError when it breaks off; the signal's reason
 */
async function* receive(
  request: Request,
  caller: Caller | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  const pieces = new Blocks(PIECE);
  const brokeOff = () => new FieldError("body", "The body of the request broke off");
  try {
    for (;;) {
      const read = inTime(reader.read(), caller, brokeOff);
      const { done, value } = await unlessAborted(read, signal);
      if (done) break;
      yield* pieces.add(value);
    }
    yield* pieces.rest();
    signal.throwIfAborted();
  } finally {
    reader.cancel().catch(() => {}); // the client may have closed its side
  }
}
