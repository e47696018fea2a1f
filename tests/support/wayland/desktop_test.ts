/** The desktops that the tests start: they serve programs, come back after a crash, and leave nothing behind. */

import { expect } from "expect";
import { processIds } from "../../real_programs/support/processes.ts";
import { COMPOSITORS } from "./compositors.ts";
import { missingFor, startWaylandDesktop } from "./desktop.ts";
import { testIf } from "../test_if.ts";

for (const name of COMPOSITORS) {
  const missing = missingFor(name);
  testIf(missing === undefined, missing ?? "")(
    `${name} starts without a screen, comes back after a crash, and ends with all that it started`,
    async () => {
      let home = "";
      {
        await using desktop = await startWaylandDesktop(name);
        home = desktop.home;
        const { socket } = desktop;
        expect((await Deno.stat(socket)).isSocket).toBe(true);
        expect(uidOf(desktop.pid)).not.toBe(0);
        await desktop.crash();
        expect(processIds()).not.toContain(desktop.pid);
        await desktop.restart();
        expect(desktop.socket).toBe(socket);
      }
      expect(processIds().filter((pid) => environmentOf(pid).includes(home))).toEqual([]);
      expect(() => Deno.statSync(home)).toThrow(Deno.errors.NotFound);
    },
  );
}

function uidOf(pid: number): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/status`).match(/^Uid:\s+(\d+)/m)![1]);
}

function environmentOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`);
  } catch {
    return ""; // it has ended
  }
}
