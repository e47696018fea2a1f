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
const CLOSE_MS = 5_000;

const Changed = z.object({
  result: z.enum(["confirmed", "adjusted", "unverified"]).describe(
    "`confirmed`: the window is as it was asked to be. `adjusted`: its place or size has changed, to another one than asked, as terminals only take sizes of whole lines. `unverified`: it was asked, and this system does not tell whether anything happened.",
  ),
  window: WindowEntry.nullable().describe("The window as it is now; `null` once it has closed."),
});

interface ChangeOptions {
  readonly id: string;
  readonly verb: string;
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
    { id, verb, summary, description, refusal, timeoutMs = CHANGE_MS }: ChangeOptions,
    more: B,
    toChange: (input: z.output<z.ZodObject<B>>) => WindowChange,
  ): Operation {
    return defineOperation({
      group: "window",
      id,
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

  const ended = "or `system/release-all` ended the operation.";
  return [
    changing(
      {
        ...{ id: "focusWindow", verb: "focus", summary: "Bring a window to the front" },
        description:
          "Gives it the keyboard, shows it if it was minimized, and goes to its desktop. Waits for its turn among the input operations.",
        refusal: `The window did not get the keyboard, ${ended}`,
      },
      {},
      () => ({ kind: "focus" }),
    ),
    changing(
      {
        ...{ id: "moveWindow", verb: "move", summary: "Move a window" },
        description: "Puts the top left corner of its `frame` at a point.",
        refusal: `The window stays where it was, as a maximized one does, ${ended}`,
      },
      {
        x: Coordinate("The left edge of the `frame`, in pixels of the display."),
        y: Coordinate("The top edge of the `frame`, in pixels of the display."),
      },
      ({ x, y }) => ({ kind: "move", to: { x, y } }),
    ),
    changing(
      {
        ...{ id: "resizeWindow", verb: "resize", summary: "Resize a window" },
        description:
          "Gives its `frame` a size. Programs can refuse it, or take one that is near: the answer has the size that the window really has.",
        refusal: `The window keeps its size, ${ended}`,
      },
      {
        width: Edge("The width of the `frame`, in pixels."),
        height: Edge("The height of the `frame`, in pixels."),
      },
      ({ width, height }) => ({ kind: "resize", width, height }),
    ),
    changing(
      {
        ...{ id: "minimizeWindow", verb: "minimize", summary: "Minimize a window" },
        refusal: `The window was not minimized, ${ended}`,
      },
      {},
      () => ({ kind: "minimize" }),
    ),
    changing(
      {
        ...{ id: "maximizeWindow", verb: "maximize", summary: "Maximize a window" },
        refusal: `The window was not maximized, ${ended}`,
      },
      {},
      () => ({ kind: "maximize" }),
    ),
    changing(
      {
        ...{ id: "restoreWindow", verb: "restore", summary: "Restore a window" },
        description:
          "Brings a minimized window back as it was before; any other gets the size that it had before it was maximized or filled the screen.",
        refusal: `The window stays as it was, ${ended}`,
      },
      {},
      () => ({ kind: "restore" }),
    ),
    changing(
      {
        ...{ id: "closeWindow", verb: "close", summary: "Close a window" },
        description:
          "Asks its program to close it, as its close button does; the program may ask first whether to save. Nothing is ended by force.",
        refusal:
          "The window is still open; the message names windows that have opened since, such as a question.",
        timeoutMs: CLOSE_MS,
      },
      {},
      () => ({ kind: "close" }),
    ),
  ];
}

function Coordinate(meaning: string) {
  return z.int().min(-MAX_COORDINATE).max(MAX_COORDINATE).describe(meaning);
}

function Edge(meaning: string) {
  return z.int().min(1).max(MAX_COORDINATE).describe(meaning);
}
