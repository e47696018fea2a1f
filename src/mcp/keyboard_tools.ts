/** The keyboard as models are trained to use it: `type`, `key`, `hold_key`. */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import type { Calls } from "../features/call/calls.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { noContent } from "../features/outcomes.ts";
import { FocusRef } from "../features/targets/refs.ts";
import { callInside, Display, INSIDE_ERRORS } from "./tool.ts";

/** Most combinations that one call presses one after the other. */
const MAX_KEYS = 100;

const KEYS = z.string().min(1).max(1_024).describe(
  "A key or a combination: `Return`, `ctrl+s`; several, separated by spaces, are pressed one after the other.",
);
const NAMES = { key: "text" };
const common = {
  group: "keyboard",
  method: "POST",
  readOnly: false,
  errors: INSIDE_ERRORS,
} as const;

export function keyboardTools(calls: Calls, limits: Limits): readonly Operation[] {
  const press = "keyboard.key";
  return [
    defineOperation({
      ...common,
      id: "type",
      long: true,
      path: "/mcp/type",
      summary: "Type a text",
      description:
        "Types into the element with the keyboard focus, on any layout: give the field's `ref`, or click it first. A line break is Enter.",
      body: z.object({
        text: z.string().max(limits.maxTextLength),
        ref: FocusRef,
        display_num: Display,
      }),
      answer: noContent("Typed."),
      async run(context, input) {
        await callInside(calls, context, { operation: "keyboard.type", input });
      },
    }),
    defineOperation({
      ...common,
      id: "key",
      path: "/mcp/key",
      summary: "Press a key or a combination",
      body: z.object({
        text: KEYS,
        repeat: z.int().min(1).max(100).default(1).describe("How many times."),
        display_num: Display,
      }),
      answer: noContent("Pressed."),
      async run(context, { text, repeat, display_num }) {
        const keys = splitKeys(text);
        const [times, each] = keys.length === 1 ? [1, repeat] : [repeat, 1]; // one in a single turn
        for (const key of Array<readonly string[]>(times).fill(keys).flat()) {
          const input = { key, repeat: each, display_num };
          await callInside(calls, context, { operation: press, input, names: NAMES });
        }
      },
    }),
    defineOperation({
      ...common,
      id: "hold_key",
      long: true,
      path: "/mcp/hold_key",
      summary: "Hold a key for some time",
      body: z.object({
        text: z.string().min(1).max(256).describe("A key or a combination: `w`, `ctrl+shift`."),
        duration: z.number().min(0).max(limits.maxDurationMs / 1_000).describe("Seconds."),
        display_num: Display,
      }),
      answer: noContent("Held and released."),
      async run(context, { text, duration, display_num }) {
        const input = { key: text.trim(), duration_ms: Math.round(duration * 1_000), display_num };
        await callInside(calls, context, { operation: press, input, names: NAMES });
      },
    }),
  ];
}

/** `Down Down Return` is three presses; a lone space is the space key. */
function splitKeys(text: string): readonly string[] {
  const keys = text.split(/\s+/).filter((key) => key !== "");
  return keys.length === 0 ? ["space"] : keys.slice(0, MAX_KEYS);
}
