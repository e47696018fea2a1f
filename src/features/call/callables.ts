/**
 * Calls operations by name with one flat object of fields: batch, MCP and vendors' actions all use
 * this. Names, fields and errors come from the list of operations.
 */

import { CALLER_LEFT } from "../../core/deadline.ts";
import {
  FieldError,
  InputError,
  ServiceError,
  shortageError,
  type ValidationError,
} from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Actor } from "../actor.ts";
import { Control } from "../control/control.ts";
import { findDesk } from "../on_desk.ts";
import type { Passage } from "../control/passage.ts";
import { DisplaySessions } from "../input/display_sessions.ts";
import { InputScope } from "../input_scope.ts";
import { Figures } from "../figures.ts";
import type { Answer, DetailedResult, OneOf, Operation } from "../operation.ts";
import type { NotedCall } from "../session.ts";
import { redactError } from "../secrets/redact_texts.ts";
import { type FileStream, Streamed } from "../streamed.ts";
import { findSwitch } from "../permissions.ts";
import { callName, nearestNames, otherNames } from "../call_names.ts";
import {
  type CallResult,
  type Calls,
  type CallServices,
  type Context,
  enteredContext,
  innerContext,
  type Prepared,
  type PrepareOptions,
  type RunOptions,
} from "../context.ts";
import { type Fields, FlatInput, locateFieldError, moveValidationErrors } from "./check_fields.ts";
import type { Loc } from "./validation_errors.ts";
import { reportUndeclared } from "./unknown_fields.ts";

/** What all calls share. */
export interface Services extends CallServices {
  readonly log: Pick<Log, "error">;
}

/** All operations of a service. */
export interface OperationSource {
  readonly services: Services;
  readonly operations: readonly Operation[];
}

/** A request to an endpoint that calls operations by name; its body has been read. */
export interface ReadRequest {
  readonly request: Request;
  readonly body: unknown;
  /** Who calls. */
  readonly actor: Actor;
  readonly requestId: string;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * Must be called before any work is done.
   * @throws ServiceError `unavailable` when too many connections are busy
   */
  admit(traits: { readonly long: boolean }): void;
}

/**
 * Largest streamed answer that is collected for a caller by name, in bytes: more takes the main
 * thread too long to parse, and no model reads it.
 */
const MAX_COLLECTED_BYTES = 1024 * 1024;
const MAX_NEAREST_NAMES = 3;
const MAX_NAME_LENGTH = 100;

export class Callables implements Calls {
  #byName = new Map<string, Operation>();
  #byOtherName = new Map<string, Operation>();

  constructor(private readonly services: Services, operations: readonly Operation[]) {
    this.add(operations);
  }

  within(services: CallServices): Callables {
    const within = new Callables({ ...services, log: this.services.log }, []);
    within.#byName = this.#byName;
    within.#byOtherName = this.#byOtherName;
    return within;
  }

  /** From now on these can be called, too. */
  add(operations: readonly Operation[]): void {
    for (const operation of operations) {
      this.#byName.set(callName(operation), operation);
      for (const name of otherNames(operation)) this.#byOtherName.set(name, operation);
    }
  }

  /** Also by path (`mouse/left-click`) and by OpenAPI id (`leftClick`). */
  find(name: string): Operation | undefined {
    return this.#byName.get(name) ?? this.#byOtherName.get(name);
  }

  prepare(
    name: string,
    input: unknown,
    { lenient = false, at = ["input"] }: PrepareOptions = {},
  ): Prepared {
    const operation = this.find(name);
    if (operation === undefined) throw new InputError([this.#unknownName(name, at)]);
    const refusal = findSwitch(operation, this.services.config);
    if (refusal !== undefined) throw refusal;
    const known = new FlatInput(operation);
    const fields = known.read(lenient ? known.lenient(input) : input, at);
    return {
      name: callName(operation),
      operation,
      run: (options) =>
        this.#counted(operation, options, () => this.#runNoted(operation, { fields, at }, options)),
      enter: (options) => this.#enter(operation, fields, this.#asContext(options)),
      needsApproval: (actor) =>
        this.services.session.use(Control).approvals?.needs(operation, actor, fields) ?? false,
    };
  }

  openInputScope(signal: AbortSignal): InputScope {
    return new InputScope(signal, this.services.session.use(DisplaySessions).inputScopes);
  }

  async #counted<T>(operation: Operation, options: RunOptions, run: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const { service } = this.services.session;
    const timings = Figures.of(service.use(Figures).calls, operation.id);
    try {
      const { spans } = service;
      const result = await (spans === undefined ? run() : spans.run(operation, run));
      timings.add("ok", performance.now() - began);
      return result;
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : "internal";
      timings.add(hasCallerLeft(options) ? "cancelled" : code, performance.now() - began);
      throw error;
    }
  }

  /** Tells those who watch what is done. */
  async #runNoted(
    operation: Operation,
    call: { readonly fields: Fields; readonly at: Loc },
    options: RunOptions,
  ): Promise<CallResult> {
    const { session } = this.services;
    const desk = findDesk(operation, { session, actor: options.actor }, call.fields);
    const caller = desk === undefined ? options : { ...options, desk };
    const noted = session.service.noteCall?.(operation, call.fields, caller);
    if (noted === undefined) return await this.#run(operation, call, options);
    try {
      const result = await this.#run(operation, call, options, noted);
      noted.end(undefined, result.kind === "json" ? result.value : undefined);
      return result;
    } catch (error) {
      noted.end(hasCallerLeft(options) ? CALLER_LEFT : error);
      throw error;
    }
  }

  async #run(
    operation: Operation,
    { fields, at }: { readonly fields: Fields; readonly at: Loc },
    options: RunOptions,
    noted?: NotedCall,
  ): Promise<CallResult> {
    const { session } = this.services;
    const asked = this.#asContext(options);
    const entering = this.#enter(operation, fields, asked);
    using passage = entering instanceof Promise ? await entering : entering;
    const context = enteredContext(asked, passage);
    let result: unknown;
    try {
      if (session.noteOperation !== undefined) {
        const desk = findDesk(operation, { session, actor: options.actor }, fields);
        if (desk?.name === session.desk?.name) session.noteOperation(operation, fields);
      }
      if (noted?.prepare !== undefined) {
        await noted.prepare();
        passage.check();
        context.signal.throwIfAborted();
      }
      result = await operation.run(context, fields);
    } catch (error) {
      passage.check();
      if (options.signal.aborted) throw error;
      reportUndeclared(operation, error, this.services.log);
      const redacted = await redactError(context, error);
      passage.check();
      throw this.#asServiceError(operation, redacted, at);
    }
    const answer = await toCallResult(result, operation.answer);
    passage.check();
    return answer;
  }

  #asContext(options: RunOptions): Context {
    return innerContext({ ...this.services, calls: this }, options);
  }

  #enter(operation: Operation, fields: Fields, asked: Context): Passage | Promise<Passage> {
    return this.services.session.use(Control).enter(operation, asked, fields);
  }

  /** Logs failures of the service, which nobody else may report. */
  #asServiceError({ id }: Operation, error: unknown, at: Loc): ServiceError {
    if (error instanceof FieldError) return locateFieldError(error, () => at);
    if (error instanceof InputError) return moveValidationErrors(error, at);
    if (error instanceof ServiceError && error.code !== "internal") return error;
    const shortage = shortageError(error);
    if (shortage !== undefined) return shortage;
    const stack = error instanceof Error ? error.stack : undefined;
    this.services.log.error("call crashed", { operation: id, error: stack ?? typeof error });
    const message = "Internal error: see the log of the service";
    return new ServiceError("internal", message, { cause: error });
  }

  #unknownName(name: string, at: Loc): ValidationError {
    const quoted = JSON.stringify(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    const nearest = nearestNames(name.slice(0, MAX_NAME_LENGTH), [...this.#byName.keys()])
      .slice(0, MAX_NEAREST_NAMES)
      .map((known) => `"${known}"`);
    const hint = nearest.length === 0
      ? 'a name is the group and the rest of the path: "mouse.left-click"'
      : `the nearest ${nearest.length === 1 ? "is" : "are"} ${nearest.join(", ")}`;
    return {
      loc: [...at.slice(0, -1), "operation"],
      msg: `There is no operation ${quoted}; ${hint}`,
      type: "value_error",
    };
  }
}

/** Whether the caller has left; a call that was ended for another reason has that for its error. */
function hasCallerLeft({ signal: { aborted, reason } }: Pick<RunOptions, "signal">): boolean {
  return aborted && !(reason instanceof ServiceError);
}

// Turns the result of a handler into the result of a call, as the operation declares it.

/** @throws ServiceError `too_large` when a streamed answer has too many bytes */
async function toCallResult(result: unknown, answer: Answer | OneOf): Promise<CallResult> {
  if ("oneOf" in answer) {
    const { outcome, body, ...rest } = result as DetailedResult;
    const chosen = answer.oneOf[outcome];
    if (chosen === undefined) throw new TypeError(`There is no answer "${outcome}"`);
    const { file } = rest;
    const read = file && { ...rest, bytes: await readAll(file) };
    const detailed = "schema" in chosen ? body : read ?? rest;
    return { outcome, ...plainResult(detailed, chosen, rest.headers) };
  }
  if (result instanceof Streamed) {
    return { kind: "json", value: await collect(result), headers: {} };
  }
  return plainResult(result, answer);
}

function plainResult(
  result: unknown,
  answer: Answer,
  headers: DetailedResult["headers"] = {},
): CallResult {
  if ("schema" in answer) return { kind: "json", value: result ?? null, headers };
  if (!("mediaTypes" in answer)) return { kind: "nothing", headers };
  const { mediaType, bytes, headers: own = headers } = result as DetailedResult;
  return { kind: "file", mediaType: mediaType!, bytes: bytes!, headers: own };
}

async function readAll({ stream, length }: FileStream): Promise<Uint8Array<ArrayBuffer>> {
  if (length !== undefined && length <= MAX_COLLECTED_BYTES) {
    return await new Response(stream).bytes();
  }
  await stream.cancel();
  throw new ServiceError(
    "too_large",
    length === undefined
      ? "The answer has no end: get it over HTTP"
      : `The file has ${length} bytes, more than ${MAX_COLLECTED_BYTES}: get it over HTTP`,
  );
}

async function collect({ json }: Streamed): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of json) { // leaving the loop cancels the stream
    size += chunk.byteLength;
    if (size > MAX_COLLECTED_BYTES) {
      const message = `The answer is larger than ${MAX_COLLECTED_BYTES} bytes: request less`;
      throw new ServiceError("too_large", message);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
