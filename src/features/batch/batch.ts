/** Runs the steps of a batch, releases what they left pressed, and takes a picture. */

import { ServiceError } from "../../core/errors.ts";
import type { Prepared } from "../call/calls.ts";
import type { Context } from "../context.ts";
import type { BatchAnswer } from "./fields.ts";
import { BoundedValues, toFailure, toPicture, toValue } from "./result_value.ts";
import {
  type PreparedStep,
  prepareSteps,
  runSteps,
  type Step,
  type StepResult,
} from "./run_steps.ts";

export interface BatchInput {
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
  await using holder = calls.holder(signal);
  const results: Result[] = [];
  for await (const result of runSteps(steps, { signal, holder })) {
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

type Shown = Pick<BatchAnswer, "screenshot" | "screenshot_omitted" | "screenshot_error">;

async function takePicture(
  picture: Prepared,
  signal: AbortSignal,
  values: BoundedValues,
): Promise<Shown> {
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
