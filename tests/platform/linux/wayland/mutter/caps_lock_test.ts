/** Caps Lock of GNOME, which is reported some time after its key was taken. */

import { expect } from "expect";
import { MutterCapsLock } from "../../../../../src/platform/linux/wayland/mutter/backend.ts";

/** Reports what was reported before, `late` times. */
function capsLock({ late }: { readonly late: number }) {
  let isOn = false;
  let left = 0;
  const property = () => Promise.resolve(left-- > 0 ? !isOn : isOn);
  const lock = new MutterCapsLock({ property }, 100);
  const press = () => {
    [isOn, left] = [!isOn, late];
    lock.notePress();
  };
  return { lock, press };
}

Deno.test("Caps Lock is read as our own presses have made it, however late that is reported", async () => {
  const { lock, press } = capsLock({ late: 3 });
  expect(await lock.read()).toBe(false);
  press();
  expect(await lock.read()).toBe(true);
  press();
  press();
  expect(await lock.read()).toBe(true);
  press();
  expect(await lock.read()).toBe(false);
});

Deno.test("a key that has another function than Caps Lock is not waited for without end", async () => {
  const lock = new MutterCapsLock({ property: () => Promise.resolve(false) }, 30);
  lock.notePress();
  expect(await lock.read()).toBe(false);
});
