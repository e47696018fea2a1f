/** Sway with the service's platform on it, and what tests change of its outputs. */

import { createLog } from "../../../src/core/log.ts";
import type { Size } from "../../../src/core/geometry.ts";
import { thisHost } from "../../../src/platform/host.ts";
import { openLinux } from "../../../src/platform/linux/mod.ts";
import type { Platform } from "../../../src/platform/types/mod.ts";
import { fakeConfig, fakeServers } from "../fake_host.ts";
import type { CompositorOptions } from "./compositors.ts";
import { startWaylandDesktop, type WaylandDesktop } from "./desktop.ts";
import { encodePattern } from "./pattern.ts";
import { giveToDesktopUser } from "./user.ts";

export interface Sway extends AsyncDisposable {
  readonly desktop: WaylandDesktop;
  readonly platform: Platform;
  /** Runs a command of sway. */
  tell(command: string): Promise<void>;
  /** Shows the pattern on an output, at its size in logical units. */
  showPattern(output: string, size: Size, seed?: number): Promise<void>;
}

export async function startSway(options: Partial<CompositorOptions> = {}): Promise<Sway> {
  await using opening = new AsyncDisposableStack();
  const desktop = opening.use(await startWaylandDesktop("sway", options));
  const host = { ...thisHost(), env: desktop.env };
  const servers = { ...fakeServers(), log: createLog(() => {}) }; // no X server answers
  const platform = opening.use(await openLinux(host, fakeConfig(), servers));
  const open = opening.move();
  const tell = async (command: string) => void await desktop.run("swaymsg", ["--", command]);
  return {
    ...{ desktop, platform, tell },
    async showPattern(output, size, seed = 0) {
      const path = `${desktop.home}/pattern-${size.width}x${size.height}-${seed}.png`;
      await Deno.writeFile(path, encodePattern(size, seed));
      await giveToDesktopUser(path);
      await tell(`output ${output} bg ${path} center`);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
