/** Defines the operations that change a window as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import { DisplayNumber } from "../fields.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { json } from "../outcomes.ts";
import type { WindowChange } from "../../platform/types/mod.ts";
import { type ChangeInput, changeWindow } from "./change_window.ts";
import { NAMING, WindowEntry, WindowIdField } from "./window_answer.ts";

/** What an X server can place. */
const MAX_COORDINATE = 32_767;
const CHANGE_MS = 2_000;
const CLOSE_TIMEOUT_MS = 5_000;

const Changed = z.object({
  result: z.enum(["confirmed", "adjusted", "unverified"]).describe(
    "`confirmed`: the window is as requested. `adjusted`: its position or size has changed, but not exactly as requested: terminals, for example, accept only full lines. `unverified`: the change was requested, and this system does not report whether it happened.",
  ),
  window: WindowEntry.nullable().describe("The window as it is now; `null` once it has closed."),
});

type Kind = WindowChange["kind"];

interface ChangeOptions<K extends Kind = Kind> {
  readonly verb: K;
  readonly summary: string;
  readonly description?: string;
  readonly refusal: string;
  readonly timeoutMs?: number;
}

export function changeOperations(limits: Limits): readonly Operation[] {
  const fieldsOf = (timeoutMs: number) => ({
    id: WindowIdField,
    timeout_ms: z.int().min(0).max(limits.maxDurationMs)
      .default(Math.min(timeoutMs, limits.maxDurationMs))
      .describe("The maximum time to wait for the effect, in milliseconds."),
    display_num: DisplayNumber,
  });

  function changing<B extends z.ZodRawShape>(
    { verb, summary, description, refusal, timeoutMs = CHANGE_MS }: ChangeOptions,
    more: B,
    toChange: (input: z.output<z.ZodObject<B>>) => WindowChange,
  ): Operation {
    return defineOperation({
      group: "window",
      id: `${verb}Window`,
      long: true,
      method: "POST",
      path: `/api/window/${verb}`,
      summary,
      ...(description === undefined ? {} : { description }),
      readOnly: false,
      body: z.object({ ...fieldsOf(timeoutMs), ...more }),
      answer: json("The window is open as `window` says, or has been closed.", Changed),
      errors: { ...NAMING, conflict: refusal },
      run: (context, input) =>
        changeWindow(
          context,
          input as unknown as ChangeInput,
          toChange(input as z.output<z.ZodObject<B>>),
        ),
    });
  }

  const plain = (options: ChangeOptions<Exclude<Kind, "move" | "resize">>) =>
    changing(options, {}, () => ({ kind: options.verb }));

  const ended = "or `system/release-all` ended the operation.";
  return [
    plain({
      verb: "focus",
      summary: "Bring a window to the front",
      description:
        "Gives it the keyboard focus, restores it if it was minimized, and switches to its desktop. Is queued with the input operations.",
      refusal: `The window did not get the keyboard focus, ${ended}`,
    }),
    changing(
      {
        verb: "move",
        summary: "Move a window",
        description: "Puts the top left corner of its `frame` at a point.",
        refusal: `The window has not moved, for example because it is maximized, ${ended}`,
      },
      {
        x: Coordinate("The left edge of the `frame`, in pixels of the display."),
        y: Coordinate("The top edge of the `frame`, in pixels of the display."),
      },
      ({ x, y }) => ({ kind: "move", to: { x, y } }),
    ),
    changing(
      {
        verb: "resize",
        summary: "Resize a window",
        description:
          "Sets the size of its `frame`. Programs can refuse it, or choose a similar one: the answer has the actual size.",
        refusal: `The window keeps its size, ${ended}`,
      },
      {
        width: Edge("The width of the `frame`, in pixels."),
        height: Edge("The height of the `frame`, in pixels."),
      },
      ({ width, height }) => ({ kind: "resize", width, height }),
    ),
    plain({
      verb: "minimize",
      summary: "Minimize a window",
      refusal: `The window was not minimized, ${ended}`,
    }),
    plain({
      verb: "maximize",
      summary: "Maximize a window",
      refusal: `The window was not maximized, ${ended}`,
    }),
    plain({
      verb: "restore",
      summary: "Restore a window",
      description:
        "Restores a minimized window to its previous state; any other gets the size that it had before it was maximized or fullscreen.",
      refusal: `The window has not changed, ${ended}`,
    }),
    plain({
      verb: "close",
      summary: "Close a window",
      description:
        "Requests its program to close it, as its close button does; the program may first ask whether to save. No process is killed.",
      refusal:
        "The window is still open; the message names windows that have opened since, such as a dialog.",
      timeoutMs: CLOSE_TIMEOUT_MS,
    }),
  ];
}

function Coordinate(meaning: string) {
  return z.int().min(-MAX_COORDINATE).max(MAX_COORDINATE).describe(meaning);
}

function Edge(meaning: string) {
  return z.int().min(1).max(MAX_COORDINATE).describe(meaning);
}
