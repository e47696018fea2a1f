/** Runs the steps of a batch, releases what they left pressed, and takes a picture. */

import { InputError, ServiceError } from "../../core/errors.ts";
import { readImageHeader } from "../../imaging/header.ts";
import type { CallResult, FileResult, Prepared } from "../call/calls.ts";
import type { Context } from "../context.ts";
import type { BatchAnswer, Failure, PictureValue } from "./fields.ts";
import {
  type PreparedStep,
  prepareSteps,
  runSteps,
  type Step,
  type StepResult,
} from "./run_steps.ts";

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
