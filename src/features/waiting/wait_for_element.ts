/** Waits until programs show an element, or no longer do. */

import { ServiceError } from "../../core/errors.ts";
import { SharedRun } from "../../core/shared_run.ts";
import type { FoundElement } from "../accessibility/fields.ts";
import { type Criteria, search, toFoundElement } from "../accessibility/find.ts";
import { type Redacted, redactElements } from "../accessibility/redact_elements.ts";
import { nameEntry } from "../accessibility/snapshot.ts";
import {
  findElement,
  openAccessibility,
  type ReadElements,
  readElements,
} from "../accessibility/use_accessibility.ts";
import type { z } from "zod";
import { requireGroup } from "../switched_off.ts";
import type { Context } from "../context.ts";
import type { Awaited } from "../display/wait_on_display.ts";
import type { ElementCondition } from "./conditions.ts";
import { lookUntil } from "./look_until.ts";

/** Elements of one look; more than any desktop shows. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;
/** How long one look may ask programs, in milliseconds. */
const READ_MS = 5_000;

interface ElementWait extends Pick<Awaited<unknown>, "gone" | "signal"> {
  readonly displayNum: number;
  readonly timeoutMs: number;
}

interface Outcome {
  readonly status: "found" | "gone";
  readonly element?: z.output<typeof FoundElement>;
}

/**
 * @throws ServiceError `forbidden` where elements are switched off; `conflict` for an unknown ref;
 *   as reading does; the signal's reason
 */
export async function waitForElement(
  context: Context,
  condition: ElementCondition,
  { gone, displayNum, ...wait }: ElementWait,
): Promise<Outcome> {
  requireGroup(context.config, "accessibility");
  const { ref } = condition;
  const display_num = ref === undefined ? displayNum : findElement(context, ref).displayNum;
  const { accessibility } = await openAccessibility(context, display_num);
  const silence = new Silence();
  const scope = { window: condition.window, ref, display_num };
  return await lookUntil({
    ...wait,
    client: context.signal,
    changed: (signal) => accessibility.changed(signal),
    look: async (): Promise<Outcome | undefined> => {
      const seen = await shareReading(context, scope).catch((error) => {
        if (!gone || !isGone(error, scope)) throw error;
      });
      if (!seen) return { status: "gone" };
      const { roots, silent, truncated } = seen;
      const hasAnswered = silence.isAsBefore(silent);
      const { value: found } = await search(roots, toCriteria(condition)).next();
      if (found) {
        if (gone) return undefined;
        const element = toFoundElement(found, ref ?? nameEntry(context, seen)(found));
        return { status: "found", element };
      }
      const isWhole = ref !== undefined || truncated.length === 0;
      return gone && hasAnswered && isWhole ? { status: "gone" } : undefined;
    },
  });
}

/** An element itself is wanted where nothing else is said. */
function toCriteria({ ref, window: _, ...criteria }: ElementCondition): Criteria {
  return ref === undefined ? criteria : { ...criteria, states: criteria.states ?? [] };
}

/** Programs that did not answer from the beginning count as showing nothing. */
class Silence {
  #first: ReadonlySet<string> | undefined;

  isAsBefore(silent: readonly string[]): boolean {
    this.#first ??= new Set(silent);
    return silent.every((program) => this.#first!.has(program));
  }
}

interface Scope {
  readonly window: string;
  readonly ref: string | undefined;
  readonly display_num: number;
}

interface Seen extends Redacted, ReadElements {
  readonly silent: readonly string[];
  readonly truncated: readonly string[];
}

/** Whether the element or the window that is looked at is gone itself. */
function isGone(error: unknown, { ref, window }: Scope): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (ref !== undefined) return error.code === "conflict";
  return error.code === "not_found" && window !== "all" && window !== "focused";
}

const READINGS = new WeakMap<Context["session"], Map<string, SharedRun<Seen>>>();

/** All who wait at the same time share what is read; it is never older than their look. */
function shareReading(context: Context, scope: Scope): Promise<Seen> {
  let readings = READINGS.get(context.session);
  if (readings === undefined) READINGS.set(context.session, readings = new Map());
  const key = JSON.stringify([scope.display_num, scope.ref ?? scope.window, scope.ref]);
  let reading = readings.get(key);
  if (reading === undefined) {
    readings.set(key, reading = new SharedRun(() => readNow(withoutClient(context), scope)));
  }
  return reading.run().finally(() => {
    if (!reading.busy) readings.delete(key);
  });
}

async function readNow(context: Context, { window, ref, display_num }: Scope): Promise<Seen> {
  const read = await readElements(context, {
    ...{ window, ref, display_num, include_hidden: false, timeout_ms: READ_MS },
    ...{ max_elements: MAX_ELEMENTS, max_depth: ref === undefined ? MAX_DEPTH : 1 },
  });
  const { silent, truncated } = read.tree;
  const redacted = await redactElements(context, read.tree.roots);
  if (ref === undefined) return { ...read, ...redacted, silent, truncated };
  const roots = redacted.roots.map((root) => ({ ...root, children: [] }));
  return { ...read, ...redacted, roots, silent, truncated };
}

/** A reading goes on when one of those who share it leaves. */
function withoutClient(
  { platform, config, session, calls }: Context,
): Context {
  const { signal } = new AbortController();
  return { platform, config, session, calls, signal, hasCurrent: () => false };
}
