/**
 * The script for `osascript -l JavaScript` that posts the events for which cliclick has no command.
 */

import { SCRIPT_TOOLS } from "./programs.ts";

/** One event; coordinates are in points and span all displays. */
export type MacEvent =
  | {
    readonly type: "wheel";
    readonly up: number;
    readonly right: number;
    /** Lines by default. */
    readonly unit?: "pixel";
  }
  | {
    readonly type: "button";
    readonly button: number;
    readonly down: boolean;
    /** The click count, from 1, within a double or triple click; 1 by default. */
    readonly press?: number;
  }
  | { readonly type: "move"; readonly button: number; readonly x: number; readonly y: number }
  | { readonly type: "key"; readonly code: number; readonly down: boolean };

/** The output when macOS discards the events. */
export const NOT_TRUSTED = "not trusted";

/**
 * Takes the events as a JSON list, its only argument. The numbers are those of CGEventTypes.h: tap
 * 0 (HID); buttons 0 left, 1 right, 2 and more others; types 1 2 6 (left down, up, dragged), 3 4 7
 * (right), 25 26 27 (others); field 1 (click state). A wheel event with two axes counts up and left
 * as positive, in lines; large counts are split into several events, because programs accept no
 * more than about ten lines each.
 */
export const EVENT_SCRIPT = `${SCRIPT_TOOLS}
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");

const TYPES = [{ down: 1, up: 2, dragged: 6 }, { down: 3, up: 4, dragged: 7 }];
const OTHER = { down: 25, up: 26, dragged: 27 };
const LINES = 10;

function post(event) {
  $.CGEventPost(0, event);
  delay(0.01);
}

function mouse(what, button, at, press) {
  const type = (TYPES[button] || OTHER)[what];
  const event = $.CGEventCreateMouseEvent(null, type, at, button);
  if (press) $.CGEventSetIntegerValueField(event, 1, press);
  post(event);
}

function turn(up, right, unit) {
  if (unit === "pixel") {
    post($.CGEventCreateScrollWheelEvent2(null, 0, 2, up, -right, 0));
    return;
  }
  for (; up !== 0 || right !== 0;) {
    const lines = [up, right].map((value) => Math.max(-LINES, Math.min(LINES, value)));
    post($.CGEventCreateScrollWheelEvent2(null, 1, 2, lines[0], -lines[1], 0));
    up -= lines[0];
    right -= lines[1];
  }
}

const EVENTS = {
  wheel: ({ up, right, unit }) => turn(up, right, unit),
  button: ({ button, down, press }) =>
    mouse(down ? "down" : "up", button, $.CGEventGetLocation($.CGEventCreate(null)), press),
  move: ({ button, x, y }) => mouse("dragged", button, $.CGPointMake(x, y)),
  key: ({ code, down }) => post($.CGEventCreateKeyboardEvent(null, code, down)),
};

function run(argv) {
  if (!trusted()) return "${NOT_TRUSTED}";
  for (const event of JSON.parse(argv[0])) EVENTS[event.type](event);
  return "done";
}
`;
