/** A session of Mutter's remote desktop: it takes input, and shares one picture per monitor. */

import { inTime } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { Point } from "../../../../core/geometry.ts";
import { type BusReply, type MessageBus, onProgramGone, readProperty } from "../../bus/types.ts";

/** The cursor comes as metadata of the pictures, not in them. */
const CURSOR_METADATA = 2;
/** How long Mutter may take to offer the pictures. */
const START_TIMEOUT_MS = 5_000;

export interface SharedMonitor extends Monitor {
  /** The object to which positions of the pointer refer. */
  readonly stream: string;
  /** Its node in PipeWire. */
  readonly node: number;
}

export class MutterSession implements AsyncDisposable {
  #isOver = false;

  private constructor(
    private readonly bus: MessageBus,
    private readonly path: string,
    readonly monitors: readonly SharedMonitor[],
    private readonly subscriptions: DisposableStack,
  ) {
    bus.closed.then(() => this.#isOver = true);
  }

  /** @throws ServiceError `unavailable` */
  static async open(bus: MessageBus): Promise<MutterSession> {
    using subscriptions = new DisposableStack();
    const monitors = await readMonitors(bus);
    const { body: [path] } = await bus.call({ ...SERVICES.remoteDesktop, member: "CreateSession" });
    const streams = await shareMonitors(bus, path as string, monitors);
    const shared: SharedMonitor[] = [];
    const { promise: isShared, resolve } = Promise.withResolvers<void>();
    for (const [index, monitor] of monitors.entries()) {
      const stream = streams[index]!;
      const match = { interface: STREAM, path: stream, member: "PipeWireStreamAdded" };
      subscriptions.use(
        await bus.on(match, ({ body: [node] }) => {
          shared[index] = { ...monitor, stream, node: node as number };
          if (Object.keys(shared).length === monitors.length) resolve();
        }),
      );
    }
    const session = new MutterSession(bus, path as string, shared, subscriptions.move());
    await session.#follow();
    await session.call("Start");
    await inTime(
      isShared,
      START_TIMEOUT_MS,
      () => new ServiceError("unavailable", "GNOME shares no picture of the screen"),
    );
    return session;
  }

  /** Whether Mutter has ended the session, or has gone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async call(member: string, signature = "", body: readonly unknown[] = []): Promise<BusReply> {
    return await this.bus.call({ ...this.#address, member, signature, body });
  }

  send(member: string, signature: string, body: readonly unknown[]): void {
    this.bus.send({ ...this.#address, member, signature, body });
  }

  /** Answers come in order, so everything that was sent before has been processed. */
  async property(name: string): Promise<unknown> {
    return await readProperty(this.bus, this.#address, name);
  }

  /** Receives a signal of the session as long as it lasts. */
  async on(member: string, listener: (body: readonly unknown[]) => void): Promise<void> {
    const match = { interface: REMOTE_SESSION, path: this.path, member };
    this.subscriptions.use(await this.bus.on(match, ({ body }) => listener(body)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.subscriptions.dispose();
    if (!this.#isOver) await this.call("Stop").catch(() => {}); // it has ended meanwhile
    this.#isOver = true;
  }

  async #follow(): Promise<void> {
    const end = () => void (this.#isOver = true);
    await this.on("Closed", end);
    const { destination } = SERVICES.remoteDesktop;
    this.subscriptions.use(await onProgramGone(this.bus, destination, end));
  }

  get #address() {
    return {
      destination: SERVICES.remoteDesktop.destination,
      path: this.path,
      interface: REMOTE_SESSION,
    };
  }
}

/** Lets the session share each monitor. Returns the streams. */
async function shareMonitors(
  bus: MessageBus,
  session: string,
  monitors: readonly Monitor[],
): Promise<string[]> {
  const address = { destination: SERVICES.remoteDesktop.destination, path: session };
  const id = await readProperty(bus, { ...address, interface: REMOTE_SESSION }, "SessionId");
  const { body: [cast] } = await bus.call({
    ...SERVICES.screenCast,
    member: "CreateSession",
    signature: "a{sv}",
    body: [[["remote-desktop-session-id", ["s", id]]]],
  });
  return await Promise.all(monitors.map(async ({ name }) => {
    const { body: [stream] } = await bus.call({
      destination: SCREEN_CAST,
      path: cast as string,
      interface: CAST_SESSION,
      member: "RecordMonitor",
      signature: "sa{sv}",
      body: [name, [["cursor-mode", ["u", CURSOR_METADATA]]]],
    });
    return stream as string;
  }));
}

// The monitors of a GNOME desktop, in the order of their display numbers: the primary one first.

export interface Monitor {
  /** The connector, such as `eDP-1` or `Meta-0`. */
  readonly name: string;
  /** In the coordinates of the desktop. */
  readonly position: Point;
  readonly scale: number;
  readonly isPrimary: boolean;
}

/** `(x, y, scale, transform, primary, [(connector, vendor, product, serial)], properties)` */
type LogicalMonitor = readonly [
  number,
  number,
  number,
  number,
  boolean,
  readonly (readonly [string, string, string, string])[],
  object,
];

/**
 * Monitors that show the same picture count once.
 * @throws ServiceError `unavailable`: there is none
 */
export async function readMonitors(bus: MessageBus): Promise<Monitor[]> {
  const { body } = await bus.call({ ...SERVICES.displayConfig, member: "GetCurrentState" });
  const [, , logical] = body as readonly [number, unknown, readonly LogicalMonitor[]];
  const monitors = logical.flatMap(([x, y, scale, , isPrimary, [first]]): Monitor[] =>
    first === undefined ? [] : [{ name: first[0], position: { x, y }, scale, isPrimary }]
  );
  if (monitors.length === 0) {
    throw new ServiceError("unavailable", "The desktop has no monitor now: connect one");
  }
  return monitors.sort((a, b) =>
    Number(b.isPrimary) - Number(a.isPrimary) || a.position.x - b.position.x ||
    a.position.y - b.position.y
  );
}

// Names of Mutter's interfaces on the session bus
// (data/dbus-interfaces/org.gnome.Mutter.*.xml of its sources): a private interface, which GNOME's own
// remote desktop uses.

const REMOTE_DESKTOP = "org.gnome.Mutter.RemoteDesktop";
const SCREEN_CAST = "org.gnome.Mutter.ScreenCast";
const DISPLAY_CONFIG = "org.gnome.Mutter.DisplayConfig";
const REMOTE_SESSION = `${REMOTE_DESKTOP}.Session`;
const CAST_SESSION = `${SCREEN_CAST}.Session`;
const STREAM = `${SCREEN_CAST}.Stream`;

export const SERVICES = {
  remoteDesktop: ownObject(REMOTE_DESKTOP),
  screenCast: ownObject(SCREEN_CAST),
  displayConfig: ownObject(DISPLAY_CONFIG),
};

/** The object that a service offers under its own name. */
function ownObject(service: string) {
  return { destination: service, path: `/${service.replaceAll(".", "/")}`, interface: service };
}
