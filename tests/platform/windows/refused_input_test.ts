/** Input that Windows does not take: who is told, what counts as pressed, and what is released later. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { HeldInput, InputLock } from "../../../src/features/input/input_lock.ts";
import { clickOnDisplay } from "../../../src/features/input/clicks.ts";
import { ClickHistory } from "../../../src/features/input/click_history.ts";
import type { Context } from "../../../src/features/context.ts";
import type { DisplaySession } from "../../../src/features/input/display_sessions.ts";
import { type SendInput, withInput } from "../../../src/features/input/with_input.ts";
import { findKey } from "../../../src/platform/keys.ts";
import { missing } from "../../../src/platform/capability.ts";
import { WindowsInput } from "../../../src/platform/windows/displays.ts";
import { InputQueue } from "../../../src/platform/windows/input_records.ts";
import { WindowsKeyboard } from "../../../src/platform/windows/keyboard.ts";
import { WindowsMouse } from "../../../src/platform/windows/mouse.ts";
import { FakeUser32 } from "../../support/windows/fake_user32.ts";

const CLICK = { point: undefined, button: "left", times: 1 } as const;
const SHIFT = findKey("shift")!;
const A = findKey("A")!;

Deno.test("a click that Windows does not take is refused, also behind one that it took", async () => {
  const { user32, run } = open();
  await run((leased) => clickOnDisplay(leased, CLICK));
  user32.takes = 0;
  await expect(
    run((leased) => clickOnDisplay(leased, CLICK)),
  )
    .rejects
    .toMatchObject({ code: "permission_denied" });
});

Deno.test("an operation is told of its own refusals, not the next one", async () => {
  const { user32, run } = open();
  user32.takes = 0;
  const refused = run(async ({ displaySession }) => {
    displaySession.input.mouse.press("left");
    await Promise.resolve();
  });
  const next = run(() => {
    user32.takes = undefined;
  });
  await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
  await next;
});

Deno.test("a refusal before another error is not told to the next operation", async () => {
  const { user32, run } = open();
  user32.takes = 0;
  const failed = run(async ({ displaySession }) => {
    displaySession.input.mouse.press("left");
    await Promise.resolve();
    throw new Error("the cursor is not there");
  });
  await expect(failed).rejects.toThrow("the cursor is not there");
  user32.takes = undefined;
  await run(({ displaySession }) => displaySession.input.mouse.scroll({ up: 1, right: 0 }));
});

Deno.test("a key that Windows did not press is pressed by the next try", async () => {
  const { user32, input } = open();
  user32.layout.set("A", 0x141);
  user32.takes = 0;
  input.keyboard.use.press(SHIFT);
  await expect(input.confirm()).rejects.toMatchObject({ code: "permission_denied" });
  user32.takes = undefined;
  user32.calls.length = 0;
  input.keyboard.use.press(A);
  input.keyboard.use.release(A);
  input.keyboard.use.press(SHIFT);
  await input.confirm();
  expect(user32.calls).toEqual(["key a0 down; key 41 down; key 41 up; key a0 up; key a0 down"]);
});

Deno.test("a modifier whose key Windows did not press goes up again", async () => {
  const { user32, input } = open();
  user32.layout.set("A", 0x141);
  user32.takes = 1;
  input.keyboard.use.press(A);
  await expect(input.confirm()).rejects.toMatchObject({ code: "permission_denied" });
  expect(user32.calls).toEqual(["key a0 down; key 41 down", "key a0 up"]);
});

Deno.test("a release that Windows did not take is sent again, ahead of what comes then", async () => {
  const { user32, input } = open();
  input.mouse.press("left");
  input.keyboard.use.press(SHIFT);
  await input.confirm();
  user32.takes = 0;
  input.mouse.release("left");
  input.keyboard.use.release(SHIFT);
  input.mouse.press("right");
  input.mouse.release("right");
  await expect(input.confirm()).rejects.toMatchObject({ code: "permission_denied" });
  user32.takes = undefined;
  user32.calls.length = 0;
  input.mouse.scroll({ up: 1, right: 0 });
  await input.confirm();
  expect(user32.calls).toEqual(["mouse 4 0,0 0; key a0 up; mouse 800 0,0 120"]);
});

Deno.test("a button that is released while the screen is locked goes up when it is unlocked, once", async () => {
  const { user32, input } = open();
  input.mouse.press("right");
  await input.confirm();
  Object.assign(user32, { takes: 0, desktop: false });
  for (let times = 0; times < 2; times++) {
    await expect(input.releaseAll()).rejects.toMatchObject({ code: "unavailable" });
  }
  Object.assign(user32, { takes: undefined, desktop: true });
  user32.calls.length = 0;
  input.mouse.scroll({ up: 1, right: 0 });
  await input.releaseAll();
  expect(user32.calls).toEqual(["mouse 10 0,0 0; mouse 800 0,0 120"]);
});

function open() {
  const user32 = new FakeUser32();
  const queue = new InputQueue(user32);
  const keyboard = new WindowsKeyboard(user32, queue);
  const monitor = () => ({ x: 0, y: 0, width: 500, height: 500 });
  const input = new WindowsInput(new WindowsMouse({ user32, queue, monitor }), keyboard, queue);
  const untold = missing("A fake does not tell");
  const display = { displayNum: 1, focus: untold, delivery: untold };
  const desktop = {
    ...{ input, display, held: new HeldInput(DEFAULT_LIMITS), inputLock: new InputLock(10) },
    clicks: new ClickHistory(),
  } as unknown as DisplaySession;
  const { signal } = new AbortController();
  const context = {
    session: { use: () => ({ open: () => desktop }) },
    signal,
  } as unknown as Context;
  return { user32, input, run: (send: SendInput) => withInput(context, 1, send) };
}
