/** The jobs for a remembered region, by the worker that searches. */

import { expect } from "expect";
import { startDesktop } from "../../support/desktop.ts";
import { TestX } from "../../support/x_client.ts";
import { Pictures } from "../../../src/features/display/pictures.ts";

Deno.test("what has changed in a remembered region is nothing, then the box of it, until it is forgotten", async () => {
  await using desktop = await startDesktop({ server: { size: "320x240" } });
  const { session, platform } = desktop.service;
  const display = await platform.displays.open(1);
  const pictures = session.use(Pictures);
  const name = "of a test";
  const region = { x: 0, y: 0, width: 200, height: 100 };
  const ask: Pictures["run"] = pictures.run.bind(pictures);
  const changes = () => ask("findChanges", display, { name });
  await ask("remember", display, { name, region });
  expect(await changes()).toBe(undefined);
  using x = await TestX.open(desktop.display);
  await x.openWindow({ x: 10, y: 20, width: 50, height: 40, pixel: 0xff0000 });
  const changed = { x: 10, y: 20, width: 50, height: 40 };
  expect(await changes()).toEqual(changed);
  expect(await ask("forget", display, { name })).toBe(true);
  await expect(changes()).rejects.toThrow('There is no region "of a test"');
});
