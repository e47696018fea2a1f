/** A service that is stopped as a whole and goes on later, as a frozen container does. */

import { expect } from "expect";
import { startLimited } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";

const SUSPENDED_MS = 1_500;
const ROUNDS = 4;
/** Keycodes of every X server without other settings. */
const [SHIFT, CONTROL] = [50, 37];

function elapsed(ms: number): Promise<true> {
  const began = performance.now();
  return waitFor(() => performance.now() - began > ms, { what: `${ms} ms to pass` });
}

Deno.test({
  name: "what was held when the service was suspended is released, what is held since is not",
  ignore: unless(Deno.build.os === "linux", "needs an X server"),
  async fn() {
    await using xvfb = await startXvfb();
    await using folder = await testFolder();
    await using service = await startLimited(
      { suspendedMs: SUSPENDED_MS },
      ["--display", xvfb.display],
    );
    using x = await TestX.open(xvfb.display);
    const call = async (path: string, body: unknown) => {
      const answer = await service.post(path, body);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      await answer.body?.cancel();
    };
    for (let round = 1; round <= ROUNDS; round++) {
      await call("/api/keyboard/hold", { key: "shift" });
      await call("/api/mouse/down", {});
      const path = `${folder.path}/${round}`;
      await call("/api/filesystem/write", { path, content: "acknowledged" });
      expect(await x.keysDown()).toEqual([SHIFT]);
      Deno.kill(service.pid, "SIGSTOP");
      await elapsed(SUSPENDED_MS + 200);
      // it is there before the service looks at the clock
      const since = call("/api/keyboard/hold", { key: "ctrl" });
      Deno.kill(service.pid, "SIGCONT");
      await since;
      await waitFor(async () => (await x.keysDown()).join() === `${CONTROL}`, {
        what: "Shift to go up, and Control to be down",
      });
      await elapsed(1_000);
      expect(await x.keysDown()).toEqual([CONTROL]);
      const picture = await fetch(`${service.address}/api/display/screenshot`);
      expect([picture.status, (await picture.bytes()).length > 100]).toEqual([200, true]);
      await call("/api/keyboard/release", { key: "ctrl" });
      expect(await x.keysDown()).toEqual([]);
      expect(await Deno.readTextFile(path)).toBe("acknowledged");
    }
  },
});

Deno.test({
  name:
    "a request that came while the service was suspended is answered, on a connection that was idle",
  ignore: unless(Deno.build.os === "linux", "needs an X server"),
  async fn() {
    await using xvfb = await startXvfb();
    await using service = await startLimited(
      { idleTimeoutMs: 1_000, headerTimeoutMs: 1_000 },
      ["--display", xvfb.display],
    );
    const { hostname, port } = new URL(service.address);
    using client = await Deno.connect({ hostname, port: Number(port) });
    const ask = new TextEncoder().encode("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const buffer = new Uint8Array(4_096);
    const isAnswered = async () => {
      const count = await client.read(buffer);
      expect(new TextDecoder().decode(buffer.subarray(0, count ?? 0))).toContain(" 200 OK");
    };
    await client.write(ask);
    await isAnswered();
    for (let round = 1; round <= ROUNDS; round++) {
      await elapsed(200); // a check has seen that it is idle
      Deno.kill(service.pid, "SIGSTOP");
      await elapsed(2_500); // longer than it may be
      await client.write(ask);
      Deno.kill(service.pid, "SIGCONT");
      await isAnswered();
    }
  },
});
