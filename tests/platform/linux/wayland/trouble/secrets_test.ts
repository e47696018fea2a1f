/** Stored values that are filled in are typed by keys: no program sees them on the clipboard. */

import { expect } from "expect";
import { WaylandClient } from "../../../../../src/platform/linux/wayland/client.ts";
import { DataControl } from "../../../../../src/platform/linux/wayland/clipboards.ts";
import { openTextClient, type Press } from "../../../../support/wayland/clients.ts";
import { startSway, testSway } from "./support.ts";

const PASSWORD = "pä漢ß😀 §Я";

testSway("a stored value reaches a login form, and never the clipboard", async () => {
  await using desktop = await startSway();
  await using service = await desktop.service();
  using client = await WaylandClient.open(desktop.socket);
  const seat = client.bind("wl_seat", 1);
  const manager = client.bind("zwlr_data_control_manager_v1", 1);
  let offers = 0;
  manager.send("get_data_device", seat).on("data_offer", () => offers++);
  const press: Press = (operation, body) => service.call(`/api/${operation}`, body);
  await using entry = await openTextClient(desktop, "zenity", press);

  await press("keychain/set-item", { service: "bank", item: { password: PASSWORD } });
  const field = { type: "password", coordinates: { x: 640, y: 400 } };
  const login = (authElements: unknown[]) =>
    press("keychain/authenticate", { service: "bank", authElements });
  expect(await login([{ type: "password", value: "wrong" }, field])).toBe(false);
  expect(await login([{ type: "password", value: PASSWORD }, field])).toBe(true);
  await client.roundtrip();
  expect(offers).toBe(0);
  expect(await entry.received(PASSWORD)).toBe(PASSWORD);

  const clipboard = await DataControl.open(client, seat); // an offer would have been seen
  await clipboard.offer(new Map([["text/plain", [new Uint8Array(1)]]]));
  await client.roundtrip();
  expect(offers).toBe(1);
});
