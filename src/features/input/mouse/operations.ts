/** Defines the mouse operations as data. */

import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { DisplayNumber, DurationMs, FrameId, KeyName, X, Y } from "../../fields.ts";
import { framed } from "../frames.ts";
import {
  definingWith,
  INPUT_ERRORS,
  json,
  type Operation,
  TARGET_ERRORS,
} from "../../operation.ts";
import { answerEffect, doneOrEffect, EffectField } from "../effect.ts";
import {
  ALWAYS,
  checkPosition,
  checkRequiredPosition,
  POSITION_SCHEMA,
  Ref,
  REQUIRED_POSITION_SCHEMA,
  RequiredRef,
} from "../targets/refs.ts";
import { click, type ClickInput, pressButton, releaseButton } from "./click.ts";
import { DEFAULT_DRAG_MS, drag } from "./drag.ts";
import { getPosition, moveCursor } from "./move.ts";
import { scroll } from "./scroll.ts";

const Button = z.enum(["left", "middle", "right", "back", "forward"]);

const DragPoint = z.object({ x: X, y: Y });
const DragStart = z.union([DragPoint, z.object({ ref: RequiredRef })]);

/** Most points of a drag. */
const MAX_PATH = 1_000;

function Modifiers(what: string) {
  return z.array(KeyName).max(8).default([])
    .describe(`Keys to hold down during the ${what}, for example \`["ctrl"]\`.`);
}

const At = { x: X.optional(), y: Y.optional(), ref: Ref };
const Common = { effect: EffectField, frame: FrameId, display_num: DisplayNumber };
const ClickFields = { ...At, modifiers: Modifiers("click"), ...Common };

const Click = z.object(ClickFields).superRefine(checkPosition, ALWAYS).meta(POSITION_SCHEMA);

const CountedClick = z.object({
  ...ClickFields,
  click_count: z.int().min(1).max(3).default(1)
    .describe("1 for a click, 2 for a double click, 3 for a triple click."),
}).superRefine(checkPosition, ALWAYS).meta(POSITION_SCHEMA);

const CLICK_HINTS = {
  button: 'did you mean mouse/right-click, or mouse/click with "button"?',
  clicks: 'did you mean mouse/click with "click_count"?',
};

const ButtonClick = z.object({
  button: z.enum(["left", "middle", "right"]).default("left").describe("The button to click."),
  ...CountedClick.shape,
}).superRefine(checkPosition, ALWAYS).meta(POSITION_SCHEMA);

const OneButton = z.object({
  button: Button.default("left").describe("The mouse button."),
  ...At,
  ...Common,
}).superRefine(checkPosition, ALWAYS).meta(POSITION_SCHEMA);

const COUNTED_CLICKS =
  "Presses the button within the double-click time of every toolkit, with no motion between the presses, and each with a " +
  "timestamp of its own. Right after another click at the same position it waits until that click no longer counts.";

export function mouseOperations(limits: Limits): readonly Operation[] {
  const common = {
    group: "mouse",
    method: "POST",
    readOnly: false,
    errors: TARGET_ERRORS,
  } as const;
  const define = definingWith(common);
  const defineClick = definingWith({ ...common, hints: CLICK_HINTS });
  const maxHoldS = limits.maxHoldMs / 1000;
  const clicks = [["left", "Left"], ["right", "Right"], ["middle", "Middle"]] as const;
  return [
    define({
      id: "moveMouse",
      path: "/api/mouse/move",
      summary: "Move the cursor",
      description:
        "A point outside the screen or the picture is replaced by the nearest point inside.",
      body: z.object({
        ...At,
        duration_ms: DurationMs(limits, "The duration of the movement"),
        ...Common,
      }).superRefine(checkRequiredPosition, ALWAYS).meta(REQUIRED_POSITION_SCHEMA),
      answer: doneOrEffect("The cursor has moved."),
      run: answerEffect(framed(moveCursor, { outside: "nearest" })),
    }),
    defineClick({
      id: "clickMouse",
      path: "/api/mouse/click",
      summary: "Click",
      description: "Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.",
      body: ButtonClick,
      answer: doneOrEffect("The button was clicked."),
      run: answerEffect(
        framed((context, at: z.output<typeof ButtonClick>) =>
          click(context, at, { button: at.button, times: at.click_count })
        ),
      ),
    }),
    ...clicks.map(([button, word]) =>
      defineClick({
        id: `${button}Click`,
        path: `/api/mouse/${button}-click`,
        summary: `${word} click`,
        description: "Clicks at `x`, `y`, at the element of `ref`, or where the cursor is.",
        body: CountedClick,
        answer: doneOrEffect("The button was clicked."),
        run: answerEffect(framed((context, at: ClickInput & { click_count: number }) =>
          click(context, at, { button, times: at.click_count })
        )),
      })
    ),
    ...([["double", 2, "Double"], ["triple", 3, "Triple"]] as const).map(([name, times, word]) =>
      defineClick({
        id: `${name}Click`,
        path: `/api/mouse/${name}-click`,
        summary: `${word} left click`,
        description: COUNTED_CLICKS,
        body: Click,
        answer: doneOrEffect(`The button was ${word.toLowerCase()}-clicked.`),
        run: answerEffect(
          framed((context, at: ClickInput) => click(context, at, { button: "left", times })),
        ),
      })
    ),
    define({
      id: "scrollMouse",
      path: "/api/mouse/scroll",
      summary: "Scroll",
      description:
        "Sends one notch every 15 ms, slowly enough for programs to count each; on macOS up to ten at once.",
      body: z.object({
        clicks: z.int().min(-1000).max(1000)
          .describe("The number of notches: positive scrolls up, negative down."),
        horizontal_clicks: z.int().min(-1000).max(1000).default(0)
          .describe("The number of horizontal notches: positive scrolls right, negative left."),
        unit: z.enum(["notches", "pixels"]).default("notches").describe(
          "The unit of `clicks` and `horizontal_clicks`. Pixels are supported on macOS, and on Windows as browsers measure " +
            "them (100 for a notch); on X11 and Wayland, whose wheel only has notches, the answer is 501.",
        ),
        ...At,
        modifiers: Modifiers("scrolling"),
        ...Common,
      }).superRefine(checkPosition, ALWAYS).meta(POSITION_SCHEMA),
      answer: doneOrEffect("The wheel was turned."),
      run: answerEffect(framed(scroll)),
    }),
    define({
      id: "dragMouse",
      path: "/api/mouse/drag",
      summary: "Drag to a point",
      description:
        "Presses the button at the cursor or at `from`, moves over the points of `path` to `x`, `y`, or to the element of `ref`, at constant " +
        "speed, pauses, and releases it exactly there. Without `duration_ms` it takes as long as drag and drop " +
        "between windows and in web pages needs; with 0 it moves immediately and without a pause, which is enough for " +
        "selections and sliders, but not for drag and drop.",
      body: z.object({
        ...At,
        from: DragStart.optional().describe(
          "The point or the element where the drag begins; by default the position of the cursor.",
        ),
        path: z.array(DragPoint).max(MAX_PATH).default([])
          .describe("Points that the cursor passes on the way, in this order."),
        button: Button.default("left").describe("The button to hold down."),
        modifiers: Modifiers("drag"),
        duration_ms: z.int().min(0).max(limits.maxDurationMs).default(DEFAULT_DRAG_MS)
          .describe(
            "The duration of the movement, in milliseconds; 0 means immediately, without a pause.",
          ),
        ...Common,
      }).superRefine(checkRequiredPosition, ALWAYS).meta(REQUIRED_POSITION_SCHEMA),
      answer: doneOrEffect("The drag is finished and the button released."),
      run: answerEffect(framed(drag)),
    }),
    define({
      id: "mouseDown",
      path: "/api/mouse/down",
      summary: "Press a button and hold it",
      description:
        `Presses at the cursor, at \`x\`, \`y\`, or at the element of \`ref\`. The button is held until \`up\`, release-all, ${maxHoldS} seconds or the end of the service.`,
      body: OneButton,
      answer: doneOrEffect("The button is held down."),
      run: answerEffect(framed(pressButton)),
    }),
    define({
      id: "mouseUp",
      path: "/api/mouse/up",
      summary: "Release a button held by `down`",
      description:
        "Releases at the cursor, at `x`, `y`, or at the element of `ref`: the cursor moves there first. Does nothing else if the button is not held.",
      body: OneButton,
      answer: doneOrEffect("The button is no longer held down."),
      run: answerEffect(framed(releaseButton)),
    }),
    define({
      id: "getMousePosition",
      readOnly: true,
      method: "GET",
      path: "/api/mouse/position",
      summary: "Get the position of the cursor",
      query: z.object({ display_num: DisplayNumber }),
      answer: json("The position of the cursor.", z.object({ x: X, y: Y })),
      errors: INPUT_ERRORS,
      run: getPosition,
    }),
  ];
}
