/** KDE Plasma: KWin's own interfaces for input and pictures, where the user has granted them. */

import { hasCode } from "../../../../core/errors.ts";
import { ComparedChanges, MovingPoller } from "../../../comparing/compared_changes.ts";
import { available, missing } from "../../../capability.ts";
import type { Capability, Input, Point } from "../../../types/mod.ts";
import { type MessageBus, sessionBusAddress } from "../../bus/types.ts";
import {
  findBrokerCommand,
  openBrokeredSocket,
  openVisibleBus,
} from "../../bus/connection_broker.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { openDataClipboard } from "../clipboards.ts";
import { createOutputDisplay } from "../display.ts";
import { KdeLayout } from "../input/active_layout.ts";
import { LayoutDevices } from "../input/devices.ts";
import type { LayoutKeyboardOptions } from "../input/keyboard.ts";
import { AXES, BUTTON_CODES } from "../input/mouse.ts";
import { type Output, Outputs, toLogical, toPixel } from "../outputs.ts";
import { positionOf } from "../pointer_position.ts";
import type { WaylandObject } from "../protocols/mod.ts";
import { Seat } from "../seat.ts";
import { awaitListeners } from "../unread_bytes.ts";
import { CursorPosition, KdeScreen, screenAddress, ScreenShots } from "./screen.ts";
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

// The input devices of a KWin session, by `org_kde_kwin_fake_input`, and its clipboard.

/**
 * What programs take for one notch where an event carries no notches, and KWin's fake input carries
 * none.
 */
const UNITS_PER_NOTCH = 10;
/**
 * `linux/input-event-codes.h`: both keys of Shift, Control, Alt and Super. KWin keeps down what a
 * program held that has ended, and reports it to nobody.
 */
const MODIFIER_KEYS = [42, 54, 29, 97, 56, 100, 125, 126];

interface DevicesOptions {
  readonly client: WaylandClient;
  readonly bus: MessageBus;
  readonly cursor: CursorPosition;
  /** The first number of KWin's version. */
  readonly version: number;
  /** Whether text may pass through the clipboard. */
  readonly clipboardTyping: boolean;
}

type FakeInput = WaylandObject<"org_kde_kwin_fake_input">;

class KdeDevices extends LayoutDevices {
  private constructor(
    private readonly options: DevicesOptions,
    private readonly device: FakeInput,
    parts: Pick<LayoutKeyboardOptions, "layout" | "clipboard">,
  ) {
    const { client, clipboardTyping } = options;
    super({
      ...parts,
      driver: "kde",
      compositor: "KWin",
      clipboardTyping,
      socket: client.path,
      sender: {
        key: (keycode, isDown) => device.send("keyboard_key", keycode, isDown ? 1 : 0),
        button: (code, isDown) => device.send("button", code, isDown ? 1 : 0),
        turn: (axis, notches) => device.send("axis", AXES[axis], notches * UNITS_PER_NOTCH),
        confirm: () => client.roundtrip(),
      },
    });
  }

  /** @throws ServiceError `unavailable` */
  static async open(options: DevicesOptions): Promise<KdeDevices> {
    const { client, bus } = options;
    const seat = await Seat.open(client);
    const hadBoth = seat.hasPointer && seat.hasKeyboard;
    const device = client.bind("org_kde_kwin_fake_input", 4);
    device.send("authenticate", "computer-control", "control of this desktop");
    await client.roundtrip();
    const layout = await KdeLayout.open(client, seat, bus);
    const clipboard = await openDataClipboard(client, seat.object);
    if (!hadBoth) await awaitListeners(client.path);
    const devices = new KdeDevices(options, device, { layout, clipboard });
    devices.#releaseModifiers();
    return devices;
  }

  get connected(): boolean {
    return this.options.client.connected && this.options.bus.connected;
  }

  /** The input of a display: the points of its mouse are pixels of an output. */
  inputOf(output: Output): Input {
    const { device, options: { cursor, version } } = this;
    let target: Point | undefined;
    return this.makeInput({
      move: (pixel) => {
        target = pixel;
        output.update();
        const { x, y } = toCursorPosition(pixel, output, version);
        device.send("pointer_motion_absolute", x, y);
      },
      position: async () => {
        await this.confirm();
        return findPixel(await cursor.read(), output, { target, version });
      },
    });
  }

  /** Releases every button, and every modifier: whoever pressed them. */
  protected override async releaseAll(): Promise<void> {
    this.releaseHeld();
    this.#releaseModifiers();
    for (const code of Object.values(BUTTON_CODES)) {
      this.queue.add(() => this.sender.button(code, false));
    }
    await this.confirm();
  }

  #releaseModifiers(): void {
    for (const keycode of MODIFIER_KEYS) this.queue.add(() => this.sender.key(keycode, false));
  }
}

// Pixels of an output in KWin's coordinates, and back.

/** The first KWin that gives programs fractions of its units; before, it rounds them. */
const EXACT_VERSION = 6;

type OutputMapping = Pick<Output, "size" | "logical" | "scale">;

/**
 * Where to put the cursor for a pixel: its middle, or the unit that contains this.
 * @param version the first number of KWin's version
 */
function toCursorPosition(
  pixel: Point,
  { size, logical, scale }: OutputMapping,
  version: number,
): Point {
  if (scale === 1) return { x: logical.x + pixel.x, y: logical.y + pixel.y };
  const { x, y } = toLogical(pixel, size, logical);
  return version >= EXACT_VERSION ? { x, y } : { x: Math.floor(x), y: Math.floor(y) };
}

/**
 * The pixel of the cursor, whose position KWin reports in integer units: each can be several pixels.
 * @param target where this service moved it last
 */
function findPixel(
  cursor: Point,
  output: OutputMapping,
  { target, version }: { readonly target: Point | undefined; readonly version: number },
): Point {
  if (target !== undefined) {
    const { x, y } = toCursorPosition(target, output, version);
    if (Math.abs(x - cursor.x) < 1 && Math.abs(y - cursor.y) < 1) return target;
  }
  return toPixel(cursor, output.size, output.logical);
}
