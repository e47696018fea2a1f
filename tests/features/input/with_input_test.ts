/** The order of input on real displays: nothing interleaves, nothing is overtaken, displays do not wait for each other. */

import { expect } from "expect";
import { startDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import { openRecorder } from "../../support/recorder.ts";
import { type Service, startService } from "../../support/service.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { openXterm } from "../../support/xterm.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("50 texts and combinations at once are done one after the other, in their order", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const texts = Array.from({ length: 25 }, (_, i) => `<${i}:${"Aé漢x"[i % 4]}bC>`);
  const requests = texts.flatMap((text) => [
    service.type(text, { typing_delay: 1, typing_group_size: 2 }),
    service.call("/api/keyboard/key", { key: "ctrl+shift+t" }),
  ]);
  await Promise.all(requests);
  await recorder.sync();
  expect(recorder.text).toBe(texts.map((text) => `${text}T`).join(""));
  const chords = recorder.strokes.split("+Control_L +Shift_L +T -T -Shift_L -Control_L");
  expect(chords.length).toBe(26);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("50 texts at once arrive whole in an xterm", async () => {
  await using desktop = await startDesktop({ layout: ["de"] });
  await using xterm = await openXterm(desktop.display);
  const texts = Array.from({ length: 50 }, (_, i) => `${i} äé漢@${"z".repeat(i)}\n`);
  await Promise.all(texts.map((text) => desktop.service.type(text)));
  await xterm.expectNext(texts.join(""));
});

Deno.test("clicks and keys of one display keep the order of their requests", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const slow = service.call("/api/mouse/move", { x: 300, y: 100, duration_ms: 100 });
  const click = service.call("/api/mouse/left-click", {});
  const key = service.call("/api/keyboard/key", { key: "a" });
  const back = service.call("/api/mouse/right-click", { x: 5, y: 5 });
  await Promise.all([slow, click, key, back]);
  await recorder.sync();
  const done = recorder.events.filter(({ what }) => what === "button down" || what === "press");
  expect(done).toMatchObject([
    { what: "button down", detail: 1, x: 300, y: 100 },
    { what: "press", keysym: 0x61 },
    { what: "button down", detail: 3, x: 5, y: 5 },
  ]);
});

Deno.test("more input than may wait is refused with 503, and what waits is done", async () => {
  await using desktop = await startRecordedDesktop({ limits: { maxWaitingInput: 5 } });
  const { service, recorder } = desktop;
  await service.call("/api/mouse/position"); // the display is open
  const slow = service.type("slow", { typing_delay: 100 });
  const waiting = Array.from({ length: 5 }, () => service.call("/api/keyboard/key", { key: "x" }));
  const detail = await service.refused(503, "/api/keyboard/key", { key: "y" });
  expect(detail).toContain("5");
  expect(await service.call("/api/mouse/position")).toHaveProperty("x"); // reads do not wait
  await Promise.all([slow, ...waiting]);
  await recorder.sync();
  expect(recorder.text).toBe("slowxxxxx");
});

Deno.test("reads neither wait for input nor hold it up", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  await using typing = typeForLong(service, "0123456789");
  await waitFor(() => recorder.presses.length > 0, { what: "the first key" });
  await service.call("/api/display/pixel_color", { x: 1, y: 1 });
  await service.call("/api/mouse/position");
  await service.call("/api/keyboard/held");
  await service.call("/api/display/screen_size");
  expect(typing.over).toBe(false);
});

/** Types a text again and again, until the end of the block. */
function typeForLong(service: Service, text: string): AsyncDisposable & { readonly over: boolean } {
  const client = new AbortController();
  const body = { text: text.repeat(500), typing_delay: 50 };
  let over = false;
  const typing = service.send("/api/keyboard/type", body, client.signal)
    .then((response) => response.text(), () => {})
    .finally(() => over = true);
  return {
    get over() {
      return over;
    },
    async [Symbol.asyncDispose]() {
      client.abort();
      await typing;
    },
  };
}

Deno.test("two displays do not wait for each other, and do not mix", async () => {
  await using first = await startXvfb();
  await using second = await startXvfb({ size: "640x480" });
  using one = await openRecorder(first.display);
  using two = await openRecorder(second.display);
  await using service = await startService({ displays: [first.display, second.display] });
  {
    await using slow = typeForLong(service, "slow é漢 ");
    await waitFor(() => one.presses.length > 0, { what: "the first key" });
    await service.type("fast ж字", { display_num: 2 });
    await service.call("/api/mouse/move", { x: 2000, y: 2000, display_num: 2 });
    await waitFor(() => one.presses.length > 7, { what: "the first foreign keys" });
    expect(slow.over).toBe(false);
  }
  await Promise.all([one.sync(), two.sync()]);
  expect("slow é漢 ".repeat(500).startsWith(one.text)).toBe(true);
  expect(two.text).toBe("fast ж字");
  expect(await service.call("/api/mouse/position?display_num=2")).toEqual({ x: 639, y: 479 });
  await service.call("/api/keyboard/hold", { key: "ctrl", display_num: 2 });
  expect(await service.call("/api/keyboard/held")).toEqual([]);
  expect(await service.call("/api/keyboard/held?display_num=2")).toEqual(["ctrl"]);
  await service.call("/api/system/release-all", {});
  expect(await two.x.keysDown()).toEqual([]);
});
