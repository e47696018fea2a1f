/** Reading selections, again and again, from programs that do not answer. */

import { expect } from "expect";
import { X11Connection } from "../../../../../src/platform/linux/x11/connection.ts";
import {
  SELECTION_ATOMS,
  SelectionReader,
} from "../../../../../src/platform/linux/x11/selection/read_selection.ts";
import { internAtoms } from "../../../../../src/platform/linux/x11/window_queries.ts";
import { openSelectionOwner } from "../../../../support/selection_owner.ts";
import { startXvfb } from "../../../../support/xvfb.ts";

/** An X client has some two million resource ids. */
const READS = 1_400;

Deno.test("reads that fail use up no resource ids, however many they are", async () => {
  await using server = await startXvfb();
  using owner = await openSelectionOwner(server.display, () => {});
  using connection = await X11Connection.open(server.display);
  const atoms = await internAtoms(connection, SELECTION_ATOMS);
  const reader = new SelectionReader(connection, atoms);
  const first = connection.client.AllocID();
  const target = owner.atom("UTF8_STRING");
  for (let left = READS; left > 0; left--) {
    const read = reader.read(target, { maxBytes: 100, idleMs: 0 });
    await expect(read).rejects.toMatchObject({ code: "timed_out" });
  }
  expect(connection.client.AllocID() - first).toBeLessThan(READS - 300);
});
