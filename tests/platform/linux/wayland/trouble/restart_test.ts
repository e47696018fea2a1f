/** A compositor that is not there, dies, hangs or comes back: 503 in between, and then everything works. */

import { expect } from "expect";
import { startService } from "../../../../support/service.ts";
import { waitFor } from "../../../../support/wait.ts";
import { openEventLog } from "../../../../support/wayland/event_log.ts";
import { expectAll, expectBack, REQUESTS, startSway, testSway } from "./support.ts";

const TEXT = "Hello é漢字😀";

testSway("a name of WAYLAND_DISPLAY without a compositor is answered with 503", async () => {
  await using desktop = await startSway();
  const { runtime } = desktop;
  await Deno.writeTextFile(`${runtime}/file`, "");
  await Deno.mkdir(`${runtime}/folder`);
  const names = ["wayland-77", "file", "folder", "x".repeat(200), `${runtime}/none`, "é\u0001"];
  for (const name of names) {
    await using service = await startService({
      displays: [],
      env: { ...desktop.env, WAYLAND_DISPLAY: name },
    });
    for (const [path, body] of REQUESTS) {
      const { status } = await service.send(path, body);
      expect([name, path, status]).toEqual([name, path, 503]);
    }
    expect((await service.send("/readyz")).status).toBe(503);
    expect((await service.send("/healthz")).status).toBe(200);
  }
});

testSway("a compositor that starts after the service is used", async () => {
  await using desktop = await startSway();
  await desktop.crash();
  await using service = await desktop.service();
  for (const [path, body] of REQUESTS) await service.refused(503, path, body);
  await desktop.restart();
  await expectAll(service);
});

testSway(
  "a compositor that dies in the middle of a text is used again when it is back",
  async () => {
    await using desktop = await startSway();
    await using service = await desktop.service();
    for (let round = 0; round < 2; round++) {
      {
        await using log = await openEventLog(desktop);
        await service.call("/api/keyboard/hold", { key: "ctrl" });
        await service.call("/api/keyboard/release", { key: "ctrl" });
        await service.call("/api/keyboard/hold", { key: "shift" });
        const text = { text: "a漢".repeat(50_000) };
        const refused = service.refused(503, "/api/keyboard/type", text);
        const waiting = service.refused(503, "/api/keyboard/key", { key: "x" });
        await log.text(5);
        await desktop.crash();
        await refused;
        await waiting;
      }
      for (const [path, body] of REQUESTS) await service.refused(503, path, body);
      expect((await service.send("/readyz")).status).toBe(503);
      await desktop.restart();
      await expectBack(service);
      expect(await service.call("/api/keyboard/held")).toEqual([]);
      await using log = await openEventLog(desktop);
      await service.type(TEXT);
      expect(await log.text(TEXT.length)).toBe(TEXT);
      await service.call("/api/mouse/left-click", { x: 20, y: 30 });
      await waitFor(async () => (await log.pointer()).at(-1)?.type === "release");
      expect((await service.send("/readyz")).status).toBe(200);
    }
  },
);

testSway("a compositor that is stopped by a signal holds up no other request", async () => {
  await using desktop = await startSway();
  await using service = await desktop.service();
  await service.call("/api/mouse/move", { x: 1, y: 1 });
  Deno.kill(desktop.pid, "SIGSTOP");
  try {
    const answers = Promise.all(REQUESTS.map(([path, body]) => service.send(path, body)));
    for (let i = 0; i < 20; i++) await service.call("/api/filesystem/info//tmp");
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
    expect(statuses).toContain(503);
  } finally {
    Deno.kill(desktop.pid, "SIGCONT");
  }
  await expectBack(service);
});
