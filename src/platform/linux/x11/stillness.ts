/**
 * Determines without a request to the X server that nothing has changed on the screen. A request
 * takes 45 us through the event loop and 12 us by system calls that block for the reply. This check
 * takes 2 us, or 6 us when the server has run since the last one; a bare HTTP request takes 25 us.
 *
 * It uses a separate connection, which receives an event at the first change after it was armed.
 * The absence of an event is not enough: the server writes to one client after the other, so the
 * program that draws can have its reply before our event is written. The server must also be seen
 * asleep, which it is only after it has written to all clients. That check must come before the one
 * for events.
 */

import {
  type LocalSocketLibrary,
  openLocalSocketLibrary,
} from "../../../../ffi/linux/local_sockets.ts";
import { environment } from "../../environment.ts";
import type { X11Connection } from "./connection.ts";
import { findCookie } from "./cookie.ts";
import type { Damage } from "./extensions.ts";
import { localSocketPath } from "./local_stream.ts";
import { PolledSocket } from "./polled_socket.ts";
import { SleepingServer } from "./sleeping_server.ts";
import { armRequests, readSetup, setupRequest, watchRequests } from "./stillness_requests.ts";

/** The setup of a server with many screens and formats takes some tens of kilobytes. */
const SETUP_BYTES = 256 * 1024;
const SETUP_TRIES = 400;
const SETUP_PAUSE_MS = 5;
/** The size of every expected reply, every event and every error. */
const PACKET_BYTES = 32;
const [ERROR, REPLY] = [0, 1];

export class Stillness implements Disposable {
  /**
   * Outstanding replies: the first confirms that changes are followed, each further one that the
   * event is armed.
   */
  #awaited = 1;
  #isArming = false;
  #isArmed = false;
  #stretch = 0;
  readonly #packets = new Uint8Array(64 * PACKET_BYTES);

  private constructor(
    private readonly socket: PolledSocket,
    private readonly server: SleepingServer,
    private readonly armBytes: Uint8Array<ArrayBuffer>,
  ) {}

  /**
   * Opens on the server of `connection`; `undefined` when it is not available, and the server must
   * be asked each time.
   */
  static async open(connection: X11Connection, damage: Damage): Promise<Stillness | undefined> {
    const path = localSocketPath(connection.name);
    const libc = path === undefined ? undefined : libraryOrNone();
    const socket = libc && PolledSocket.connect(libc, path!);
    const server = socket?.peer && await SleepingServer.open(libc!, socket.peer);
    const base = server ? await setUp(socket!, connection.name) : undefined;
    if (server && base !== undefined) {
      const target = { opcode: damage.majorOpcode, id: base, root: connection.root };
      if (socket!.send(watchRequests(target))) {
        return new Stillness(socket!, server, armRequests(target));
      }
    }
    socket?.[Symbol.dispose]();
    if (server) server[Symbol.dispose]();
    return undefined;
  }

  /**
   * The number of the current stretch, which began when the event was armed; `undefined` after a
   * change was reported.
   */
  get stretch(): number | undefined {
    while (!this.socket.isQuiet) {
      const count = this.socket.receive(this.#packets);
      if (count === 0 || count % PACKET_BYTES !== 0) return this.#break();
      for (let at = 0; at < count; at += PACKET_BYTES) this.#hear(this.#packets[at]!);
    }
    return this.#isArmed ? this.#stretch : undefined;
  }

  /** Whether the stretch certainly still lasts: also `false` while the server is busy. */
  lasts(stretch: number): boolean {
    if (!this.#isArmed || stretch !== this.#stretch) return false;
    if (this.server.hasNotRun) return true;
    if (!this.server.sleepsNow || !this.socket.isQuiet) return false; // in this order
    this.server.remember();
    return true;
  }

  /** Starts a new stretch after the last one has ended. */
  arm(): void {
    if (this.#isArmed || this.#isArming) return;
    if (!this.socket.send(this.armBytes)) return this.#break(); // some of them possibly went out
    this.#isArming = true;
    this.#awaited++;
  }

  [Symbol.dispose](): void {
    this.#isArmed = false;
    this.socket[Symbol.dispose]();
    this.server[Symbol.dispose]();
  }

  #hear(kind: number): void {
    if (kind === ERROR) return this.#break();
    this.#isArmed = false; // disarmed by any packet
    if (kind !== REPLY || --this.#awaited > 0 || !this.#isArming) return;
    this.#isArming = false;
    this.#isArmed = true;
    this.#stretch++;
  }

  /** Gives up: from now on the server is asked each time. */
  #break(): undefined {
    this[Symbol.dispose]();
  }
}

/**
 * Performs the setup and returns the first resource id of the connection, or `undefined` when it
 * fails.
 */
async function setUp(socket: PolledSocket, name: string): Promise<number | undefined> {
  const { auth } = await findCookie(name, { env: environment(), hostname: Deno.hostname() });
  if (auth === undefined || !socket.send(setupRequest(auth))) return undefined;
  const bytes = new Uint8Array(SETUP_BYTES);
  let length = 0;
  for (let tries = 0; tries < SETUP_TRIES; tries++) {
    length += socket.receive(bytes.subarray(length));
    const base = readSetup(bytes.subarray(0, length));
    if (base !== "more") return base;
    await new Promise((resolve) => setTimeout(resolve, SETUP_PAUSE_MS));
  }
  return undefined;
}

function libraryOrNone(): LocalSocketLibrary | undefined {
  try {
    return openLocalSocketLibrary();
  } catch {
    return undefined; // the C library is not glibc
  }
}
