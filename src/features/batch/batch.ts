/** Runs the steps of a batch, releases what they left pressed, and takes a picture. */

import { InputError, ServiceError, type ValidationError } from "../../core/errors.ts";
import { readImageHeader } from "../../imaging/decode.ts";
import type { CallResult, Calls, FileResult, Prepared, RunOptions } from "../calls.ts";
import { isObject } from "../call/check_fields.ts";
import type { Context } from "../context.ts";
import type { InputScope } from "../input_scope.ts";
import type { BatchAnswer, Failure, PictureValue } from "./fields.ts";

interface BatchInput {
  readonly steps: readonly Step[];
  /** The fields of a screenshot. */
  readonly then_screenshot?: Readonly<Record<string, unknown>> | undefined;
}

export async function batch(context: Context, input: BatchInput): Promise<BatchAnswer> {
  const start = performance.now();
  const { calls, signal, config } = context;
  const steps = prepareSteps(calls, input.steps, ["body", "steps"]);
  const picture = input.then_screenshot &&
    calls.prepare("display.screenshot", input.then_screenshot, {
      at: ["body", "then_screenshot"],
    });
  const values = new BoundedValues(config.limits.maxBatchBytes);
  const results = await runAndRelease(context, steps, values);
  const shown = picture && await takePicture(picture, signal, values);
  return {
    status: results.some(({ status }) => status === "failed") ? "failed" : "completed",
    results: results.map((result, step) => withValue(result, values.get(step))),
    ...shown,
    elapsed_ms: rounded(performance.now() - start),
  };
}

/** A result as the answer has it, before it is known which values fit. */
type Result = BatchAnswer["results"][number];

async function runAndRelease(
  { calls, signal }: Context,
  steps: readonly PreparedStep[],
  values: BoundedValues,
): Promise<Result[]> {
  await using inputScope = calls.openInputScope(signal);
  const results: Result[] = [];
  for await (const result of runSteps(steps, { signal, inputScope })) {
    results.push(describeResult(result, results.length, values));
  }
  return results;
}

function describeResult(result: StepResult, step: number, values: BoundedValues): Result {
  if (result.status === "not_run") return { status: "not_run" };
  const elapsed_ms = rounded(result.elapsedMs);
  if (result.status === "failed") {
    return { status: "failed", error: toFailure(result.error), elapsed_ms };
  }
  const value = toValue(result.result);
  const waited = result.waited === undefined ? {} : { waited: result.waited };
  if (value === undefined) return { status: "done", ...waited, elapsed_ms };
  values.add(step, value);
  return { status: "done", value_omitted: true, ...waited, elapsed_ms };
}

function withValue(result: Result, value: unknown): Result {
  if (value === undefined || result.status !== "done") return result;
  const { value_omitted: _, ...rest } = result;
  return { ...rest, value };
}

type BatchPicture = Pick<BatchAnswer, "screenshot" | "screenshot_omitted" | "screenshot_error">;

async function takePicture(
  picture: Prepared,
  signal: AbortSignal,
  values: BoundedValues,
): Promise<BatchPicture> {
  try {
    const result = await picture.run({ signal });
    if (result.kind !== "file") return { screenshot: null };
    const screenshot = toPicture(result);
    return values.makeRoom(screenshot) ? { screenshot } : { screenshot_omitted: true };
  } catch (error) {
    signal.throwIfAborted();
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
  const detail = error.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
  return { code, status, detail };
}

/** The values of an answer that may have `maxBytes` in all. */
class BoundedValues {
  /** By number of the step, in order, with the size of each. */
  readonly #kept = new Map<number, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  /** Keeps the value of a step if it fits. */
  add(step: number, value: unknown): void {
    const size = sizeOf(value);
    if (this.#size + size > this.maxBytes) return;
    this.#size += size;
    this.#kept.set(step, { value, size });
  }

  /** The value of a step, if it was kept. */
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

// Runs operations by name one after the other; all are checked before the first one runs.

/** One operation to run. */
interface Step extends StepCondition {
  /** `mouse.left-click` */
  readonly operation: string;
  /** Its fields as one object; without it, there are none. */
  readonly input?: unknown;
}

/** What became of a step. */
type StepResult =
  | {
    readonly status: "done";
    readonly result: CallResult;
    /** The answer of the wait, if the step has a condition. */
    readonly waited?: unknown;
    readonly elapsedMs: number;
  }
  | { readonly status: "failed"; readonly error: ServiceError; readonly elapsedMs: number }
  | { readonly status: "not_run" };

interface StepsOptions {
  /** Aborts when the caller has gone; the running step stops then, and no other begins. */
  readonly signal: AbortSignal;
}

/**
 * Checks all steps, runs them until one fails, and releases what they left pressed.
 * @returns one result for each step
 * @throws InputError and ServiceError `forbidden` of the check; the reason of the signal
 */
export async function runBatch(
  calls: Calls,
  steps: readonly Step[],
  { signal }: StepsOptions,
): Promise<StepResult[]> {
  const prepared = prepareSteps(calls, steps, ["steps"]);
  await using inputScope = calls.openInputScope(signal);
  return await Array.fromAsync(runSteps(prepared, { signal, inputScope }));
}

/**
 * Checks the names and the fields of all steps; nothing runs.
 * @param at where the steps are, for the locations of faults
 * @throws InputError with the faults of all steps, ServiceError `forbidden` for one that is
 * switched off
 */
function prepareSteps(
  calls: Calls,
  steps: readonly Step[],
  at: readonly (string | number)[],
): PreparedStep[] {
  const faults: ValidationError[] = [];
  const attempt = <T>(step: Step, index: number, prepare: () => T): T | undefined => {
    try {
      return prepare();
    } catch (error) {
      if (error instanceof InputError) faults.push(...error.faults);
      else if (error instanceof ServiceError) throw inStep(error, step, index);
      else throw error;
    }
  };
  const prepared = steps.map((step, index) => ({
    call: attempt(step, index, () => prepareStep(calls, step, [...at, index])),
    condition: attempt(step, index, () => prepareCondition(calls, step, [...at, index])),
  }));
  if (faults.length > 0) throw new InputError(faults);
  return prepared as PreparedStep[];
}

/** A step whose fields are checked. */
interface PreparedStep {
  readonly call: Prepared;
  readonly condition: PreparedCondition | undefined;
}

/**
 * Runs prepared steps until one fails, and gives the result of each as it comes; what they leave
 * pressed belongs to the holder.
 */
async function* runSteps(
  steps: readonly PreparedStep[],
  options: RunStepsOptions,
): AsyncGenerator<StepResult, void> {
  let failed = false;
  for (const step of steps) {
    const result: StepResult = failed ? { status: "not_run" } : await runStep(step, options);
    yield result;
    failed ||= result.status === "failed";
  }
}

interface RunStepsOptions extends StepsOptions {
  readonly inputScope: InputScope;
}

function prepareStep(calls: Calls, { operation, input }: Step, at: (string | number)[]): Prepared {
  const step = calls.prepare(operation, input, { at: [...at, "input"] });
  const { runsOthers, group } = step.operation;
  if (!runsOthers && group !== "agents") return step; // each of these has a turn of its own
  throw new InputError([{
    loc: [...at, "operation"],
    msg: `"${step.name}" cannot be a step, because it runs steps itself`,
    type: "value_error",
  }]);
}

function inStep({ code, message }: ServiceError, { operation }: Step, index: number): ServiceError {
  return new ServiceError(code, `No step was run: step ${index} ("${operation}"): ${message}`);
}

async function runStep(
  { call, condition }: PreparedStep,
  { signal, inputScope }: RunStepsOptions,
): Promise<StepResult> {
  const start = performance.now();
  const elapsedMs = () => performance.now() - start;
  try {
    inputScope.signal.throwIfAborted();
    const options = { signal: inputScope.signal, inputScope };
    const result = await call.run(options);
    if (!condition) return { status: "done", result, elapsedMs: elapsedMs() };
    const waited = await awaitCondition(condition, options);
    return { status: "done", result, waited, elapsedMs: elapsedMs() };
  } catch (error) {
    signal.throwIfAborted(); // nobody is there to read what became of it
    const reason = inputScope.signal.aborted ? inputScope.signal.reason : error;
    if (!(reason instanceof ServiceError)) throw reason;
    return { status: "failed", error: reason, elapsedMs: elapsedMs() };
  }
}

// Waits after a step of a batch until what it brings about is there.

/** What may follow the fields of a step. */
interface StepCondition {
  /** As `display/wait` takes it. */
  readonly until?: unknown;
  readonly timeout_ms?: number | undefined;
}

/** A step's condition whose fields are checked. */
interface PreparedCondition {
  readonly wait: Prepared;
}

/**
 * @param input the fields of the step, whose display is looked at
 * @throws InputError with every fault of the condition; ServiceError `forbidden` where waiting is
 * switched off
 */
function prepareCondition(
  calls: Calls,
  { until, timeout_ms, input }: StepCondition & { readonly input?: unknown },
  at: readonly (string | number)[],
): PreparedCondition | undefined {
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
  return { wait: calls.prepare("display.wait", fields, { at }) };
}

/**
 * Resolves with the answer of the wait.
 * @throws ServiceError `timed_out` when the condition has not come; what the wait throws
 */
async function awaitCondition(
  { wait }: PreparedCondition,
  options: RunOptions,
): Promise<unknown> {
  const result = await wait.run(options);
  const value = result.kind === "json" ? result.value : undefined;
  if (!isObject(value) || value["status"] !== "timeout") return value;
  throw new ServiceError(
    "timed_out",
    `The step has run, but its condition was not met within ${value["elapsed_ms"]} ms`,
  );
}
