/** EventCount: programs send events only while somebody waits for them. */

import { expect } from "expect";
import { AtspiClient } from "../../../../src/platform/linux/atspi/client.ts";
import {
  EventCount,
  findSessionAccessibilityBus,
} from "../../../../src/platform/linux/atspi/find_bus.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { startAccessibleSession } from "../../../real_programs/support/accessible_session.ts";
import { openZenityForm } from "../../../real_programs/support/zenity.ts";
import { waitFor } from "../../../support/wait.ts";

Deno.test("EventCount asks programs for events while it is used, and no longer", async () => {
  await using session = await startAccessibleSession();
  const address = await findSessionAccessibilityBus({ ...thisHost(), env: session.env });
  using client = await AtspiClient.open(address);
  const registered = async () => {
    const registry = { bus: "org.a11y.atspi.Registry", path: "/org/a11y/atspi/registry" };
    const { body: [list] } = await client.bus.call({
      ...{ destination: registry.bus, path: registry.path },
      ...{ interface: registry.bus, member: "GetRegisteredEvents" },
    });
    return (list as [string, string][]).filter(([, event]) => /^(object|window):+$/i.test(event));
  };
  const before = (await registered()).length;
  const events = new EventCount(client, 300);
  const first = await events.wait(null, 0);
  expect((await registered()).length).toBeGreaterThan(before);
  await using _form = await openZenityForm(session.place);
  const second = await waitFor(async () => {
    const count = await events.wait(first, 50);
    return count === first ? undefined : count;
  }, { what: "an event of zenity" });
  await waitFor(async () => (await registered()).length === before, { what: "the end of them" });
  expect(await events.wait(second, 60_000)).not.toBe(second); // what came meanwhile is not known
  await waitFor(async () => (await registered()).length === before, { what: "the end again" });
});
