/** A log that nobody reads: the pipe is soon full, and the service goes on. */

import { expect } from "expect";
import { startCommand } from "../support/command.ts";

/** Each logs some 200 bytes; a pipe holds 64 KiB. */
const REQUESTS = 1_500;
const PATIENCE_MS = 20_000;

Deno.test("a service whose log nobody reads goes on answering, and ends in order", async () => {
  await using service = await startCommand(["--no-setup", "--display", ":65535"]);
  const statuses = new Map<number, number>();
  for (let count = 0; count < REQUESTS; count++) {
    const response = await fetch(`${service.address}/api/mouse/move`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x: 1, y: 1 }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([[503, REQUESTS]]);
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  expect((await service.errors.rest()).length).toBeGreaterThan(100); // what the pipe held
});
