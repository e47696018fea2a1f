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
import { defineOperation, json, noContent, type Operation } from "../features/operation.ts";
import { FocusRef } from "../features/input/targets/refs.ts";
import { checkEither, computerOf, Coordinate, Display, Modifiers, Ref, toolBase } from "./tool.ts";

const At = { coordinate: Coordinate.optional(), ref: Ref };

export function mouseTools(): readonly Operation[] {
  const clickTool = (id: Member, summary: string) =>
    memberTool("mouse", {
      id,
      summary,
      description: "Clicks at `coordinate`, at the element of `ref`, or where the cursor is.",
      fields: { ...At, text: Modifiers },
      done: "Clicked.",
    });
  const holdTool = (id: Member, summary: string, done: string) =>
    memberTool("mouse", {
      id,
      summary,
      description: "At the cursor, or at the element of `ref`.",
      fields: { ref: Ref },
      done,
    });
  return [
    clickTool("left_click", "Left click"),
    clickTool("right_click", "Right click"),
    clickTool("middle_click", "Middle click"),
    clickTool("double_click", "Double click"),
    clickTool("triple_click", "Triple click"),
    memberTool("mouse", {
      id: "left_click_drag",
      summary: "Drag with the left button",
      description:
        "Presses at `start_coordinate`, at the element of `start_ref` or at the cursor, moves, and releases at `coordinate` or at the element of `ref`.",
      fields: { start_coordinate: Coordinate.optional(), start_ref: Ref, ...At, text: Modifiers },
      needsPlace: true,
      done: "Dragged.",
    }),
    memberTool("mouse", {
      id: "mouse_move",
      summary: "Move the cursor",
      description: "Moves to `coordinate`, or to the element of `ref`.",
      fields: At,
      needsPlace: true,
      done: "Moved.",
    }),
    holdTool("left_mouse_down", "Press the left button and hold it", "The button is held down."),
    holdTool("left_mouse_up", "Release the left button", "The button is released."),
    memberTool("mouse", {
      id: "scroll",
      summary: "Scroll",
      description: "Scrolls at `coordinate`, at the element of `ref`, or where the cursor is.",
      fields: {
        ...At,
        scroll_direction: z.enum(["up", "down", "left", "right"]),
        scroll_amount: z.int().min(0).max(1_000).default(3).describe(
          "The number of notches of the wheel.",
        ),
        text: Modifiers,
      },
      done: "Scrolled.",
    }),
    defineOperation({
      ...toolBase("cursor_position", "mouse"),
      readOnly: true,
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
    memberTool("keyboard", {
      id: "type",
      long: true,
      summary: "Type a text",
      description:
        "Types into the element with the keyboard focus, on any layout: give the field's `ref`, or click it first. A line break is Enter.",
      fields: { text: z.string().max(limits.maxTextLength), ref: FocusRef },
      done: "Typed.",
    }),
    memberTool("keyboard", {
      id: "key",
      summary: "Press a key or a combination",
      fields: {
        text: z.string().min(1).max(1_024).describe(
          "A key or a combination: `Return`, `ctrl+s`; several, separated by spaces, are pressed one after the other.",
        ),
        repeat: z.int().min(1).max(100).default(1).describe("How many times."),
      },
      done: "Pressed.",
    }),
    memberTool("keyboard", {
      id: "hold_key",
      long: true,
      summary: "Hold a key for some time",
      fields: {
        text: z.string().min(1).max(256).describe("A key or a combination: `w`, `ctrl+shift`."),
        duration: z.number().min(0).max(limits.maxDurationMs / 1_000).describe("Seconds."),
      },
      done: "Held and released.",
    }),
  ];
}

type Member = keyof typeof COMPUTER_MEMBERS;

interface MemberTool extends Pick<Operation, "summary" | "description" | "long"> {
  readonly id: Member;
  readonly fields: z.core.$ZodShape;
  /** Whether it cannot act where the cursor is. */
  readonly needsPlace?: boolean;
  /** What the model reads afterwards. */
  readonly done: string;
}

/** Points are checked where they are converted, so an error of the start is one of its element. */
const FIELD_NAMES = { ...COMPUTER_FIELD_NAMES, from: "start_ref" };

/** A tool that acts as the member with its name does. */
function memberTool(
  group: "mouse" | "keyboard",
  { id, fields, needsPlace: needed = false, done, ...tool }: MemberTool,
): Operation {
  return defineOperation({
    ...toolBase(id, group),
    ...tool,
    readOnly: false,
    body: z.object({ ...fields, display_num: Display })
      .superRefine(checkEither("coordinate", "ref", { needed }))
      .superRefine(checkEither("start_coordinate", "start_ref", { needed: false })),
    answer: noContent(done),
    async run(context, { display_num, ...input }) {
      await using computer = computerOf(context, display_num, FIELD_NAMES);
      await COMPUTER_MEMBERS[id].run(computer, input);
    },
  });
}
