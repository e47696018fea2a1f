/** `replay`: performs a recording again by a running service, up to the first step that is not certain. */

import { ConfigError } from "../../config/option.ts";
import { poll } from "../../core/deadline.ts";
import { CUT_MARK } from "../../core/texts.ts";
import { takesDesk } from "../../features/on_desk.ts";
import type { Operation } from "../../features/operation.ts";
import { flatten, type TreeNode } from "../../features/trail/locator.ts";
import type { Host } from "../../platform/host.ts";
import { findService, operationsByName, widestLimits } from "../call/call.ts";
import { type CommandLineResult, NONE_RUNS } from "../command.ts";
import type { ReplayRequest } from "../command_line.ts";
import { readElements, Uncertain } from "./find_target.ts";
import { describeStep, performStep, type StepContext, whatIsMissing } from "./perform_step.ts";
import { Refusal, ServiceCalls } from "./service_calls.ts";
import {
  checkFields,
  fillIn,
  readRecording,
  readTree,
  readValuesFile,
  type Step,
  type Target,
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
    const lines = planned.map(({ step, lacks }) =>
      `${describeStep(step)}${lacks === undefined ? "" : `: cannot be performed: ${lacks}`}`
    );
    return { code: isPossible ? 0 : 1, lines };
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

// Waits until what the step before has changed when it was recorded has changed again.

const POLL_INTERVAL_MS = 200;
const MIN_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 30_000;
/** What does not come within this time after the rest will not come. */
const REST_TIMEOUT_MS = 1_000;
const MAX_NEWS = 50;

/**
 * Between two steps in the same window: a click that has not been handled yet, or a page that is
 * still loading, would let the next step find its element where it was before.
 * @throws Uncertain when nothing of it appears
 */
export async function awaitNews(
  { service, recording }: Pick<StepContext, "service" | "recording">,
  before: Step,
  step: Step,
): Promise<void> {
  const [old, now] = [await readTree(recording, before), await readTree(recording, step)];
  if (old === undefined || now === undefined || step.surface !== before.surface) return;
  const [{ window: from }, { window: to }] = [firstTarget(before), firstTarget(step)];
  if (to === undefined && step.surface !== "page") return;
  if (from?.app !== to?.app || from?.title !== to?.title) return;
  const known = new Set(keysOf(old));
  const news = [...new Set(keysOf(now))].filter((key) => !known.has(key)).slice(0, MAX_NEWS);
  if (news.length === 0) return;
  const timeoutMs = Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, step.pause_ms));
  let missing: readonly string[] = news;
  let since = Infinity;
  await poll(async () => {
    const read = await readElements(service, to, step);
    if ("why" in read) return false;
    const there = new Set(keysOf(read.roots));
    const rest = news.filter((key) => !there.has(key));
    if (rest.length < missing.length || since === Infinity) since = performance.now();
    missing = rest;
    if (missing.length === 0) return true;
    return missing.length < news.length && performance.now() - since > REST_TIMEOUT_MS;
  }, { everyMs: POLL_INTERVAL_MS, timeoutMs });
  if (missing.length < news.length) return;
  throw new Uncertain(
    `Step ${before.number} has not had the effect that it had: looked for ` +
      news.slice(0, MAX_NAMED).join(", "),
  );
}

const MAX_NAMED = 3;

function firstTarget({ targets }: Step): Target {
  return Object.values(targets)[0] ?? {};
}

/** Named elements and texts, without figures, which change by themselves, and what was not kept. */
function keysOf(roots: readonly TreeNode[]): readonly string[] {
  return flatten(roots).filter(({ role, name, states }) =>
    name !== "" && !name.includes(CUT_MARK) && !states.includes("editable") && !PASSING.test(role)
  ).map(({ role, name }) => `${role} ${JSON.stringify(name.replace(/\d+/g, "#"))}`);
}

const PASSING = /^(tooltip|status|timer|progressbar|alert|combobox)$/;
