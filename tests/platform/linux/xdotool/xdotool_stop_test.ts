/** The xdotool driver: what runs is stopped by release-all and ends with the display. */

import { expect } from "expect";
import { openX11Display } from "../../../../src/platform/linux/x11/display.ts";
import { createXdotoolInput, withXdotool } from "../../../../src/platform/linux/xdotool/driver.ts";
import { requireCapability } from "../../../../src/platform/capability.ts";
import type { Input } from "../../../../src/platform/types/mod.ts";
import { openRecorder, type Recorder } from "../../../support/recorder.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";

/** Starts a text that takes 20 seconds; resolves when it has begun. */
async function startLongText(
  input: Input,
  recorder: Recorder,
): Promise<{ sent: Promise<unknown> }> {
  const plan = await requireCapability(input.keyboard).plan("é".repeat(400));
  const sent = Promise.resolve(plan.send(0, plan.length)).then(() => "typed", (error) => error);
  await waitFor(() => recorder.presses.length > 0, { what: "the first key" });
  return { sent };
}

/** The xdotool processes that run on an X display. */
function processesOn(display: string): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/comm`) === "xdotool\n" &&
        Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").includes(`DISPLAY=${display}`);
    } catch {
      return false; // no process, or it has ended
    }
  });
}

Deno.test("xdotool: releaseAll() stops a text, with every key up", async () => {
  await using xvfb = await startXvfb();
  using recorder = await openRecorder(xvfb.display);
  await using input = createXdotoolInput(xvfb.display);
  const { sent } = await startLongText(input, recorder);
  const before = recorder.presses.length;
  await input.releaseAll();
  expect(await sent).toMatchObject({ code: "conflict" });
  expect(processesOn(xvfb.display)).toEqual([]);
  await recorder.sync();
  expect(recorder.presses.length).toBeLessThan(before + 10);
  expect(recorder.keyEvents.length).toBe(2 * recorder.presses.length);
  input.mouse.move({ x: 7, y: 7 });
  expect(await input.mouse.position()).toEqual({ x: 7, y: 7 });
});

Deno.test("xdotool: the end of the display stops a text, with every key up", async () => {
  await using xvfb = await startXvfb();
  using recorder = await openRecorder(xvfb.display);
  const options = { displayNum: 1, xDisplay: xvfb.display, keymapSettleMs: 0 };
  const display = withXdotool(await openX11Display(options), xvfb.display);
  const input = display.input.ready && display.input.use as Input;
  if (!input) throw new Error("There is no input");
  const { sent } = await startLongText(input, recorder);
  const before = recorder.presses.length;
  await display[Symbol.asyncDispose]();
  expect(await sent).toMatchObject({ code: "unavailable" });
  expect(processesOn(xvfb.display)).toEqual([]);
  await recorder.sync();
  expect(recorder.presses.length).toBeLessThan(before + 10);
  expect(recorder.keyEvents.length).toBe(2 * recorder.presses.length);
  input.mouse.move({ x: 1, y: 1 });
  await expect(input.confirm()).rejects.toMatchObject({ code: "unavailable" });
});

Deno.test("xdotool: a process that hangs ends with its display", async () => {
  await using xvfb = await startXvfb();
  const input = createXdotoolInput(xvfb.display);
  Deno.kill(xvfb.pid, "SIGSTOP");
  try {
    input.mouse.move({ x: 1, y: 1 });
    const confirmed = input.confirm().catch((error) => error);
    await waitFor(() => processesOn(xvfb.display).length === 1);
    await input[Symbol.asyncDispose]();
    expect(await confirmed).toMatchObject({ code: "unavailable" });
    expect(processesOn(xvfb.display)).toEqual([]);
  } finally {
    Deno.kill(xvfb.pid, "SIGCONT");
  }
});
