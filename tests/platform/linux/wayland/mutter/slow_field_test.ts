/** A long text in a program that answers each character with the whole text of its field. */

import { expect } from "expect";
import { testIf } from "../../../../support/test_if.ts";
import { openTextClient } from "../../../../support/wayland/clients.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { startUserService } from "../../../../support/wayland/user_service.ts";

const MISSING = missingFor("mutter", ["zenity"]);
const test = testIf(MISSING === undefined, MISSING ?? "");

test("3,000 characters into a slow GTK 3 field arrive, each once", async () => {
  await using desktop = await startWaylandDesktop("mutter");
  await using service = await startUserService(desktop, ["--wayland-backend", "mutter"]);
  await using client = await openTextClient(desktop, "zenity", service.call);
  const text = Array.from({ length: 300 }, (_, i) => `Line ${`${i}`.padStart(4, "0")}.`).join("");
  await service.call("keyboard/type", { text, typing_delay: 0 });
  expect(await client.received(text)).toBe(text);
});
