/** KDE Plasma: KWin's own interfaces for input and pictures, where the user has granted them. */

import { hasCode } from "../../../../core/errors.ts";
import { ComparedChanges, MovingPoller } from "../../../comparing/compared_changes.ts";
import { available, missing } from "../../../capability.ts";
import type { Capability } from "../../../types/mod.ts";
import { type MessageBus, sessionBusAddress } from "../../bus/types.ts";
import {
  findBrokerCommand,
  openBrokeredSocket,
  openVisibleBus,
} from "../../bus/connection_broker.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { createOutputDisplay } from "../display.ts";
import { Outputs } from "../outputs.ts";
import { positionOf } from "../pointer_position.ts";
import { CursorPosition, KdeScreen, screenAddress, ScreenShots } from "./screen.ts";
import { KdeDevices } from "./devices.ts";
import { GRANT_ADVICE, ScriptHost } from "./script.ts";
import { KdeWindows, WindowScripts } from "./windows.ts";

export const KDE: WaylandBackend = {
  name: "kde",
  matches: () => true,
  reason: "KWin's own interfaces, which were granted to this program",
  async open(context): Promise<Capability<WaylandSession>> {
    await using opening = new AsyncDisposableStack();
    const { path, name } = context.compositor;
    const command = findBrokerCommand();
    const options = { name, openTimeoutMs: KWIN_OPEN_TIMEOUT_MS };
    let client = await WaylandClient.open(path, options);
    opening.defer(() => client[Symbol.dispose]());
    if (!isKwin(client)) return missing("the compositor is not KWin");
    if (command !== undefined) {
      client[Symbol.dispose]();
      const { socket } = opening.use(await openBrokeredSocket(path, command));
      client = await WaylandClient.open(path, { ...options, socket });
    }
    if (client.globals.find("org_kde_kwin_fake_input") === undefined) {
      return missing(`KWin does not allow this program to send input: ${GRANT_ADVICE}`);
    }
    const busEndpoint = { bus: sessionBusAddress(context.host), command };
    const bus = opening.use(await openVisibleBus(busEndpoint));
    const outputs = await Outputs.open(client);
    const refusal = await tryPicture(new ScreenShots(bus), outputs);
    if (refusal !== undefined) return missing(refusal);
    const host = new ScriptHost(bus, scriptFolder(context));
    const cursor = opening.use(new CursorPosition(host));
    const windows = opening.use(new WindowScripts(host, client));
    const { clipboardTyping } = context.config;
    const version = await readVersion(bus);
    const devices = await KdeDevices.open({ client, bus, cursor, version, clipboardTyping });
    const serverRun = crypto.randomUUID(); // a lost connection never comes back
    const opened = opening.move();
    return available({
      get connected() {
        return devices.connected;
      },
      numbers: () => outputs.numbers(),
      async openDisplay(displayNum, name) {
        await client.roundtrip(); // an output that was just connected is known then
        const output = outputs.at(displayNum);
        const source = () => {
          const { name, size, scale, logical: { x, y } } = output;
          return { ...busEndpoint, output: name, x, y, ...size, scale };
        };
        return createOutputDisplay({
          displayNum,
          name,
          serverRun,
          desktop: "KWin",
          input: available(devices.inputOf(output)),
          clipboard: devices.clipboard,
          windows: available(new KdeWindows(windows, () => positionOf(output))),
          output,
          isConnected: () => devices.connected,
          screen: () => screenAddress(source()),
          pictures: () => new KdeScreen(source(), bus),
          openChanges: () => new ComparedChanges(new MovingPoller(() => screenAddress(source()))),
        });
      },
      async [Symbol.asyncDispose]() {
        devices.releaseHeld();
        if (devices.connected) await client.roundtrip().catch(() => {}); // it has gone meanwhile
        await opened.disposeAsync();
      },
    });
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
    if (!hasCode(error, "permission_denied")) throw error;
    return `KWin does not allow this program to take pictures: ${GRANT_ADVICE}`;
  }
}

/** The folder of the session, which ends with it. */
function scriptFolder({ host, compositor }: WaylandContext): string {
  return host.env["XDG_RUNTIME_DIR"] || compositor.path.replace(/\/[^/]*$/, "");
}
