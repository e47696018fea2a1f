/** Compositors with the protocols of wlroots (sway, Hyprland, river, labwc, Wayfire, ...). */

import { boxAround } from "../../../../imaging/boxes.ts";
import { ComparedChanges, WorkerPoller } from "../../../comparing/compared_changes.ts";
import { available, capabilityOf, missing } from "../../../capability.ts";
import type { Capability, ScreenAddress, Windows } from "../../../types/mod.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { createOutputDisplay } from "../display.ts";
import { type Output, Outputs } from "../outputs.ts";
import type { InterfaceName } from "../protocols/mod.ts";
import { findSwaySocket, SwayWindows } from "../sway/windows.ts";
import { positionOf } from "../pointer_position.ts";
import { WlrootsChanges } from "./changes.ts";
import { WlrootsDevices } from "./devices.ts";
import { DAMAGE_VERSION, SCREENCOPY, screenName, WlrootsScreen } from "./screen.ts";
import { ToplevelWindows } from "./toplevel_windows.ts";

/** Without these there are no pictures; what input lacks is said by its ports. */
const NEEDED: readonly InterfaceName[] = [SCREENCOPY, "wl_shm", "wl_output"];

export const WLROOTS: WaylandBackend = {
  name: "wlroots",
  reason: "the compositor has the protocols of wlroots",
  matches: () => true,
  async open(context) {
    const { name, path } = context.compositor;
    // the first that asks any compositor, KWin too
    const options = { name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS };
    using opening = new DisposableStack();
    const client = opening.use(await WaylandClient.open(path, options));
    const lacking = client.globals.missing(NEEDED);
    if (lacking.length > 0) return missing(`the compositor has no ${lacking.join(", ")}`);
    const session = await openSession(client, context);
    opening.move();
    return available(session);
  },
};

async function openSession(
  client: WaylandClient,
  { config, compositor, host }: WaylandContext,
): Promise<WaylandSession> {
  const outputs = await Outputs.open(client);
  const devices = await WlrootsDevices.open(client, {
    keymapSettleMs: config.limits.keymapSettleMs,
    connect: () => WaylandClient.open(compositor.path, { name: compositor.name }),
  });
  const swaySocket = await findSwaySocket({
    waylandSocket: compositor.path,
    named: host.env["SWAYSOCK"],
    outputs: outputs.list().map(({ name }) => name),
  });
  const swayWindows = new DisposableStack();
  const toplevels = swaySocket === undefined ? await openToplevels(client) : undefined;
  const windowsOf = (output: Output): Capability<Windows> =>
    toplevels ??
      available(swayWindows.use(new SwayWindows(swaySocket!, () => positionOf(output))));
  const serverRun = crypto.randomUUID();
  return {
    get connected() {
      return client.connected;
    },
    numbers: () => outputs.numbers(),
    async openDisplay(displayNum, name) {
      await client.roundtrip(); // an output that was just plugged in is known now
      const output = outputs.at(displayNum);
      const input = devices.makeInput(displayNum, () => {
        output.update(); // it may have been rotated or unplugged since
        if (!output.isPlugged) return undefined;
        const { logical, scale } = output;
        const desktop = boxAround(outputs.list().map((each) => each.logical));
        return { output: logical, scale, desktop };
      });
      const pictures = new WlrootsScreen(client, output);
      const screen: ScreenAddress<"wlroots"> = {
        backend: "wlroots",
        name: screenName.format(output.name, compositor.path),
      };
      return createOutputDisplay({
        displayNum,
        name,
        serverRun,
        desktop: "The compositor",
        input,
        clipboard: devices.clipboard,
        windows: windowsOf(output),
        output,
        isConnected: () => client.connected,
        screen: () => screen,
        pictures: () => pictures,
        openChanges: () =>
          client.globals.version(SCREENCOPY) >= DAMAGE_VERSION
            ? new WlrootsChanges({ client, outputs, output })
            : new ComparedChanges(new WorkerPoller(screen)),
        close: () => pictures.close(),
      });
    },
    async [Symbol.asyncDispose]() {
      swayWindows.dispose();
      await devices[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}

/** The windows of a compositor that is not sway, by the protocol for taskbars. */
async function openToplevels(client: WaylandClient): Promise<Capability<Windows>> {
  const windows = await capabilityOf(ToplevelWindows.open(client));
  return windows.ready ? windows : missing(`Windows cannot be listed: ${windows.reason}`);
}
