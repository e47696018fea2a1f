/** 500 slow and flooding connections: a good client's moves are all answered meanwhile. */

import { expect } from "expect";
import { startLimited } from "../support/command.ts";
import { waitFor } from "../support/wait.ts";
import { startXvfb } from "../support/xvfb.ts";
import { startCrowd } from "./support/crowd.ts";

const CROWD = 500;
const MOVES = 50;
/** Short times, so that slow connections are closed meanwhile. */
const LIMITS = { headerTimeoutMs: 500, bodyTimeoutMs: 500 };

Deno.test("every move of a good client is done while 500 slow and flooding clients press on", async () => {
  await using xvfb = await startXvfb();
  await using service = await startLimited(LIMITS, ["--display", `1=${xvfb.display}`]);
  await using crowd = startCrowd(Number(new URL(service.address).port), CROWD);
  await waitFor(() => crowd.opened >= CROWD && crowd.sent > 0, {
    what: "all connections",
    timeoutMs: 60_000,
  });
  const before = crowd.opened;
  for (let x = 100; x < 100 + MOVES; x++) {
    const moved = await fetch(`${service.address}/api/mouse/move`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x, y: 7 }),
    });
    expect([x, moved.status, await moved.text()]).toEqual([x, 204, ""]);
    const position = await fetch(`${service.address}/api/mouse/position`);
    expect([position.status, await position.json()]).toEqual([200, { x, y: 7 }]);
  }
  await waitFor(() => crowd.opened > before, { what: "slow connections to be closed" });
});
