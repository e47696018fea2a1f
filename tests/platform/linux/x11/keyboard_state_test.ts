/** What the server tells of the keyboard without being asked. */

import { expect } from "expect";
import type { Xkb } from "../../../../src/platform/linux/x11/client.ts";
import { X11Connection } from "../../../../src/platform/linux/x11/connection.ts";
import { KeyboardState } from "../../../../src/platform/linux/x11/layout.ts";
import { run, setLayout } from "../../../support/desktop.ts";
import { waitFor } from "../../../support/wait.ts";
import { TestX } from "../../../support/x_client.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const SHIFT = 1;

Deno.test("KeyboardState follows groups and modifiers without asking", async () => {
  await using server = await startXvfb();
  await setLayout(server.display, ["us,ru"]);
  using x = await TestX.open(server.display);
  using connection = await X11Connection.open(server.display);
  const { client } = connection;
  const xkb = await connection.call<Xkb>((done) => client.require("xkb", done as never));
  let groups = 0;
  const state = await KeyboardState.open(connection, xkb, {
    mapChanged() {},
    groupChanged: () => groups++,
  });
  await x.lockGroup(1);
  await waitFor(() => state.current.group === 1, { what: "the group", timeoutMs: 5_000 });
  expect(groups).toBe(1);
  await run("xdotool", ["keydown", "shift"], { DISPLAY: server.display });
  await waitFor(() => state.current.baseMods === SHIFT, { what: "Shift", timeoutMs: 5_000 });
  await run("xdotool", ["keyup", "shift"], { DISPLAY: server.display });
  await waitFor(() => state.current.baseMods === 0, { what: "Shift up", timeoutMs: 5_000 });
});
