/** What the tests of display/wait for files and processes share. */

import { join } from "node:path";
import { testFolder } from "../../support/folder.ts";
import { startService } from "../../support/service.ts";
import { startXvfb } from "../../support/xvfb.ts";

export const LONG_MS = 30_000;
/** In which a wait looks several times. */
const LOOKS_MS = 100;

/** A service on a real system; files and processes need no display, but the platform opens one. */
export async function startWorld() {
  const server = await startXvfb({ size: "64x64" });
  const service = await startService({ displays: [server.display] });
  const folder = await testFolder();
  const conditions = new Map<Promise<unknown>, unknown>();
  const wait = (until: unknown, timeout_ms = LONG_MS): Promise<{ status: string }> => {
    const sent = service.call("/api/display/wait", { until, timeout_ms });
    const waiting = sent as Promise<{ status: string }>;
    conditions.set(waiting, until);
    return waiting;
  };
  return {
    service,
    wait,
    /** Whether a wait goes on while an equal one, which begins now, looks several times in vain. */
    async isOpen(waiting: Promise<unknown>): Promise<boolean> {
      let ended = false;
      waiting.then(() => ended = true, () => ended = true);
      const later = await wait(conditions.get(waiting), LOOKS_MS);
      return later.status === "timeout" && !ended;
    },
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
