/** Thousands of pictures of a 4K output: memory and descriptors stay as they are, and sway has nothing to complain about. */

import { expect } from "expect";
import { startWatched } from "../../../../support/command.ts";
import { pick } from "../../../../support/extent.ts";
import { waitFor } from "../../../../support/wait.ts";
import { stallsOf } from "../../../../support/watchdog.ts";
import { openEventLog } from "../../../../support/wayland/event_log.ts";
import { startSway, testSway } from "./support.ts";

const PICTURES = pick({ short: 500, full: 1_000 });
/** After so many, everything that pictures need is there. */
const WARM = PICTURES / 5;
/** No picture waits for the next frame of a screen. */
const FAST = "output HEADLESS-1 mode --custom 3840x2160@1000Hz";
const KB = 1024;
/** V8 returns memory to the system when it likes. */
const SLACK_MIB = 60;
const SLACK_DESCRIPTORS = 8;

testSway(`${PICTURES} pictures of a 4K output cost no memory and no descriptor`, async () => {
  await using desktop = await startSway({ width: 3840, height: 2160, config: FAST });
  await using _log = await openEventLog(desktop);
  const { PATH: _path, HOME: _home, ...session } = desktop.env;
  const said = await desktop.log();
  const service = await startWatched([], session);
  try {
    let before = measure(service.pid);
    for (let i = 0; i < PICTURES; i++) {
      if (i === WARM) before = measure(service.pid);
      // the cursor is drawn into the picture: each is another one
      await post(`${service.address}/api/mouse/move`, { x: i % 3_840, y: i % 2_160 });
      const picture = await fetch(`${service.address}/api/display/screenshot`);
      expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
      await picture.body?.cancel();
    }
    let after = measure(service.pid);
    const isFlat = () => {
      after = measure(service.pid);
      return after.descriptors <= before.descriptors + SLACK_DESCRIPTORS &&
        after.mib < before.mib + SLACK_MIB;
    };
    await waitFor(isFlat, { everyMs: 100 }).catch(() => {}); // the comparison says more
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + SLACK_DESCRIPTORS);
    expect(after.mib).toBeLessThan(before.mib + SLACK_MIB);
    expect(compositorIsAlive(desktop.pid)).toBe(true);
  } finally {
    await service[Symbol.asyncDispose]();
  }
  expect(stallsOf(service.errors.seen)).toEqual([]);
  expect((await desktop.log()).slice(said.length)).toBe("");
});

async function post(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  await response.body?.cancel();
  expect(response.ok).toBe(true);
}

function measure(pid: number): { readonly mib: number; readonly descriptors: number } {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const mib = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / KB;
  return { mib, descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length };
}

function compositorIsAlive(pid: number): boolean {
  return /^State:\s+[RSD]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
}
