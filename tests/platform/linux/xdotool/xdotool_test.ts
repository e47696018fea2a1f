/** createXdotoolInput(): real xdotool processes on a real X server. */

import { expect } from "expect";
import { findKey } from "../../../../src/platform/keys.ts";
import {
  createXdotoolInput,
  type XdotoolInput,
} from "../../../../src/platform/linux/xdotool/driver.ts";
import type { Key } from "../../../../src/platform/types/mod.ts";
import { waitFor } from "../../../support/wait.ts";
import { openRecorder, type Recorder } from "../../../support/recorder.ts";
import { openXterm } from "../../../support/xterm.ts";
import { startXvfb } from "../../../support/xvfb.ts";

interface Desktop {
  readonly input: XdotoolInput;
  readonly recorder: Recorder;
}

/** A window that has the focus and the cursor, and the driver. */
async function onDesktop(test: (desktop: Desktop) => Promise<void>): Promise<void> {
  await using xvfb = await startXvfb();
  using recorder = await openRecorder(xvfb.display);
  const input = createXdotoolInput(xvfb.display);
  input.mouse.move({ x: 100, y: 100 });
  await input.confirm();
  await test({ input, recorder });
}

function key(name: string): Key {
  return findKey(name)!;
}

function tap({ keyboard: { use: keyboard } }: XdotoolInput, name: string): void {
  keyboard.press(key(name));
  keyboard.release(key(name));
}

/** `+1 -1`: presses and releases of buttons. */
function buttons({ buttonEvents }: Recorder): string {
  return buttonEvents.map(({ what, detail }) => (what === "button down" ? "+" : "-") + detail)
    .join(" ");
}

Deno.test("xdotool: move goes to the point, also when the cursor is there already", async () => {
  await using xvfb = await startXvfb();
  const input = createXdotoolInput(xvfb.display);
  for (const point of [{ x: 0, y: 0 }, { x: 17, y: 600 }, { x: 17, y: 600 }]) {
    input.mouse.move(point);
    await input.confirm();
    expect(await input.mouse.position()).toEqual(point);
  }
});

const BUTTONS = { left: 1, middle: 2, right: 3, back: 8, forward: 9 } as const;

for (const [name, number] of Object.entries(BUTTONS)) {
  Deno.test(`xdotool: the button ${name} arrives`, () =>
    onDesktop(async ({ input, recorder }) => {
      input.mouse.press(name as keyof typeof BUTTONS);
      input.mouse.release(name as keyof typeof BUTTONS);
      await input.confirm();
      await waitFor(() => buttons(recorder) === `+${number} -${number}`, { what: name });
    }));
}

Deno.test("xdotool: the wheel turns up, right, down and left", () =>
  onDesktop(async ({ input, recorder }) => {
    input.mouse.scroll({ up: 1, right: 1 });
    input.mouse.scroll({ up: -2, right: -1 });
    input.mouse.scroll({ up: 0, right: 0 });
    await input.confirm();
    const expected = "+4 -4 +7 -7 +5 -5 +5 -5 +6 -6";
    await waitFor(() => buttons(recorder) === expected, { what: expected });
  }));

const strokes: [string, (input: XdotoolInput) => void, string][] = [
  ["a chord", (input) => {
    input.keyboard.use.press(key("ctrl"));
    tap(input, "a");
    input.keyboard.use.release(key("ctrl"));
  }, "+Control_L +a -a -Control_L"],
  ["a function key", (input) => tap(input, "f5"), "+F5 -F5"],
  ["a digit, which is no keycode", (input) => tap(input, "9"), "+9 -9"],
  ["enter", (input) => tap(input, "enter"), "+Return -Return"],
  ["a capital letter with Shift", (input) => tap(input, "A"), "+Shift_L +A -Shift_L -a"],
  ["the plus key with Shift", (input) => tap(input, "+"), "+Shift_L +plus -Shift_L -equal"],
];

for (const [what, send, expected] of strokes) {
  Deno.test(`xdotool: ${what} arrives`, () =>
    onDesktop(async ({ input, recorder }) => {
      send(input);
      await input.confirm();
      await waitFor(() => recorder.keyEvents.length >= expected.split(" ").length);
      expect(recorder.strokes).toBe(expected);
    }));
}

Deno.test("xdotool: releaseAll() releases what anybody pressed", () =>
  onDesktop(async ({ input, recorder }) => {
    input.keyboard.use.press(key("shift"));
    input.keyboard.use.press(key("esc"));
    input.mouse.press("right");
    await input.confirm();
    await waitFor(() => buttons(recorder) === "+3", { what: "the button" });
    await input.releaseAll();
    await waitFor(() => recorder.events.filter(({ what }) => what !== "motion").length >= 6);
    expect(buttons(recorder)).toBe("+3 -3");
    expect(recorder.strokes).toBe("+Shift_L +Escape -Escape -Shift_L");
  }));

Deno.test("xdotool: operations that are confirmed together stay in order", () =>
  onDesktop(async ({ input, recorder }) => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    await Promise.all(letters.map((letter) => {
      tap(input, letter);
      return input.confirm();
    }));
    await waitFor(() => recorder.keyEvents.length >= 52);
    expect(recorder.strokes).toBe(letters.map((letter) => `+${letter} -${letter}`).join(" "));
  }));

Deno.test("xdotool: what is sent before a pause arrives in the pause", () =>
  onDesktop(async ({ input, recorder }) => {
    input.keyboard.use.press(key("a"));
    input.mouse.move({ x: 200, y: 200 });
    await waitFor(() => recorder.strokes === "+a" && recorder.motions.at(-1)?.x === 200);
    input.keyboard.use.release(key("a"));
    await waitFor(() => recorder.strokes === "+a -a");
  }));

Deno.test("xdotool: confirm() waits for what was sent before a pause", () =>
  onDesktop(async ({ input, recorder }) => {
    input.keyboard.use.press(key("a"));
    await new Promise((resolve) => setTimeout(resolve)); // its process runs now
    input.keyboard.use.release(key("a"));
    await new Promise((resolve) => setTimeout(resolve));
    await input.confirm();
    await recorder.sync();
    expect(recorder.strokes).toBe("+a -a");
  }));

Deno.test("xdotool: confirm() tells what failed before it, to everybody and once", async () => {
  await using input = createXdotoolInput(":4999");
  input.mouse.move({ x: 1, y: 1 });
  await expect(input.mouse.position()).rejects.toMatchObject({ code: "unavailable" });
  const confirmed = await Promise.allSettled([input.confirm(), input.confirm()]);
  expect(confirmed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await input.confirm();
});

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

const texts: [string, string, string][] = [
  ["every ASCII character", `${ASCII}\n`, `${ASCII}\n`],
  ["line breaks and tabs", "a\r\nb\rc\nd\te\n", "a\nb\nc\nd\te\n"],
  [
    "what looks like a flag or a command",
    "--delay 5 $(id) `id` \\ 'x'\n",
    "--delay 5 $(id) `id` \\ 'x'\n",
  ],
  ["other characters", "é ß € 漢字 😀 end\n", "é ß € 漢字 😀 end\n"],
  ["2,000 characters", `${"0123456789".repeat(200)}\n`, `${"0123456789".repeat(200)}\n`],
];

for (const [what, text, arrived] of texts) {
  Deno.test(`xdotool: typing sends ${what}`, async () => {
    await using xvfb = await startXvfb();
    await using xterm = await openXterm(xvfb.display);
    const input = createXdotoolInput(xvfb.display);
    await using plan = await input.keyboard.use.plan(text);
    expect(plan.length).toBe([...arrived].length);
    for (let from = 0; from < plan.length; from += 500) {
      await plan.send(from, Math.min(from + 500, plan.length));
    }
    await xterm.expectNext(arrived);
  });
}

Deno.test("xdotool: other characters reach a program that reads the map late", async () => {
  await using xvfb = await startXvfb();
  using recorder = await openRecorder(xvfb.display, { slownessMs: 10 });
  const input = createXdotoolInput(xvfb.display);
  await using plan = await input.keyboard.use.plan("aé漢b");
  await plan.send(0, plan.length);
  await waitFor(() => recorder.presses.length >= 4, { what: "four keys" });
  expect(recorder.text).toBe("aé漢b");
});

Deno.test("xdotool: typing does not mind Caps Lock", async () => {
  await using xvfb = await startXvfb();
  await using xterm = await openXterm(xvfb.display);
  const input = createXdotoolInput(xvfb.display);
  tap(input, "capslock");
  await using plan = await input.keyboard.use.plan("aBc\n");
  await plan.send(0, plan.length);
  await xterm.expectNext("aBc\n");
});

const untypable: [string, string][] = [
  ["a\0b", "U+0000 at 1"],
  ["\x1b", "U+001B at 0"],
  ["\ud800", "U+D800 at 0"],
];

for (const [text, name] of untypable) {
  Deno.test(`xdotool: plan() refuses ${name} before anything is typed`, async () => {
    const input = createXdotoolInput(":none");
    await expect(input.keyboard.use.plan(text!)).rejects.toMatchObject({
      code: "invalid",
      field: "text",
      message: `Characters that cannot be typed: ${name}`,
    });
  });
}

Deno.test("xdotool: a display that is not there is unavailable, and the text is not told", async () => {
  const input = createXdotoolInput(":4999");
  input.mouse.move({ x: 1, y: 1 });
  await expect(input.confirm()).rejects.toMatchObject({ code: "unavailable" });
  await using plan = await input.keyboard.use.plan("hunter2");
  const error = await plan.send(0, plan.length)!.catch((error: Error) => error) as Error;
  expect(error).toMatchObject({ code: "unavailable" });
  expect(JSON.stringify(error) + error.message + error.cause).not.toContain("hunter2");
});
