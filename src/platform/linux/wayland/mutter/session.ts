/** A session of Mutter's remote desktop: the way in for input, and one shared picture per monitor. */

import { inTime } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import type { BusReply, MessageBus } from "../../bus/types.ts";
import { type Monitor, readMonitors } from "./monitors.ts";
import {
  CAST_SESSION,
  readProperty,
  REMOTE_SESSION,
  SCREEN_CAST,
  SERVICES,
  STREAM,
} from "./names.ts";

/** The cursor comes beside the pictures, not in them. */
const CURSOR_METADATA = 2;
/** How long Mutter may take to offer the pictures. */
const START_MS = 5_000;

/** A monitor whose picture is shared. */
export interface SharedMonitor extends Monitor {
  /** The object to which positions of the pointer refer. */
  readonly stream: string;
  /** Its node in PipeWire. */
  readonly node: number;
}

export class MutterSession implements AsyncDisposable {
  /** Resolves when Mutter has ended the session, or has gone. */
  readonly ended: Promise<void>;
  #isOver = false;
  readonly #end = Promise.withResolvers<void>();

  private constructor(
    private readonly bus: MessageBus,
    private readonly path: string,
    readonly monitors: readonly SharedMonitor[],
    private readonly subscriptions: DisposableStack,
  ) {
    this.ended = this.#end.promise;
    bus.closed.then(() => this.#over());
  }

  /** @throws ServiceError `unavailable` */
  static async open(bus: MessageBus): Promise<MutterSession> {
    using subscriptions = new DisposableStack();
    const monitors = await readMonitors(bus);
    const { body: [path] } = await bus.call({ ...SERVICES.remoteDesktop, member: "CreateSession" });
    const streams = await shareMonitors(bus, path as string, monitors);
    const shared: SharedMonitor[] = [];
    const { promise: isShared, resolve } = Promise.withResolvers<void>();
    for (const [index, { name }] of monitors.entries()) {
      const match = { interface: STREAM, path: streams[index]!, member: "PipeWireStreamAdded" };
      subscriptions.use(
        await bus.on(match, ({ body: [node] }) => {
          shared[index] = {
            ...monitors[index]!,
            name,
            stream: streams[index]!,
            node: node as number,
          };
          if (Object.keys(shared).length === monitors.length) resolve();
        }),
      );
    }
    const session = new MutterSession(bus, path as string, shared, subscriptions.move());
    await session.#follow();
    await session.call("Start");
    await inTime(
      isShared,
      START_MS,
      () => new ServiceError("unavailable", "GNOME shares no picture of the screen"),
    );
    return session;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls a method of the session and waits for its answer. */
  async call(member: string, signature = "", body: readonly unknown[] = []): Promise<BusReply> {
    return await this.bus.call({ ...this.#address, member, signature, body });
  }

  /** Calls a method of the session; the order is kept. */
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
    this.#over();
  }

  async #follow(): Promise<void> {
    await this.on("Closed", () => this.#over());
    const gone = {
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged",
      arg0: SERVICES.remoteDesktop.destination,
    };
    this.subscriptions.use(
      await this.bus.on(gone, ({ body: [, , owner] }) => owner === "" && this.#over()),
    );
  }

  #over(): void {
    this.#isOver = true;
    this.#end.resolve();
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
