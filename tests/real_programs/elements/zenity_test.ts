/** A form of zenity, by its elements. */

import { expect } from "expect";
import { run } from "../../support/desktop.ts";
import { waitFor } from "../../support/wait.ts";
import { openBus } from "../../../src/platform/linux/bus/message_bus.ts";
import { startAccessibleSession } from "../support/accessible_session.ts";
import { openZenityForm } from "../support/zenity.ts";

Deno.test("zenity tells the accessibility bus of its session what it shows", async () => {
  await using session = await startAccessibleSession();
  const said = await run("xprop", ["-display", session.display, "-root", "AT_SPI_BUS"]);
  const [, address] = /"(unix:[^"]*)"/.exec(new TextDecoder().decode(said))!;
  using bus = await openBus(address!);
  const programs = async () => {
    const { body: [children] } = await bus.call({
      destination: "org.a11y.atspi.Registry",
      path: "/org/a11y/atspi/accessible/root",
      interface: "org.a11y.atspi.Accessible",
      member: "GetChildren",
    });
    return (children as unknown[]).length;
  };
  expect(await programs()).toBe(0);
  await using _form = await openZenityForm(session.place);
  await waitFor(async () => await programs() === 1, { what: "zenity on the bus" });
});
