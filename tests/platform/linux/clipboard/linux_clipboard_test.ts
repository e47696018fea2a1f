/** The clipboard of a Linux display over a connection that the test makes. */

import { expect } from "expect";
import { LinuxClipboard } from "../../../../src/platform/linux/clipboard/linux_clipboard.ts";
import type { TypedClipboard } from "../../../../src/platform/linux/clipboard/typed_clipboard.ts";

Deno.test("several who find the clipboard closed, or its connection lost, open one connection together", async () => {
  const opened: { connected: boolean }[] = [];
  const clipboard = new LinuxClipboard(async () => {
    const connection = { connected: true, types: () => Promise.resolve([]) };
    opened.push(connection);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return connection as unknown as TypedClipboard;
  });
  const { signal } = new AbortController();
  const readFive = () =>
    Promise.all(
      Array.from(
        { length: 5 },
        () => clipboard.read({ formats: ["text"], maxBytes: 1, idleMs: 1, signal }),
      ),
    );
  await readFive();
  expect(opened.length).toBe(1);
  opened[0]!.connected = false;
  await readFive();
  expect(opened.length).toBe(2);
});
