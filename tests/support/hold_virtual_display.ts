/** A program that starts a virtual display, recorded in the folder that it is given, prints its name and never ends by itself. */

import { createLog } from "../../src/core/log.ts";
import { thisHost } from "../../src/platform/host.ts";
import { startVirtualDisplay } from "../../src/platform/linux/virtual/x_display.ts";

if (import.meta.main) {
  const size = { width: 640, height: 480 };
  const options = { size, stateDir: Deno.args[0]!, log: createLog(() => {}) };
  console.log((await startVirtualDisplay(thisHost(), options)).display);
  setInterval(() => {}, 60_000);
}
