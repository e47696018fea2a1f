/** Connections to browsers, with messages that cannot be used. */

import { expect } from "expect";
import { CdpConnection } from "../../../src/platform/browser/cdp/connection.ts";

Deno.test("an event that cannot be used ends the connection, and what waits fails with its name", async () => {
  const transport = {
    send() {},
    onmessage: (_: string) => {},
    onlarge: () => {},
    closed: new Promise<void>(() => {}),
    close() {},
  };
  const fault = new TypeError("a fault");
  const connection = new CdpConnection(transport, () => {
    throw fault;
  });
  const waiting = connection.call("Browser.getVersion");
  transport.onmessage('{"method":"Target.attachedToTarget","params":{}}');
  const error = await waiting.catch((error) => error);
  expect(error).toMatchObject({ code: "unavailable", cause: fault });
  expect(error.message).toContain("Target.attachedToTarget");
  expect(connection.isOpen).toBe(false);
  await expect(connection.call("Browser.getVersion")).rejects.toBe(error);
});

Deno.test("JSON that is no message of the protocol ends the connection at once", async () => {
  const transport = {
    send() {},
    onmessage: (_: string) => {},
    onlarge: () => {},
    closed: new Promise<void>(() => {}),
    close() {},
  };
  const connection = new CdpConnection(transport, () => {});
  const waiting = connection.call("Browser.getVersion");
  transport.onmessage("12");
  expect(connection.isOpen).toBe(false);
  await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
});
