/** Defines the batch as data, runs its steps, releases what they left pressed, and takes a picture. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { InputError, ServiceError, type ValidationError } from "../../core/errors.ts";
import { readImageHeader } from "../../imaging/image_file.ts";
import { defineOperation, json, type Operation } from "../operation.ts";
import type { CallResult, Calls, Context, FileResult, Prepared, RunOptions } from "../context.ts";
import type { InputScope } from "../input_scope.ts";
import { isObject } from "../call/check_fields.ts";
import {
  BatchAnswer,
  batchFields,
  type BatchInput,
  type Failure,
  type PictureValue,
  type Step,
} from "./fields.ts";

export function batchOperations(limits: Limits): readonly Operation[] {
  return [
    defineOperation({
      id: "runBatch",
      group: "batch",
      readOnly: false,
      runsOthers: true,
      long: true,
      method: "POST",
      path: "/api/batch",
      summary: "Run several operations one after the other",
      description:
        "All steps are checked before the first one runs: if one of them is invalid, nothing runs. The batch stops " +
        "at the first step that fails, and reports the result of each. Keys and buttons that its steps " +
        "left pressed are released at its end, but not those that others hold. When the client " +
        "disconnects, the running step stops and everything is released; release-all ends it, too. " +
        `The values and the picture of an answer have at most ${limits.maxBatchBytes} bytes together: ` +
        "a value that does not fit is omitted, and the answer says so; for the picture, the last " +
        "values are.",
      body: z.object(batchFields(limits)),
      answer: json("The outcome of each step.", BatchAnswer),
      errors: {
        forbidden:
          "A step is disabled, or changes something while --read-only is set; nothing ran.",
      },
      run: batch,
    }),
  ];
}

async function batch(context: Context, input: BatchInput): Promise<BatchAnswer> {
  const start = performance.now();
  const { actor, calls, signal, config, requestId } = context;
  const steps = prepareSteps(calls, input.steps);
  const picture = input.then_screenshot &&
    calls.prepare("display.screenshot", input.then_screenshot, { at: ["body", "then_screenshot"] });
  const values = new BoundedValues(config.limits.maxBatchBytes);
  const results = await runAndRelease(context, steps, values);
  const taken = picture && await takePicture(picture, { actor, signal, requestId }, values);
  return {
    status: results.some(({ status }) => status === "failed") ? "failed" : "completed",
    results: results.map((result, step) => withValue(result, values.get(step))),
    ...taken,
    elapsed_ms: rounded(performance.now() - start),
  };
}

/** A result as the answer has it, before it is known which values fit. */
type Result = BatchAnswer["results"][number];

/** Runs the steps until one fails, and releases what they left pressed. */
async function runAndRelease(
  { actor, calls, requestId, signal }: Context,
  steps: readonly PreparedStep[],
  values: BoundedValues,
): Promise<Result[]> {
  await using inputScope = calls.openInputScope(signal);
  const results: Result[] = [];
  let failed = false;
  for (const [step, prepared] of steps.entries()) {
    const result: Result = failed
      ? { status: "not_run" }
      : await runStep(prepared, step, { actor, requestId, signal, inputScope, values });
    failed = result.status !== "done";
    results.push(result);
  }
  return results;
}

/** When the caller has gone, the running step stops, and no other begins. */
interface StepOptions extends RunOptions {
  readonly inputScope: InputScope;
  /** Takes the value of the step. */
  readonly values: BoundedValues;
}

async function runStep(
  { call, condition }: PreparedStep,
  step: number,
  { actor, requestId, signal, inputScope, values }: StepOptions,
): Promise<Result> {
  const start = performance.now();
  const elapsed = () => rounded(performance.now() - start);
  try {
    inputScope.signal.throwIfAborted();
    const options = { actor, requestId, signal: inputScope.signal, inputScope };
    const result = await call.run(options);
    const answer = condition && await awaitCondition(condition, options);
    const elapsed_ms = elapsed();
    const waited = answer === undefined ? {} : { waited: answer };
    const value = toValue(result);
    if (value === undefined) return { status: "done", ...waited, elapsed_ms };
    values.add(step, value);
    return { status: "done", value_omitted: true, ...waited, elapsed_ms };
  } catch (error) {
    signal.throwIfAborted(); // nobody is there to read what became of it
    const reason = inputScope.signal.aborted ? inputScope.signal.reason : error;
    if (!(reason instanceof ServiceError)) throw reason;
    return { status: "failed", error: toFailure(reason), elapsed_ms: elapsed() };
  }
}

function withValue(result: Result, value: unknown): Result {
  if (value === undefined || result.status !== "done") return result;
  const { value_omitted: _, ...rest } = result;
  return { ...rest, value };
}

type BatchPicture = Pick<BatchAnswer, "screenshot" | "screenshot_omitted" | "screenshot_error">;

async function takePicture(
  picture: Prepared,
  options: Pick<RunOptions, "actor" | "requestId" | "signal">,
  values: BoundedValues,
): Promise<BatchPicture> {
  try {
    const result = await picture.run(options);
    if (result.kind !== "file") return { screenshot: null };
    const screenshot = toPicture(result);
    return values.makeRoom(screenshot) ? { screenshot } : { screenshot_omitted: true };
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return { screenshot_error: toFailure(error) };
  }
}

/** To a hundredth of a millisecond. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

// The results of calls as JSON, and how much of it an answer may hold.

/** The value of a result; `undefined` when there is nothing. */
function toValue(result: CallResult): unknown {
  if (result.kind === "json") return result.value;
  return result.kind === "file" ? toPicture(result) : undefined;
}

function toPicture({ mediaType, bytes, headers }: FileResult): PictureValue {
  const { width = 0, height = 0 } = readImageHeader(bytes) ?? {};
  return {
    media_type: mediaType,
    data: bytes.toBase64(),
    width,
    height,
    frame: headers["X-Frame"] ?? "",
    scale: Number(headers["X-Scale"]),
    display_num: Number(headers["X-Display"]),
    ...readChanges(headers),
  };
}

function toFailure(error: ServiceError): Failure {
  const { code, status, message } = error;
  if (!(error instanceof InputError)) return { code, status, detail: message };
  const detail = error.errors.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
  return { code, status, detail };
}

/** The values of an answer that may have `maxBytes` in all. */
class BoundedValues {
  /** By number of the step, in order, with the size of each. */
  readonly #kept = new Map<number, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  add(step: number, value: unknown): void {
    const size = sizeOf(value);
    if (this.#size + size > this.maxBytes) return;
    this.#size += size;
    this.#kept.set(step, { value, size });
  }

  get(step: number): unknown {
    return this.#kept.get(step)?.value;
  }

  /**
   * Makes room for another value, for which those of the last steps are given up.
   * @returns whether it fits
   */
  makeRoom(value: unknown): boolean {
    const size = sizeOf(value);
    if (size > this.maxBytes) return false;
    for (const [step, last] of [...this.#kept].reverse()) {
      if (this.#size + size <= this.maxBytes) break;
      this.#kept.delete(step);
      this.#size -= last.size;
    }
    this.#size += size;
    return true;
  }
}

/** The length of its JSON; pictures are not serialised for this, because nearly all is `data`. */
function sizeOf(value: unknown): number {
  const data = typeof value === "object" && value !== null && "data" in value ? value.data : null;
  return typeof data === "string" ? data.length : JSON.stringify(value).length;
}

function readChanges(headers: FileResult["headers"]): Pick<PictureValue, "region" | "changes"> {
  const [region, changes] = [headers["X-Region"], headers["X-Changes"]];
  if (region === undefined || changes === undefined) return {};
  const [x = 0, y = 0, width = 0, height = 0] = region.split(",").map(Number);
  return { region: { x, y, width, height }, changes: JSON.parse(changes) };
}

// Checks all steps before the first one runs.

/** A step whose fields are checked. */
interface PreparedStep {
  readonly call: Prepared;
  /** The wait after it. */
  readonly condition: Prepared | undefined;
}

/** Where the steps are, for the locations of errors. */
const AT = ["body", "steps"];

/**
 * Checks the names and the fields of all steps; nothing runs.
 * @throws InputError with the errors of all steps, ServiceError `forbidden` for one that is
 * switched off
 */
function prepareSteps(calls: Calls, steps: readonly Step[]): PreparedStep[] {
  const errors: ValidationError[] = [];
  const attempt = <T>(step: Step, index: number, prepare: () => T): T | undefined => {
    try {
      return prepare();
    } catch (error) {
      if (error instanceof InputError) errors.push(...error.errors);
      else if (error instanceof ServiceError) throw inStep(error, step, index);
      else throw error;
    }
  };
  const prepared = steps.map((step, index) => ({
    call: attempt(step, index, () => prepareStep(calls, step, [...AT, index])),
    condition: attempt(step, index, () => prepareCondition(calls, step, [...AT, index])),
  }));
  if (errors.length > 0) throw new InputError(errors);
  return prepared as PreparedStep[];
}

function prepareStep(calls: Calls, { operation, input }: Step, at: (string | number)[]): Prepared {
  const step = calls.prepare(operation, input, { at: [...at, "input"] });
  const { runsOthers, group } = step.operation;
  if (!runsOthers && group !== "agents") return step; // agents run a model's turn
  throw new InputError([{
    loc: [...at, "operation"],
    msg: `"${step.name}" cannot be a step, because it runs steps itself`,
    type: "value_error",
  }]);
}

function inStep({ code, message }: ServiceError, { operation }: Step, index: number): ServiceError {
  return new ServiceError(code, `No step was run: step ${index} ("${operation}"): ${message}`);
}

/**
 * The wait for what a step brings about, on the display of the step.
 * @throws InputError with every error of the condition; ServiceError `forbidden` where waiting is
 * switched off
 */
function prepareCondition(
  calls: Calls,
  { until, timeout_ms, input }: Step,
  at: readonly (string | number)[],
): Prepared | undefined {
  if (until === undefined) return undefined;
  if (until === "change") {
    const msg =
      "A change can be over before the wait begins: wait for what should be visible after it";
    throw new InputError([{ loc: [...at, "until"], msg, type: "value_error" }]);
  }
  const fields = {
    until,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(isObject(input) && "display_num" in input ? { display_num: input["display_num"] } : {}),
  };
  return calls.prepare("display.wait", fields, { at });
}

/**
 * Resolves with the answer of the wait.
 * @throws ServiceError `timed_out` when the condition has not come; what the wait throws
 */
async function awaitCondition(wait: Prepared, options: RunOptions): Promise<unknown> {
  const result = await wait.run(options);
  const value = result.kind === "json" ? result.value : undefined;
  if (!isObject(value) || value["status"] !== "timeout") return value;
  throw new ServiceError(
    "timed_out",
    `The step has run, but its condition was not met within ${value["elapsed_ms"]} ms`,
  );
}
