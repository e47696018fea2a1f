/** Layouts that change and windows that close while a text is typed: a clear answer, and nothing left down. */

import { expect } from "expect";
import { setLayout, startRecordedDesktop } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";

const [KEY_Y, KEY_Z, ENTER] = [29, 52, 36];
const SECOND_GROUP = 1 << 13;
/** Still on its way when another program has been started, however busy the computer is. */
const LONG = "yz".repeat(500_000);
const limits = { maxTextLength: LONG.length };

Deno.test("typeText() stops when the layout is changed while keys are on their way", async () => {
  await using desktop = await startRecordedDesktop({ limits });
  const { service, recorder, display } = desktop;
  const refused = service.refused(409, "/api/keyboard/type", { text: LONG, typing_delay: 0 });
  await waitFor(() => recorder.presses.length > 200, { what: "a part of the text" });
  await setLayout(display, ["de"]);
  expect(await refused).toMatch(/Typing stopped at \d+: the keyboard layout was changed/);
  await recorder.sync();
  expect(await recorder.x.keysDown()).toEqual([]);
  recorder.clear();
  await service.type("yz@é");
  await recorder.sync();
  expect(recorder.text).toBe("yz@é");
});

Deno.test("typeText() stops when the window that gets the text is destroyed", async () => {
  await using desktop = await startRecordedDesktop({ limits });
  const { service, recorder } = desktop;
  const refused = service.refused(409, "/api/keyboard/type", { text: LONG, typing_delay: 0 });
  await waitFor(() => recorder.presses.length > 200, { what: "a part of the text" });
  recorder.x.client.DestroyWindow(recorder.window);
  expect(await refused).toMatch(/Typing stopped at \d+: the window .* was closed/);
  expect(await recorder.x.keysDown()).toEqual([]);
});

Deno.test("typeText() is done when the Enter that ends the text closes the window", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder } = desktop;
  const next = await recorder.x.openWindow();
  recorder.x.client.on(
    "event",
    ((event: { name: string; keycode: number }) => {
      if (event.name === "KeyPress" && event.keycode === ENTER) {
        recorder.x.client.SetInputFocus(next, 1);
        recorder.x.client.DestroyWindow(recorder.window);
      }
    }) as (value: never) => void,
  );
  for (const typing_delay of [0, 12]) {
    expect(await service.call("/api/keyboard/type", { text: "ok\n", typing_delay })).toBe(null);
  }
});

Deno.test("typeText() goes right through a switch to another group, or tells of it", async () => {
  await using desktop = await startRecordedDesktop({ layout: ["us,ru"] });
  const { service, recorder } = desktop;
  const text = "yz".repeat(5_000);
  const answer = service.send("/api/keyboard/type", { text, typing_delay: 0 });
  await waitFor(() => recorder.presses.length > 200, { what: "a part of the text" });
  await recorder.x.lockGroup(1);
  const { status } = await answer;
  await recorder.sync();
  const wrong = recorder.presses.filter(({ detail, state }) =>
    (state & SECOND_GROUP) !== 0 && [KEY_Y, KEY_Z].includes(detail)
  );
  expect({ status, wrong }).toEqual(
    status === 200 ? { status, wrong: [] } : { status: 409, wrong },
  );
  expect(await recorder.x.keysDown()).toEqual([]);
});
