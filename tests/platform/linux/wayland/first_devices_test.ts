/** The first keyboard of a seat: programs begin to listen when they read that there is one. */

import { expect } from "expect";
import { pause } from "../../../../src/core/deadline.ts";
import {
  awaitListeners,
  UnreadBytesReader,
} from "../../../../src/platform/linux/wayland/unread_bytes.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";
import { openTextClient } from "../../../support/wayland/clients.ts";
import { missingFor, startWaylandDesktop } from "../../../support/wayland/desktop.ts";
import { startUserService } from "../../../support/wayland/user_service.ts";

const BACKENDS = { sway: "wlroots", mutter: "mutter", kwin: "kde" } as const;
/** Longer than a service waits for programs that have read everything. */
const BUSY_MS = 1_000;

for (const compositor of ["sway", "mutter", "kwin"] as const) {
  const missing = missingFor(compositor, ["zenity"]);
  testIf(missing === undefined, missing ?? "")(
    `a program that is busy when the first keyboard comes gets the whole text: ${compositor}`,
    async () => {
      await using desktop = await startWaylandDesktop(compositor);
      await using client = await openTextClient(
        desktop,
        "zenity",
        (...call) => service.call(...call),
      );
      const reader = new UnreadBytesReader(desktop.socket);
      Deno.kill(client.pid, "SIGSTOP");
      const before = reader.read();
      const isTold = () =>
        reader.read().entries().some(([inode, bytes]) => bytes > (before.get(inode) ?? 0));
      const telling = waitFor(isTold, { what: "the first keyboard" });
      const busy = telling.then(() => pause(BUSY_MS))
        .finally(() => Deno.kill(client.pid, "SIGCONT"));
      const flags = ["--wayland-backend", BACKENDS[compositor]];
      await using service = await startUserService(desktop, flags);
      const typing = service.call("keyboard/type", { text: "theirs" });
      await busy;
      await typing;
      expect(await client.received("theirs")).toBe("theirs");
    },
  );
}

Deno.test("programs that have something to read are waited for", async () => {
  const unread = new Map([[1, 0], [2, 100]]);
  let looks = 0;
  const read = () => {
    looks++;
    return unread;
  };
  let isOver = false;
  const listening = awaitListeners("wayland-1", { read }).then(() => isOver = true);
  await waitFor(() => looks > 120, { what: "looks for longer than a quiet program needs" });
  expect(isOver).toBe(false);
  unread.set(2, 0);
  await listening;
});

Deno.test("a program that always gets more, and reads it, is not waited for", async () => {
  let looks = 0;
  const read = () => new Map([[1, ++looks % 3 === 0 ? 0 : 768]]);
  await awaitListeners("wayland-1", { read });
  expect(looks).toBeLessThan(100); // 5 s would take several times as many
});
