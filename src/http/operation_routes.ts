/** Makes each operation a route: reads the body and fields, calls the handler, and answers. */

import { createHash } from "node:crypto";
import { CALLER_LEFT } from "../core/deadline.ts";
import { FieldError, type ServiceError } from "../core/errors.ts";
import { reportUndeclared } from "../features/call/unknown_fields.ts";
import { Control } from "../features/control/control.ts";
import type { Passage } from "../features/control/passage.ts";
import { findDesk } from "../features/on_desk.ts";
import { Figures } from "../features/figures.ts";
import type { Operation } from "../features/operation.ts";
import { redactError } from "../features/secrets/redact_texts.ts";
import { Streamed } from "../features/streamed.ts";
import { findSwitch } from "../features/permissions.ts";
import { readQuery } from "./address.ts";
import { answerWith, emptyResponse, failureResponse } from "./answers.ts";
import { readJsonBody } from "./body.ts";
import { findSending, type Sending } from "./connections/long_answers.ts";
import {
  type HttpApp,
  type HttpHandler,
  type Incoming,
  RequestContext,
  type Shared,
} from "./context.ts";
import { notFound, READING, refuseMethod } from "./docs.ts";
import { IdempotentRequests, KEY_HEADER } from "./idempotency.ts";
import { describeIgnored, inputReader, locateInRequest, readInput } from "./input.ts";
import { CLIENT_CLOSED } from "./other_interface.ts";

export function addOperations(
  app: HttpApp,
  operations: readonly Operation[],
  shared: Shared,
): void {
  for (const [path, group] of Map.groupBy(operations, ({ path }) => path)) {
    const handlers = new Map<string, HttpHandler>(
      group.map((operation) => [operation.method, createHandler(operation, shared)]),
    );
    const others = refuseOthers(group, shared);
    const isUnnamed = group.some(({ unnamed }) => unnamed);
    app.all(routePath(path), (c, next) => {
      if (isUnnamed && c.env.base !== undefined) throw notFound(c);
      const { method } = c.req;
      return (handlers.get(method === "HEAD" ? "GET" : method) ?? others)(c, next);
    });
  }
}

/** `{pid}` is one segment; a final `{path}` is the rest of the path, including slashes. */
function routePath(path: string): string {
  return path.replace(/\{path\}$/, ":path{.+}").replaceAll(/\{(\w+)\}/g, ":$1");
}

function createHandler(operation: Operation, shared: Shared): HttpHandler {
  if (operation.method === "POST" && operation.body === undefined) {
    throw new TypeError(`Operation "${operation.id}" is a POST without a body schema`);
  }
  const refusal = findSwitch(operation, shared.config);
  if (refusal !== undefined) return refuse(refusal);
  const reader = inputReader(operation, shared.config.ignoreUnknownFields);
  const { maxBodyBytes } = shared.config.limits;
  const timings = Figures.of(shared.session.use(Figures).requests, operation.id);
  return async ({ req, env }) => {
    env.timings = timings;
    shared.session.spans?.nameRequest(operation, operation.method);
    const { caller } = env;
    caller?.admit?.(operation);
    const maxBytes = env.maxBodyBytes ?? maxBodyBytes;
    const query = readQuery(req.url);
    const key = operation.readOnly ? null : req.raw.headers.get(KEY_HEADER);
    const hash = key === null
      ? undefined
      : createHash("sha256").update(`${req.method} ${env.path}?${query}\n`);
    const body = operation.body && await readJsonBody(req.raw, maxBytes, caller, hash);
    const { fields, ignored } = readInput(reader, {
      body,
      query,
      path: operation.params && { sent: req.path, parameters: req.param() },
    });
    if (ignored.length > 0) env.ignored = describeIgnored(ignored);
    const context = new RequestContext(shared, req.raw, env);
    const call = { context, incoming: env, input: fields };
    if (key === null || hash === undefined) return await answer(operation, call);
    return await answerOnce(operation, call, { key, fingerprint: hash.digest("base64") });
  };
}

interface Call {
  readonly context: RequestContext;
  readonly incoming: Incoming;
  readonly input: unknown;
}

/** Does nothing where the request is a repetition of one with the same key. */
async function answerOnce(
  operation: Operation,
  call: Call,
  keyed: { readonly key: string; readonly fingerprint: string },
): Promise<Response> {
  const { context, incoming } = call;
  const { requestId } = incoming;
  const what = `${operation.method} ${incoming.path}`;
  return await context.session.use(IdempotentRequests).answer({
    ...keyed,
    caller: context.actor.id,
    hasEntered: () => context.passage !== undefined,
    fail: (error) => failureResponse(error, { requestId, what, log: context.log }),
  }, (keep) => {
    incoming.keep = keep;
    return answer(operation, call);
  });
}

/** Carries out an operation whose fields have been checked, and answers as it declares. */
export async function answer(
  operation: Operation,
  { context, incoming, input }: Call,
): Promise<Response> {
  if (operation.large && await incoming.caller?.reserve?.() === false) {
    return emptyResponse(CLIENT_CLOSED);
  }
  let streaming = false;
  let sending: Sending | undefined;
  let passage: Passage | undefined;
  const { session, actor, requestId } = context;
  const desk = findDesk(operation, context, input);
  const caller = desk === undefined ? context : { actor, requestId, desk };
  const noted = session.noteCall?.(operation, input, caller);
  try {
    const control = context.session.use(Control);
    const entering = control.enter(operation, context, input);
    passage = entering instanceof Promise ? await entering : entering;
    context.begin(passage);
    incoming.notice = control.takeNotice(operation, context.actor);
    if (desk === undefined) session.noteOperation?.(operation, input);
    if (noted?.prepare !== undefined) {
      const { signal } = context; // from now on it is seen that the client leaves
      await noted.prepare();
      passage.check();
      signal.throwIfAborted();
    }
    const result = await operation.run(context, input);
    passage.check();
    noted?.end(undefined, result);
    if (result instanceof Streamed) {
      streaming = true; // the client is watched until the last byte is generated
      result.ended.then(() => context.finish());
    }
    const made = answerWith(result, operation.answer);
    const response = incoming.keep === undefined ? made : await incoming.keep(made);
    sending = findSending(response);
    if (sending !== undefined) passage.onOver(sending.stop);
    return response;
  } catch (error) {
    noted?.end(passage?.over ?? (context.clientGone ? CALLER_LEFT : error));
    context.session.spans?.failRequest(passage?.over ?? error);
    passage?.check();
    if (context.clientGone) return emptyResponse(CLIENT_CLOSED);
    if (passage === undefined) throw error; // it has not entered
    reportUndeclared(operation, error, context.log);
    const redacted = await redactError(context, context.session.use(Control).reported(error));
    passage.check();
    if (redacted instanceof FieldError) throw locateInRequest(operation, redacted);
    // a handler may throw anything
    throw redacted instanceof Error ? redacted : new Error(`thrown: ${typeof redacted}`);
  } finally {
    if (!streaming) context.finish();
    if (sending === undefined) passage?.[Symbol.dispose]();
    else sending.ended.then(() => passage?.[Symbol.dispose]());
  }
}

function refuse(refusal: ServiceError): HttpHandler {
  return () => {
    throw refusal;
  };
}

function refuseOthers(group: readonly Operation[], { config }: Shared): HttpHandler {
  const refusal = group.map((operation) => findSwitch(operation, config))
    .find((found) => found !== undefined);
  if (refusal !== undefined) return refuse(refusal);
  const methods = group.map(({ method }) => method === "GET" ? READING : method);
  return refuseMethod(methods.join(", "));
}
