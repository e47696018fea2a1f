/** Waits until something holds, or no longer does: on a display, in a file, of a process. */

import { abortAfter, TIME_IS_UP } from "../../core/deadline.ts";
import type { z } from "zod";
import type { FoundElement } from "../accessibility/fields.ts";
import type { Found } from "../display/find_image.ts";
import {
  type Awaited,
  type WaitInput as DisplayWait,
  waitOnDisplay,
} from "../display/wait_on_display.ts";
import type { Context } from "../context.ts";
import type { Condition, ElementCondition, Until } from "./conditions.ts";
import { waitForElement } from "./wait_for_element.ts";
import { waitForFile } from "./wait_for_file.ts";
import type { WindowEntry } from "../window/window_answer.ts";
import { waitForProcess } from "./wait_for_process.ts";
import { waitForWindow } from "./wait_for_window.ts";

export interface WaitInput extends DisplayWait {
  readonly until: Until;
}

interface Outcome {
  readonly status: "changed" | "stable" | "found" | "gone" | "ended";
  readonly match?: Found;
  readonly element?: z.output<typeof FoundElement>;
  readonly window?: z.output<typeof WindowEntry>;
  readonly pid?: number;
}

export async function waitFor(context: Context, input: WaitInput) {
  const start = performance.now();
  using deadline = abortAfter(input.timeout_ms, context.signal);
  const elapsed = () => Math.round(performance.now() - start);
  const awaited = readCondition(input.until, deadline.signal);
  try {
    return { ...await awaitCondition(context, input, awaited), elapsed_ms: elapsed() };
  } catch (error) {
    if (error !== TIME_IS_UP) throw error;
    return { status: "timeout" as const, elapsed_ms: elapsed() };
  }
}

function readCondition(until: Until, signal: AbortSignal): Awaited<Condition> {
  if (typeof until === "object" && "gone" in until) {
    return { condition: until.gone, gone: true, at: ["until", "gone"], signal };
  }
  return { condition: until, gone: false, at: ["until"], signal };
}

async function awaitCondition(
  context: Context,
  input: WaitInput,
  awaited: Awaited<Condition>,
): Promise<Outcome> {
  const { condition, gone, at, signal } = awaited;
  if (typeof condition === "string" || "pixel" in condition || "image" in condition) {
    return await waitOnDisplay(context, input, { ...awaited, condition });
  }
  if ("file" in condition) {
    const file = "state" in condition.file
      ? condition.file
      : { ...condition.file, state: "gone" as const };
    return await waitForFile(context, file, { at, signal, timeoutMs: input.timeout_ms });
  }
  if ("process" in condition) {
    return await waitForProcess(context, condition.process, { gone, signal });
  }
  const wait = {
    ...{ gone, signal },
    ...{ displayNum: input.display_num, timeoutMs: input.timeout_ms },
  };
  if ("window" in condition) return await waitForWindow(context, condition.window, wait);
  const wanted = "text" in condition ? anywhere(condition.text) : condition.element;
  return await waitForElement(context, wanted, wait);
}

function anywhere(text: string): ElementCondition {
  return { text, window: "all", exact: false };
}
