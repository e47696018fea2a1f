/** Spare keycodes on a real server: what programs are told, and when they are given back. */

import { expect } from "expect";
import type { Xkb } from "../../../../src/platform/linux/x11/client.ts";
import { requireCapability } from "../../../../src/platform/capability.ts";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { getKeyRows } from "../../../../src/platform/linux/x11/xkb_map.ts";
import { setLayout, startDesktop, startRecordedDesktop } from "../../../support/desktop.ts";
import { startCommand } from "../../../support/command.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";

const MAPPING_NOTIFY = 34;
/** Of the symbols of keys, not of the modifiers. */
const KEYBOARD = 1;
/** More than there are spare keycodes, so that both levels of all are used. */
const FOREIGN = Array.from({ length: 30 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");

/** Counts what the server tells every program of a changed map. */
function countNotifications(x: TestX): () => number {
  let count = 0;
  x.client.on(
    "event",
    ((event: { type: number; request: number }) => {
      if ((event.type & 0x7f) === MAPPING_NOTIFY && event.request === KEYBOARD) count++;
    }) as (value: never) => void,
  );
  return () => count;
}

async function sync(x: TestX): Promise<void> {
  await x.call((done) => x.client.GetInputFocus(done));
}

Deno.test("programs are notified once of all characters of a text, and once when they are given back", async () => {
  await using desktop = await startDesktop({ layout: ["de"] });
  using x = await TestX.open(desktop.display);
  const before = await x.keyboardMapping();
  await desktop.service.type("a"); // the first key of the device copies its whole map
  const notifications = countNotifications(x);
  await desktop.service.type(FOREIGN);
  await sync(x);
  expect(notifications()).toBe(1);
  await desktop.service.type(`${FOREIGN}äöü`);
  await desktop.service.call("/api/keyboard/key", { key: FOREIGN[3] });
  await sync(x);
  expect(notifications()).toBe(1);
  await waitFor(async () => JSON.stringify(await x.keyboardMapping()) === JSON.stringify(before), {
    what: "the keycodes to be given back",
  });
  await sync(x);
  expect(notifications()).toBe(2);
});

Deno.test("planning a text changes nothing on the server, Caps Lock included", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  await x.setCapsLock(true);
  const before = await x.keyboardMapping();
  const display = await desktop.service.platform.displays.open(1);
  if (!display.input.ready) throw new Error(display.input.reason);
  {
    await using plan = await requireCapability(display.input.use.keyboard).plan("aÄ漢");
    expect(plan.length).toBe(3);
    await display.input.use.confirm();
    expect(await x.keyboardMapping()).toEqual(before);
    expect(await x.capsLock()).toBe(true);
  }
  expect(await x.keyboardMapping()).toEqual(before);
});

Deno.test("a program that stalls for four seconds still gets the right characters", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { ping: true, slownessMs: 4_000 } });
  await desktop.service.type("漢字é");
  await waitFor(() => desktop.recorder.presses.length >= 3, { what: "the program to wake up" });
  expect(desktop.recorder.text).toBe("漢字é");
});

Deno.test("a program that stalls and cannot be asked is given five seconds", async () => {
  await using desktop = await startRecordedDesktop({ recorder: { slownessMs: 3_500 } });
  await desktop.service.type("漢字é");
  await waitFor(() => desktop.recorder.presses.length >= 3, { what: "the program to wake up" });
  expect(desktop.recorder.text).toBe("漢字é");
});

Deno.test("a text with more foreign characters than keycodes stops when the program takes none of them", async () => {
  await using desktop = await startRecordedDesktop({
    recorder: { ping: true, slownessMs: 25_000 },
  });
  const text = Array.from({ length: 50 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
  const detail = await desktop.service.refused(503, "/api/keyboard/type", {
    text,
    typing_delay: 0,
  });
  expect(detail).toContain("does not process the keys");
  expect(await desktop.recorder.x.keysDown()).toEqual([]);
});

Deno.test("a service that is stopped at any moment never freezes the display", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  await using program = await startCommand(["--display", `1=${desktop.display}`]);
  let typing = true;
  const typed = (async () => {
    for (let i = 0; typing; i++) {
      const text = String.fromCodePoint(...Array.from({ length: 9 }, (_, k) => 0x4e00 + 9 * i + k));
      const answer = await program.post("/api/keyboard/type", { text, typing_delay: 0 });
      await answer.body?.cancel();
    }
  })();
  try {
    for (let stop = 0; stop < 60; stop++) {
      Deno.kill(program.pid, "SIGSTOP");
      try {
        await answersSoon(x);
      } finally {
        Deno.kill(program.pid, "SIGCONT");
      }
      await new Promise((wake) => setTimeout(wake, Math.random() * 20)); // any moment
    }
  } finally {
    typing = false;
    await typed;
  }
});

async function answersSoon(x: TestX): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The X server is frozen")), 3_000);
  try {
    await Promise.race([sync(x), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("a layout of one keyboard of its own is left as it is", async () => {
  await using desktop = await startDesktop();
  using x = await TestX.open(desktop.display);
  const device = await keyboardNamed(x, "Xvfb keyboard");
  await setLayout(desktop.display, ["-device", `${device}`, "fr"]);
  const layoutOf = async () => {
    using connection = await X11Connection.open(desktop.display);
    const { client } = connection;
    const xkb = await connection.call<Xkb>((done) => client.require("xkb", done as never));
    return await getKeyRows(connection, xkb, { device, range: { first: 8, count: 248 } });
  };
  const before = await layoutOf();
  await desktop.service.type(FOREIGN);
  await desktop.service[Symbol.asyncDispose](); // gives everything back
  expect(await layoutOf()).toEqual(before);
});

async function keyboardNamed(x: TestX, name: string): Promise<number> {
  interface XInput {
    ListInputDevices(done: (error: unknown, devices: { id: number; name: string }[]) => void): void;
  }
  const xinput = await x.call<XInput>((done) => x.client.require("xinput", done as never));
  const devices = await x.call<{ id: number; name: string }[]>((done) =>
    xinput.ListInputDevices(done as never)
  );
  return devices.find((each) => each.name === name)!.id;
}
