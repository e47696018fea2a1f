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
import { waitFor } from "../wait.ts";
import { giveToDesktopUser } from "./user.ts";

export interface Sway extends AsyncDisposable {
  readonly desktop: WaylandDesktop;
  readonly platform: Platform;
  /** Runs a command of sway. */
  tell(command: string): Promise<void>;
  /** Shows the pattern on an output, at its size in logical units. */
  showPattern(output: string, size: Size, seed?: number): Promise<void>;
}

/** Without a screen sway draws its cursor into every picture: it is hidden once it rests. */
const HIDE_CURSOR = "seat * hide_cursor 100";

export async function startSway(options: Partial<CompositorOptions> = {}): Promise<Sway> {
  await using opening = new AsyncDisposableStack();
  const config = `${HIDE_CURSOR}\n${options.config ?? ""}`;
  const desktop = opening.use(await startWaylandDesktop("sway", { ...options, config }));
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

/** The outputs of a sway whose screens are windows of another sway, where they can be closed. */
export interface NestedSway extends AsyncDisposable {
  /** The variables of a program in it. */
  readonly env: Readonly<Record<string, string>>;
  /** Where programs are started in it. */
  readonly desktop: Pick<WaylandDesktop, "home" | "start">;
  /** Runs a command of it. */
  tell(command: string): Promise<void>;
  readonly platform: Platform;
  /** Unplugs an output, by closing its window. */
  unplug(output: string): Promise<void>;
  /** Plugs a further one in. */
  plug(): Promise<void>;
}

export async function startNestedSway(
  outputs: number,
  options: Partial<CompositorOptions> = {},
): Promise<NestedSway> {
  await using opening = new AsyncDisposableStack();
  const outer = opening.use(await startWaylandDesktop("sway", options));
  const socket = `${outer.runtime}/nested.sock`;
  const variables = ["WLR_BACKENDS=wayland", `WLR_WL_OUTPUTS=${outputs}`, `SWAYSOCK=${socket}`];
  const before = await socketsIn(outer.runtime);
  outer.start("env", [...variables, "sway", "--config", `${outer.home}/sway.conf`]);
  const tell = (command: string) => outer.run("swaymsg", ["--socket", socket, "--", command]);
  await waitFor(() => tell("nop"), { what: "the nested sway" });
  const [name] = (await socketsIn(outer.runtime)).filter((each) => !before.includes(each));
  const env = { ...outer.env, WAYLAND_DISPLAY: name!, SWAYSOCK: socket };
  const host = { ...thisHost(), env };
  const servers = { ...fakeServers(), log: createLog(() => {}) };
  const platform = opening.use(await openLinux(host, fakeConfig(), servers));
  const open = opening.move();
  const start: WaylandDesktop["start"] = (program, args, { env: more, ...rest } = {}) =>
    outer.start(program, args, { ...rest, env: { ...env, ...more } });
  return {
    ...{ env, platform, desktop: { home: outer.home, start } },
    tell: async (command) => void await tell(command),
    unplug: async (output) => {
      await outer.run("swaymsg", ["--", `[title="wlroots - ${output}"] kill`]);
    },
    plug: async () => void await tell("create_output"),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function socketsIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.map(({ name }) => name).filter((name) => /^wayland-\d+$/.test(name));
}
