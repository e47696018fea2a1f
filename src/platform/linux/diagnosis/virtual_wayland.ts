/** Checks the virtual display of Wayland, by one that is started for the test. */

import type { Config } from "../../../config/config.ts";
import { createLog } from "../../../core/log.ts";
import { examineDisplayPort } from "../../diagnosis/display_port.ts";
import { type Examine, failed } from "../../diagnosis/verdict.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { startVirtualWayland } from "../wayland/virtual_display.ts";
import { checkOwnElements } from "./elements.ts";
import { FIND_MS } from "./find_server.ts";
import { installCommand } from "./install.ts";

export async function examineVirtualWayland(
  examine: Examine,
  { host, config }: { readonly host: Host; readonly config: Config },
  size: Size,
): Promise<void> {
  const mend = installCommand(host, ["sway"]);
  if (host.which("sway") === undefined) {
    const detail = "a virtual display of Wayland needs sway, which is not installed";
    await examine("display", () => failed(detail, mend));
    return;
  }
  await using atEnd = new AsyncDisposableStack();
  const stateDir = await Deno.makeTempDir({ prefix: "computer-control-doctor-" });
  atEnd.defer(() => Deno.remove(stateDir, { recursive: true }));
  const log = createLog(() => {}); // the report says what is found
  const start = async () => {
    const virtual = await startVirtualWayland(host, { size, config: { ...config, stateDir }, log });
    return atEnd.use(virtual);
  };
  let started: ReturnType<typeof start> | undefined;
  const open = async () => {
    const { session, display } = await (started ??= start());
    return await session!.open(1, display);
  };
  const readiness = async () => {
    const { size: { width, height } } = await open();
    const what = `a virtual display of Wayland of ${width}x${height}`;
    return { ready: true, reason: `${what}, as --virtual-display asks` };
  };
  await examineDisplayPort(examine, { open, readiness }, { config, mend, limitMs: FIND_MS });
  await examine("elements", () => checkOwnElements(host), { asked: false });
}
