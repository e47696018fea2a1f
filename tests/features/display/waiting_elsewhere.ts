/** What the tests of display/wait for files and processes share. */

import { join } from "node:path";
import { testFolder } from "../../support/folder.ts";
import { startService } from "../../support/service.ts";
import { startXvfb } from "../../support/xvfb.ts";

export const LONG_MS = 30_000;

/** A service on a real system; files and processes need no display, but the platform opens one. */
export async function startWorld() {
  const server = await startXvfb({ size: "64x64" });
  const service = await startService({ displays: [server.display] });
  const folder = await testFolder();
  const wait = (until: unknown, timeout_ms = LONG_MS) =>
    service.call("/api/display/wait", { until, timeout_ms }) as Promise<{ status: string }>;
  return {
    service,
    wait,
    path: (name: string) => join(folder.path, name),
    refused: (status: number, until: unknown) =>
      service.refused(status, "/api/display/wait", { until, timeout_ms: LONG_MS }),
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Whether a wait has not ended after some looks. */
export async function isOpen(waiting: Promise<unknown>): Promise<boolean> {
  let ended = false;
  waiting.then(() => ended = true, () => ended = true);
  await new Promise((wake) => setTimeout(wake, 150));
  return !ended;
}
