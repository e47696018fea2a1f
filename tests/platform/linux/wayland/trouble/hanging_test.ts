/** KWin that dies or hangs: 503 in between, and then everything works. */

import { expect } from "expect";
import { startService } from "../../../../support/service.ts";
import { testIf } from "../../../../support/test_if.ts";
import { waitFor } from "../../../../support/wait.ts";
import { missingFor, startWaylandDesktop } from "../../../../support/wayland/desktop.ts";
import { expectAll, expectBack, REQUESTS } from "./support.ts";

/** No program has the focus, which would be needed to paste a text. */
const PLAIN = REQUESTS.filter(([path]) => path !== "/api/keyboard/type");
const missing = missingFor("kwin");

testIf(missing === undefined, missing ?? "")(
  "KWin that hangs or dies is 503, and used again",
  async () => {
    await using desktop = await startWaylandDesktop("kwin");
    await using service = await startService({ displays: [], env: desktop.env });
    await expectAll(service, PLAIN);
    Deno.kill(desktop.pid, "SIGSTOP");
    try {
      const answers = PLAIN.slice(0, 4).map(async ([path, body]) => {
        const response = await service.send(path, body);
        await response.body?.cancel();
        return response.status;
      });
      const statuses = await Promise.all(answers);
      expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
      expect(statuses).toContain(503);
    } finally {
      Deno.kill(desktop.pid, "SIGCONT");
    }
    await expectBack(service, PLAIN);
    await desktop.crash();
    const isGone = async () => (await service.send("/api/display/screen_size")).status === 503;
    await waitFor(isGone, { what: "the end of KWin to be noticed" });
    for (const [path, body] of PLAIN) await service.refused(503, path, body);
    await desktop.restart();
    await expectBack(service, PLAIN);
  },
);
