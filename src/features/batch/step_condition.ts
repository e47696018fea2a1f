/** Waits after a step of a batch until what it brings about is there. */

import { InputError, ServiceError } from "../../core/errors.ts";
import { isObject } from "../call/check_fields.ts";
import type { Calls, Prepared, RunOptions } from "../call/calls.ts";

/** What may follow the fields of a step. */
export interface StepCondition {
  /** As `display/wait` takes it. */
  readonly until?: unknown;
  readonly timeout_ms?: number | undefined;
}

/** A step's condition whose fields are checked. */
export interface PreparedCondition {
  readonly wait: Prepared;
}

/**
 * @param input the fields of the step, whose display is looked at
 * @throws InputError with every fault of the condition; ServiceError `forbidden` where waiting is
 * switched off
 */
export function prepareCondition(
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
export async function awaitCondition(
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
