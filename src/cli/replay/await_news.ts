/** Waits until what the step before has changed when it was recorded has changed again. */

import { poll } from "../../core/deadline.ts";
import { CUT_MARK } from "../../core/texts.ts";
import { flatten, type TreeNode } from "../../features/trail/locator.ts";
import { readElements, Uncertain } from "./find_target.ts";
import type { StepContext } from "./perform_step.ts";
import { readTree, type Step, type Target } from "./trajectory.ts";

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
