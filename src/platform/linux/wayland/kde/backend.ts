/** KDE Plasma: KWin's own interfaces for input and pictures, where the user has granted them. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Port } from "../../../types/mod.ts";
import { sessionBusAddress } from "../../bus/address.ts";
import { findOwnCommand, openHeldSocket } from "../../bus/held_connection.ts";
import type { MessageBus } from "../../bus/types.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { isMemoryPrivate } from "../../private_memory.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { Outputs } from "../outputs.ts";
import { CursorPosition } from "./cursor_position.ts";
import { KdeDevices } from "./devices.ts";
import { GRANT_ADVICE } from "./interfaces.ts";
import { ScreenShots } from "./screen_shot.ts";
import { openVisibleBus } from "./screen.ts";
import { ScriptHost } from "./script.ts";
import { KdeSession } from "./session.ts";
import { WindowScripts } from "./windows.ts";

export const KDE: WaylandBackend = {
  name: "kde",
  fits: () => true,
  reason: "KWin's own interfaces, which were granted to this program",
  async open(context): Promise<Port<WaylandSession>> {
    await using opening = new AsyncDisposableStack();
    const { path, name } = context.compositor;
    const command = isMemoryPrivate() ? findOwnCommand() : undefined;
    const options = { name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS };
    let client = await WaylandClient.open(path, options);
    opening.defer(() => client[Symbol.dispose]());
    if (!isKwin(client)) return missing("the compositor is not KWin");
    if (command !== undefined) {
      client[Symbol.dispose]();
      const { socket } = opening.use(await openHeldSocket(path, command));
      client = await WaylandClient.open(path, { ...options, socket });
    }
    if (client.globals.find("org_kde_kwin_fake_input") === undefined) {
      return missing(`KWin does not let this program send input: ${GRANT_ADVICE}`);
    }
    const address = sessionBusAddress(context.host);
    const bus = opening.use(await openVisibleBus({ bus: address, command }));
    const outputs = await Outputs.open(client);
    const refusal = await tryPicture(new ScreenShots(bus), outputs);
    if (refusal !== undefined) return missing(refusal);
    const host = new ScriptHost(bus, scriptFolder(context));
    const cursor = opening.use(new CursorPosition(host));
    const windows = opening.use(new WindowScripts(host, client));
    const { clipboardTyping } = context.config;
    const version = await readVersion(bus);
    const devices = await KdeDevices.open({ client, bus, cursor, version, clipboardTyping });
    const parts = { client, devices, outputs, windows, way: { bus: address, command } };
    return available(new KdeSession(parts, opening.move()));
  },
};

/** Every KWin announces interfaces of its own, which need no permission. */
function isKwin({ globals }: WaylandClient): boolean {
  return globals.list().some((each) => each.interface.startsWith("org_kde_kwin_"));
}

/** The first number of KWin's version. */
async function readVersion(bus: MessageBus): Promise<number> {
  const { body: [text] } = await bus.call({
    destination: "org.kde.KWin",
    path: "/KWin",
    interface: "org.kde.KWin",
    member: "supportInformation",
  });
  return Number(/^KWin version: (\d+)/m.exec(String(text))?.[1] ?? Infinity);
}

/** Why pictures are refused, if they are. */
async function tryPicture(shots: ScreenShots, outputs: Outputs): Promise<string | undefined> {
  const [first] = outputs.list();
  if (first === undefined) return undefined;
  const area = { ...first.logical, width: 1, height: 1 };
  try {
    await shots.take({ area }, { cursor: "hidden" });
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.code === "permission_denied";
    if (!isRefused) throw error;
    return `KWin does not let this program take pictures: ${GRANT_ADVICE}`;
  }
}

/** The folder of the session, which ends with it. */
function scriptFolder({ host, compositor }: WaylandContext): string {
  return host.env["XDG_RUNTIME_DIR"] || compositor.path.replace(/\/[^/]*$/, "");
}
