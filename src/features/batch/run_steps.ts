/** Runs operations by name one after the other; all are checked before the first one runs. */

import { type Fault, InputError, ServiceError } from "../../core/errors.ts";
import type { CallResult, Calls, Prepared, RunOptions } from "../call/calls.ts";
import { isObject } from "../call/check_fields.ts";
import type { Holder } from "../input/holder.ts";

/** One operation to run. */
export interface Step extends StepCondition {
  /** `mouse.left-click` */
  readonly operation: string;
  /** Its fields as one object; without it, there are none. */
  readonly input?: unknown;
}

/** What became of a step. */
export type StepResult =
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
  await using holder = calls.holder(signal);
  return await Array.fromAsync(runSteps(prepared, { signal, holder }));
}

/**
 * Checks the names and the fields of all steps; nothing runs.
 * @param at where the steps are, for the locations of faults
 * @throws InputError with the faults of all steps, ServiceError `forbidden` for one that is
 * switched off
 */
export function prepareSteps(
  calls: Calls,
  steps: readonly Step[],
  at: readonly (string | number)[],
): PreparedStep[] {
  const faults: Fault[] = [];
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
export interface PreparedStep {
  readonly call: Prepared;
  readonly condition: PreparedCondition | undefined;
}

/**
 * Runs prepared steps until one fails, and gives the result of each as it comes; what they leave
 * pressed belongs to the holder.
 */
export async function* runSteps(
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
  readonly holder: Holder;
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
  return new ServiceError(code, `Nothing was run: step ${index} ("${operation}"): ${message}`);
}

async function runStep(
  { call, condition }: PreparedStep,
  { signal, holder }: RunStepsOptions,
): Promise<StepResult> {
  const start = performance.now();
  const elapsedMs = () => performance.now() - start;
  try {
    holder.signal.throwIfAborted();
    const options = { signal: holder.signal, holder };
    const result = await call.run(options);
    if (!condition) return { status: "done", result, elapsedMs: elapsedMs() };
    const waited = await awaitCondition(condition, options);
    return { status: "done", result, waited, elapsedMs: elapsedMs() };
  } catch (error) {
    signal.throwIfAborted(); // nobody is there to read what became of it
    const reason = holder.signal.aborted ? holder.signal.reason : error;
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
    const msg = "A change can be over before it is waited for: name what is to be there";
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
    `The step has run, but what it waits for has not come within ${value["elapsed_ms"]} ms`,
  );
}
