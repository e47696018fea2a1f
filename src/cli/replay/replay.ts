/** `replay`: performs a recording again by a running service, up to the first step that is not certain. */

import { ConfigError } from "../../config/option.ts";
import { takesDesk } from "../../features/on_desk.ts";
import type { Operation } from "../../features/operation.ts";
import type { Host } from "../../platform/host.ts";
import { findService, operationsByName, widestLimits } from "../call/call.ts";
import { type CommandLineResult, NONE_RUNS } from "../command.ts";
import { awaitNews } from "./await_news.ts";
import { Uncertain } from "./find_target.ts";
import { describeStep, performStep, type StepContext, whatIsMissing } from "./perform_step.ts";
import type { ReplayRequest } from "../command_line.ts";
import { Refusal, ServiceCalls } from "./service_calls.ts";
import {
  checkFields,
  fillIn,
  readRecording,
  readValuesFile,
  type Step,
  type Values,
} from "./trajectory.ts";

/**
 * Prints a line for each step. The exit code is 0 when all were performed, 1 when it stopped before
 * one, and 3 when no service runs.
 * @throws ConfigError for wrong use, before anything is done
 */
export async function runReplay(
  request: ReplayRequest,
  host: Host,
): Promise<CommandLineResult> {
  const { path, dryRun, until = Infinity, pixels, desk } = request;
  const recording = await readRecording(path);
  const { steps } = recording;
  if (until !== Infinity && !steps.some(({ number }) => number === until)) {
    throw new ConfigError(`--until ${until}: the recording has ${steps.length} steps`);
  }
  const values = request.values === undefined ? {} : await readValuesFile(request.values, steps);
  const operations = await operationsByName(widestLimits());
  const wanted = steps.filter(({ number }) => number <= until);
  const planned = wanted.map((step, index) =>
    plan(step, { operations, values, pixels, desk, before: wanted[index - 1] })
  );
  if (dryRun) {
    const isPossible = planned.every(({ lacks }) => lacks === undefined);
    return { code: isPossible ? 0 : 1, lines: planned.map(describePlanned) };
  }
  const address = await findService(request, host);
  if ("none" in address) return { code: NONE_RUNS, errors: address.none };
  const service = new ServiceCalls(operations, address);
  return await performAll(planned, { service, recording, pixels });
}

interface Planned {
  readonly step: Step;
  readonly fields: Record<string, unknown>;
  /** Why it cannot be performed, if that is known before. */
  readonly lacks: string | undefined;
}

interface Planning extends Pick<StepContext, "pixels"> {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly values: Values;
  readonly before: Step | undefined;
  /** Absent for the one where it was recorded. */
  readonly desk: string | undefined;
}

/** @throws ConfigError for a step that no service takes */
function plan(step: Step, { operations, values, desk, ...planning }: Planning): Planned {
  const operation = operations.get(step.operation);
  if (operation === undefined || operation.runsOthers) {
    throw new ConfigError(`Step ${step.number}: there is no operation "${step.operation}"`);
  }
  const { fields, missing } = fillIn(step, values);
  if (desk !== undefined && takesDesk(operation)) fields["desk"] = desk;
  if (missing.length === 0) checkFields(step, operation, fields);
  return { step, fields, lacks: whatIsMissing(step, { missing, ...planning }) };
}

function describePlanned({ step, lacks }: Planned): string {
  return `${describeStep(step)}${lacks === undefined ? "" : `: cannot be performed: ${lacks}`}`;
}

async function performAll(
  planned: readonly Planned[],
  recorded: StepContext,
): Promise<CommandLineResult> {
  let before: Step | undefined;
  let count = 0;
  for (const { step, fields, lacks } of planned) {
    const described = describeStep(step);
    const context = { ...recorded, service: recorded.service.onDesk(fields["desk"]) };
    try {
      if (lacks !== undefined) throw new Uncertain(lacks);
      if (before !== undefined) await awaitNews(context, before, step);
      const done = await performStep(step, fields, context);
      console.log(`${described}: ${done}`);
      if (done === "done") count++;
    } catch (error) {
      if (!(error instanceof Uncertain || error instanceof Refusal)) throw error;
      return { code: 1, errors: [`Stopped at step ${described}: ${error.message}`] };
    }
    before = step;
  }
  return { code: 0, lines: [`Performed ${count} of ${planned.length} steps`] };
}
