/** The scripts for osascript, run in this JavaScript engine on a stand-in for the bridge to macOS: what they ask and post. */

import { expect } from "expect";
import { EVENT_SCRIPT, type MacEvent } from "../../../src/platform/macos/cliclick.ts";
import { DESKTOP_SCRIPT } from "../../../src/platform/macos/desktop.ts";

// deno-lint-ignore no-explicit-any -- the bridge has every name
type Bridge = Record<string, any>;

function runScript(script: string, bridge: Bridge, args: readonly string[] = []): string {
  const objC = {
    import: () => {},
    bindFunction: () => {
      throw new Error("bound already");
    },
    castRefToObject: (reference: unknown) => reference,
    deepUnwrap: (object: unknown) => object,
  };
  const load = new Function("ObjC", "$", "delay", `${script}\nreturn run;`);
  return load(objC, bridge, () => {})(args);
}

function post(events: readonly MacEvent[], { trusted = true } = {}) {
  const posted: unknown[] = [];
  const bridge: Bridge = {
    AXIsProcessTrusted: () => trusted,
    CGPointMake: (x: number, y: number) => ({ x, y }),
    CGEventCreate: () => "now",
    CGEventGetLocation: (event: unknown) => ({ x: 5, y: event === "now" ? 6 : 0 }),
    CGEventCreateMouseEvent: (_: null, ...event: unknown[]) => ["mouse", ...event],
    CGEventSetIntegerValueField: (event: unknown[], field: number, value: number) => {
      if (field === 1) event.push(`state ${value}`);
    },
    CGEventCreateKeyboardEvent: (_: null, ...event: unknown[]) => ["key", ...event],
    CGEventCreateScrollWheelEvent2: (_: null, ...counts: number[]) => [
      "wheel",
      ...counts.map((count) => count | 0), // the bridge makes int32_t of them
    ],
    CGEventPost: (tap: number, event: unknown) => void posted.push([tap, event]),
  };
  const printed = runScript(EVENT_SCRIPT, bridge, [JSON.stringify(events)]);
  expect(posted.every((each) => (each as [number])[0] === 0)).toBe(true);
  return { printed, posted: posted.map((each) => (each as [number, unknown])[1]) };
}

Deno.test("the event script turns the wheel in lines, up and left being positive, ten at once", () => {
  expect(post([{ type: "wheel", up: 23, right: -4 }])).toEqual({
    printed: "done",
    posted: [["wheel", 1, 2, 10, 4, 0], ["wheel", 1, 2, 10, 0, 0], ["wheel", 1, 2, 3, 0, 0]],
  });
  expect(post([{ type: "wheel", up: -11, right: 1 }]).posted).toEqual([
    ["wheel", 1, 2, -10, -1, 0],
    ["wheel", 1, 2, -1, 0, 0],
  ]);
  expect(post([{ type: "wheel", up: -30, right: 4, unit: "pixel" }]).posted)
    .toEqual([["wheel", 0, 2, -30, -4, 0]]);
});

Deno.test("the event script says of each press which one of a double click it is", () => {
  const at = { x: 5, y: 6 };
  const presses = [1, 2].map((press) =>
    ({ type: "button", button: 1, down: true, press }) as const
  );
  expect(post(presses).posted).toEqual([["mouse", 3, at, 1, "state 1"], [
    "mouse",
    3,
    at,
    1,
    "state 2",
  ]]);
});

Deno.test("the event script presses buttons where the cursor is, and drags", () => {
  const { posted } = post([
    { type: "button", button: 1, down: true },
    { type: "move", button: 1, x: 7, y: 8 },
    { type: "button", button: 1, down: false },
    { type: "button", button: 4, down: true },
    { type: "move", button: 4, x: -7, y: 8 },
    { type: "button", button: 4, down: false },
  ]);
  const at = { x: 5, y: 6 };
  expect(posted).toEqual([
    ["mouse", 3, at, 1],
    ["mouse", 7, { x: 7, y: 8 }, 1],
    ["mouse", 4, at, 1],
    ["mouse", 25, at, 4],
    ["mouse", 27, { x: -7, y: 8 }, 4],
    ["mouse", 26, at, 4],
  ]);
});

Deno.test("the event script presses keys by their code", () => {
  const { posted } = post([
    { type: "key", code: 123, down: true },
    { type: "key", code: 123, down: false },
  ]);
  expect(posted).toEqual([["key", 123, true], ["key", 123, false]]);
});

Deno.test("the event script posts nothing without the permission", () => {
  const refused = post([{ type: "key", code: 123, down: true }], { trusted: false });
  expect(refused).toEqual({ printed: "not trusted", posted: [] });
});

function screenOf(name: string, origin: unknown, size: unknown, scale: number) {
  return {
    frame: { origin, size },
    backingScaleFactor: scale,
    localizedName: { js: name },
  };
}

const screens = [
  screenOf("Built-in", { x: 0, y: 0 }, { width: 1_440, height: 900 }, 2),
  screenOf("LG", { x: -1_920, y: -180 }, { width: 1_920, height: 1_080 }, 1),
];

const bridge: Bridge = {
  NSScreen: { screens: { count: screens.length, objectAtIndex: (i: number) => screens[i] } },
  AXIsProcessTrusted: () => true,
  CGPreflightScreenCaptureAccess: () => false,
  CGSessionCopyCurrentDictionary: () => ({
    kCGSSessionOnConsoleKey: 1,
    CGSSessionScreenIsLocked: 1,
  }),
  NSUserDefaults: {
    alloc: {
      initWithSuiteName: (suite: string) => ({
        stringForKey: (key: string) => ({ js: `${suite} ${key}` }),
      }),
    },
  },
};

Deno.test("the desktop script tells places from the top left corner of the primary display", () => {
  expect(JSON.parse(runScript(DESKTOP_SCRIPT, bridge))).toEqual({
    screens: [
      { name: "Built-in", x: 0, y: 0, width: 1_440, height: 900, scale: 2 },
      { name: "LG", x: -1_920, y: 0, width: 1_920, height: 1_080, scale: 1 },
    ],
    accessibility: true,
    recording: false,
    session: { locked: true, onConsole: true },
    layout: "com.apple.HIToolbox AppleCurrentKeyboardLayoutInputSourceID",
  });
});

Deno.test("the desktop script leaves open what this macOS cannot tell", () => {
  expect(JSON.parse(runScript(DESKTOP_SCRIPT, {}))).toEqual({
    screens: null,
    accessibility: null,
    recording: null,
    session: null,
    layout: null,
  });
});
