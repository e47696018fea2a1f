/** The mouse as models are trained to use it: `left_click` and its kin. */

import { z } from "zod";
import type { Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json, noContent } from "../features/outcomes.ts";
import {
  callInside,
  checkEither,
  Coordinate,
  Display,
  findPictureSpace,
  INSIDE_ERRORS,
  Modifiers,
  Ref,
  splitModifiers,
  valueInside,
} from "./tool.ts";

const CLICKS = [
  ["left_click", "mouse.left-click", "Left click"],
  ["right_click", "mouse.right-click", "Right click"],
  ["middle_click", "mouse.middle-click", "Middle click"],
  ["double_click", "mouse.double-click", "Double click"],
  ["triple_click", "mouse.triple-click", "Triple click"],
] as const;

const FIELDS = { x: "coordinate", y: "coordinate", from: "start_ref", modifiers: "text" };
const DIRECTIONS = {
  up: { clicks: 1, horizontal_clicks: 0 },
  down: { clicks: -1, horizontal_clicks: 0 },
  left: { clicks: 0, horizontal_clicks: -1 },
  right: { clicks: 0, horizontal_clicks: 1 },
} as const;

const common = { group: "mouse", method: "POST", readOnly: false, errors: INSIDE_ERRORS } as const;

export function pointerTools(calls: Calls): readonly Operation[] {
  return [
    ...CLICKS.map(([id, operation, summary]) =>
      defineOperation({
        ...common,
        id,
        path: `/mcp/${id}`,
        summary,
        description: "Clicks at `coordinate`, at the element of `ref`, or where the cursor is.",
        body: z.object({
          coordinate: Coordinate.optional(),
          ref: Ref,
          text: Modifiers,
          display_num: Display,
        }).superRefine(checkEither("coordinate", "ref", { needed: false })),
        answer: noContent("Clicked."),
        async run(context, { coordinate, ref, text, display_num }) {
          const place = { ...await toScreen(context, coordinate, display_num), ...named(ref) };
          const input = { ...place, modifiers: splitModifiers(text), display_num };
          await callInside(calls, context, { operation, input, names: FIELDS });
        },
      })
    ),
    defineOperation({
      ...common,
      id: "left_click_drag",
      path: "/mcp/left_click_drag",
      summary: "Drag with the left button",
      body: z.object({
        start_coordinate: Coordinate.optional(),
        start_ref: Ref,
        coordinate: Coordinate.optional(),
        ref: Ref,
        text: Modifiers,
        display_num: Display,
      }).superRefine(checkEither("coordinate", "ref", { needed: true }))
        .superRefine(checkEither("start_coordinate", "start_ref", { needed: false })),
      description:
        "Presses at `start_coordinate`, at the element of `start_ref` or at the cursor, moves, and releases at `coordinate` or at the element of `ref`.",
      answer: noContent("Dragged."),
      async run(context, { start_coordinate, start_ref, coordinate, ref, text, display_num }) {
        const point = await toScreen(context, start_coordinate, display_num, "start_coordinate");
        const start = start_ref === undefined ? point : { ref: start_ref };
        const from = start === undefined ? {} : { from: start };
        const place = { ...await toScreen(context, coordinate, display_num), ...named(ref) };
        const input = { ...place, ...from, modifiers: splitModifiers(text), display_num };
        await callInside(calls, context, { operation: "mouse.drag", input, names: FIELDS });
      },
    }),
    defineOperation({
      ...common,
      id: "mouse_move",
      path: "/mcp/mouse_move",
      summary: "Move the cursor",
      description: "Moves to `coordinate`, or to the element of `ref`.",
      body: z.object({ coordinate: Coordinate.optional(), ref: Ref, display_num: Display })
        .superRefine(checkEither("coordinate", "ref", { needed: true })),
      answer: noContent("Moved."),
      async run(context, { coordinate, ref, display_num }) {
        const place = { ...await toScreen(context, coordinate, display_num), ...named(ref) };
        const input = { ...place, display_num };
        await callInside(calls, context, { operation: "mouse.move", input, names: FIELDS });
      },
    }),
    ...(["down", "up"] as const).map((way) =>
      defineOperation({
        ...common,
        id: `left_mouse_${way}`,
        path: `/mcp/left_mouse_${way}`,
        summary: way === "down" ? "Press the left button and hold it" : "Release the left button",
        description: "At the cursor, or at the element of `ref`.",
        body: z.object({ ref: Ref, display_num: Display }),
        answer: noContent(way === "down" ? "The button is held down." : "The button is released."),
        async run(context, { ref, display_num }) {
          const input = { ...named(ref), display_num };
          await callInside(calls, context, { operation: `mouse.${way}`, input });
        },
      })
    ),
    defineOperation({
      ...common,
      id: "scroll",
      path: "/mcp/scroll",
      summary: "Scroll",
      description: "Scrolls at `coordinate`, at the element of `ref`, or where the cursor is.",
      body: z.object({
        coordinate: Coordinate.optional(),
        ref: Ref,
        scroll_direction: z.enum(["up", "down", "left", "right"]),
        scroll_amount: z.int().min(0).max(1_000).default(3).describe(
          "The number of notches of the wheel.",
        ),
        text: Modifiers,
        display_num: Display,
      }).superRefine(checkEither("coordinate", "ref", { needed: false })),
      answer: noContent("Scrolled."),
      async run(context, { scroll_direction, scroll_amount, text, display_num, ...at }) {
        const point = await toScreen(context, at.coordinate, display_num);
        const place = { ...point, ...named(at.ref) };
        const { clicks, horizontal_clicks } = DIRECTIONS[scroll_direction];
        const turns = {
          clicks: clicks * scroll_amount,
          horizontal_clicks: horizontal_clicks * scroll_amount,
        };
        const input = { ...place, ...turns, modifiers: splitModifiers(text), display_num };
        await callInside(calls, context, { operation: "mouse.scroll", input, names: FIELDS });
      },
    }),
    defineOperation({
      ...common,
      id: "cursor_position",
      readOnly: true,
      path: "/mcp/cursor_position",
      summary: "Get the position of the cursor",
      body: z.object({ display_num: Display }),
      answer: json(
        "The position, in pixels of the picture that `screenshot` returns.",
        z.object({ x: z.int(), y: z.int() }),
      ),
      async run(context, { display_num }) {
        const query = { operation: "mouse.position", input: { display_num } };
        const point = await valueInside(calls, context, query) as { x: number; y: number };
        return (await findPictureSpace(context, display_num)).fromScreen(point);
      },
    }),
  ];
}

function named(ref: string | undefined): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

/** The point on the screen; `undefined` where none is given. */
async function toScreen(
  context: Context,
  coordinate: readonly number[] | undefined,
  displayNum: number,
  field = "coordinate",
) {
  if (coordinate === undefined) return undefined;
  const [x, y] = coordinate as [number, number];
  return (await findPictureSpace(context, displayNum)).toScreen({ x, y }, field);
}
