/**
 * The mouse and the keyboard as models are trained to use them: the members of Anthropic's computer
 * toolset, which here take an element in place of a coordinate too.
 */

import { z } from "zod";
import type { Limits } from "../config/limits.ts";
import {
  COMPUTER_FIELD_NAMES,
  COMPUTER_MEMBERS,
} from "../features/agents/anthropic/computer_tool.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json, noContent } from "../features/outcomes.ts";
import { FocusRef } from "../features/input/targets/refs.ts";
import {
  checkEither,
  computerOf,
  Coordinate,
  Display,
  INSIDE_ERRORS,
  Modifiers,
  namingFields,
  Ref,
} from "./tool.ts";

const CLICKS = {
  left_click: "Left click",
  right_click: "Right click",
  middle_click: "Middle click",
  double_click: "Double click",
  triple_click: "Triple click",
} as const;

/** Points are checked where they are converted, so a fault of the start is one of its element. */
const FIELD_NAMES = { ...COMPUTER_FIELD_NAMES, from: "start_ref" };

const common = { method: "POST", errors: INSIDE_ERRORS } as const;
const At = { coordinate: Coordinate.optional(), ref: Ref };

export function mouseTools(): readonly Operation[] {
  return [
    ...Object.entries(CLICKS).map(([id, summary]) =>
      memberTool({
        id: id as keyof typeof CLICKS,
        group: "mouse",
        summary,
        description: "Clicks at `coordinate`, at the element of `ref`, or where the cursor is.",
        body: z.object({ ...At, text: Modifiers, display_num: Display })
          .superRefine(checkEither("coordinate", "ref", { needed: false })),
        done: "Clicked.",
      })
    ),
    memberTool({
      id: "left_click_drag",
      group: "mouse",
      summary: "Drag with the left button",
      description:
        "Presses at `start_coordinate`, at the element of `start_ref` or at the cursor, moves, and releases at `coordinate` or at the element of `ref`.",
      body: z.object({
        start_coordinate: Coordinate.optional(),
        start_ref: Ref,
        ...At,
        text: Modifiers,
        display_num: Display,
      }).superRefine(checkEither("coordinate", "ref", { needed: true }))
        .superRefine(checkEither("start_coordinate", "start_ref", { needed: false })),
      done: "Dragged.",
    }),
    memberTool({
      id: "mouse_move",
      group: "mouse",
      summary: "Move the cursor",
      description: "Moves to `coordinate`, or to the element of `ref`.",
      body: z.object({ ...At, display_num: Display })
        .superRefine(checkEither("coordinate", "ref", { needed: true })),
      done: "Moved.",
    }),
    memberTool({
      id: "left_mouse_down",
      group: "mouse",
      summary: "Press the left button and hold it",
      description: "At the cursor, or at the element of `ref`.",
      body: z.object({ ref: Ref, display_num: Display }),
      done: "The button is held down.",
    }),
    memberTool({
      id: "left_mouse_up",
      group: "mouse",
      summary: "Release the left button",
      description: "At the cursor, or at the element of `ref`.",
      body: z.object({ ref: Ref, display_num: Display }),
      done: "The button is released.",
    }),
    memberTool({
      id: "scroll",
      group: "mouse",
      summary: "Scroll",
      description: "Scrolls at `coordinate`, at the element of `ref`, or where the cursor is.",
      body: z.object({
        ...At,
        scroll_direction: z.enum(["up", "down", "left", "right"]),
        scroll_amount: z.int().min(0).max(1_000).default(3).describe(
          "The number of notches of the wheel.",
        ),
        text: Modifiers,
        display_num: Display,
      }).superRefine(checkEither("coordinate", "ref", { needed: false })),
      done: "Scrolled.",
    }),
    defineOperation({
      ...common,
      id: "cursor_position",
      group: "mouse",
      readOnly: true,
      path: "/mcp/cursor_position",
      summary: "Get the position of the cursor",
      body: z.object({ display_num: Display }),
      answer: json(
        "The position, in pixels of the picture that `screenshot` returns.",
        z.object({ x: z.int(), y: z.int() }),
      ),
      run: (context, { display_num }) => computerOf(context, display_num).cursor(),
    }),
  ];
}

export function keyboardTools(limits: Limits): readonly Operation[] {
  return [
    memberTool({
      id: "type",
      group: "keyboard",
      long: true,
      summary: "Type a text",
      description:
        "Types into the element with the keyboard focus, on any layout: give the field's `ref`, or click it first. A line break is Enter.",
      body: z.object({
        text: z.string().max(limits.maxTextLength),
        ref: FocusRef,
        display_num: Display,
      }),
      done: "Typed.",
    }),
    memberTool({
      id: "key",
      group: "keyboard",
      summary: "Press a key or a combination",
      body: z.object({
        text: z.string().min(1).max(1_024).describe(
          "A key or a combination: `Return`, `ctrl+s`; several, separated by spaces, are pressed one after the other.",
        ),
        repeat: z.int().min(1).max(100).default(1).describe("How many times."),
        display_num: Display,
      }),
      done: "Pressed.",
    }),
    memberTool({
      id: "hold_key",
      group: "keyboard",
      long: true,
      summary: "Hold a key for some time",
      body: z.object({
        text: z.string().min(1).max(256).describe("A key or a combination: `w`, `ctrl+shift`."),
        duration: z.number().min(0).max(limits.maxDurationMs / 1_000).describe("Seconds."),
        display_num: Display,
      }),
      done: "Held and released.",
    }),
  ];
}

interface MemberTool extends Pick<Operation, "group" | "summary" | "description" | "long"> {
  readonly id: keyof typeof COMPUTER_MEMBERS;
  readonly body: z.ZodObject<{ readonly display_num: typeof Display }>;
  /** What the model reads afterwards. */
  readonly done: string;
}

/** A tool that acts as the member with its name does. */
function memberTool({ id, body, done, ...tool }: MemberTool): Operation {
  return defineOperation({
    ...common,
    ...tool,
    id,
    readOnly: false,
    path: `/mcp/${id}`,
    body,
    answer: noContent(done),
    async run(context, { display_num, ...input }) {
      await using computer = computerOf(context, display_num);
      await namingFields(FIELD_NAMES, () => COMPUTER_MEMBERS[id].run(computer, input));
    },
  });
}
