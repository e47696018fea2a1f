/** Programs yield to a person at a real X server, whose mouse and keyboard are moved. */

import { expect } from "expect";
import { Control } from "../../../src/features/control/control.ts";
import { YieldToPerson } from "../../../src/features/control/yield_to_person.ts";
import { ANNA } from "../../support/control.ts";
import { startRecordedDesktop } from "../../support/desktop.ts";
import { RealDevices } from "../../support/real_devices.ts";
import { startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import { startXvfb } from "../../support/xvfb.ts";

const LONG = "Abc é漢 ".repeat(2_000);
/** So long that it is over only where a test waits for that. */
const LONG_REST = { restMs: 600_000, log: console };
const SHORT_REST = { restMs: 1_000, log: console };
/** Of a key that the text lacks: the server lets go of one that two press when the first is released. */
const KEYCODE = 24;
const STATE = "/api/control/state";

Deno.test("a person at the mouse stops a text in its middle: nothing stays down but what the person holds", async () => {
  await using desktop = await startRecordedDesktop();
  const { service, recorder, display } = desktop;
  using devices = await RealDevices.open(display);
  await YieldToPerson.begin(service.session, LONG_REST);
  await service.call("/api/keyboard/hold", { key: "shift" });
  await service.call("/api/mouse/down", { button: "left" });
  const typing = service.send("/api/keyboard/type", { text: LONG, typing_delay: 0 });
  await waitFor(() => recorder.presses.length > 20, { what: "the text to begin" });
  expect(await service.call(STATE)).toMatchObject({ mode: "programs" });
  await devices.pressKey(KEYCODE);
  const answer = await typing;
  expect(answer.status).toBe(423);
  expect((await answer.json()).detail).toContain("a person uses the computer's mouse or keyboard");
  await waitFor(async () => (await recorder.x.keysDown()).length === 1, { what: "the release" });
  expect(await recorder.x.keysDown()).toEqual([KEYCODE]);
  await waitFor(async () => await recorder.x.buttonsDown() === 0, { what: "the button" });
  expect(await service.refused(423, "/api/mouse/move", { x: 5, y: 5 })).toContain("a person uses");
  expect(await service.refused(423, "/api/display/screenshot")).toContain("a person uses");
  await devices.releaseKey(KEYCODE);
  service.session.use(Control).resume(ANNA);
  await service.call("/api/mouse/move", { x: 5, y: 5 });
  expect(await service.call("/api/keyboard/held")).toEqual([]);
});

Deno.test("the service's own input does not pause it, and it goes on when the mouse rests", async () => {
  await using server = await startXvfb();
  await using service = await startService({ displays: [server.display] });
  using devices = await RealDevices.open(server.display);
  await YieldToPerson.begin(service.session, SHORT_REST);
  const modes: string[] = [];
  using _listening = service.session.use(Control).onChange(({ mode }) => modes.push(mode));
  await service.call("/api/mouse/move", { x: 50, y: 60 });
  await service.call("/api/mouse/left-click", { x: 70, y: 80 });
  await service.type("Hello é漢");
  expect(modes).toEqual([]);
  await devices.move(1, 0); // after all of that for the server
  await waitFor(() => modes.length > 0, { what: "the pause" });
  expect(modes).toEqual(["paused"]);
  await waitFor(() => modes.length > 1, { what: "the end of the pause" });
  expect(modes).toEqual(["paused", "programs"]);
  await service.call("/api/mouse/move", { x: 50, y: 60 });
});

Deno.test("every display is watched, one that was killed and started again, too", async () => {
  await using first = await startXvfb();
  const second = await startXvfb();
  const displays = [first.display, second.display];
  await using service = await startService({ displays });
  await YieldToPerson.begin(service.session, SHORT_REST);
  const control = service.session.use(Control);
  const pauses = async (display: string) => {
    using devices = await RealDevices.open(display);
    await waitFor(async () => {
      await devices.move(1, 0);
      return control.state.mode === "paused";
    }, { what: `the pause by ${display}` });
    await waitFor(() => control.state.mode === "programs", { what: "the end of the pause" });
  };
  for (const display of displays) await pauses(display);
  await second.kill();
  await pauses(first.display);
  await using _again = await startXvfb({ display: second.display });
  await pauses(second.display);
});
