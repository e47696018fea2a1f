/**
 * Knows without a question to the X server that nothing has changed on the screen. A question takes 45 us
 * through the event loop and 12 us by system calls that wait for the answer, this takes 2 us, or 6 when the
 * server has run since the last time; a bare HTTP request takes 25 us.
 *
 * It is a connection of its own, which hears of the first change after it was armed. That nothing has come
 * is not enough: the server writes to one client after the other, so that the program that draws may have its
 * answer before our event is written. The server must also be seen asleep, which it is only after it has
 * written to all, and it must be seen asleep first.
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

/** The setup of a server with many screens and formats has some ten kilobytes. */
const SETUP_BYTES = 256 * 1024;
const SETUP_TRIES = 400;
const SETUP_PAUSE_MS = 5;
/** Of each reply that is expected, each event and each error. */
const PACKET_BYTES = 32;
const [ERROR, REPLY] = [0, 1];

export class Stillness implements Disposable {
  /** Replies that have not come: the first tells that the changes are followed, each other one that it is armed. */
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

  /** On the server of a connection; `undefined` where it cannot be had, and the server must be asked each time. */
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

  /** The number of the stretch of time, from arming on, in which no change has been heard of yet. */
  get stretch(): number | undefined {
    while (!this.socket.isQuiet) {
      const count = this.socket.receive(this.#packets);
      if (count === 0 || count % PACKET_BYTES !== 0) return this.#break();
      for (let at = 0; at < count; at += PACKET_BYTES) this.#hear(this.#packets[at]!);
    }
    return this.#isArmed ? this.#stretch : undefined;
  }

  /** Whether the stretch still lasts, surely: `false` also while the server is at work. */
  lasts(stretch: number): boolean {
    if (!this.#isArmed || stretch !== this.#stretch) return false;
    if (this.server.hasNotRun) return true;
    if (!this.server.sleepsNow || !this.socket.isQuiet) return false; // in this order
    this.server.remember();
    return true;
  }

  /** Begins a new stretch, after the last one has ended. */
  arm(): void {
    if (this.#isArmed || this.#isArming) return;
    if (!this.socket.send(this.armBytes)) return this.#break(); // a part of them may have gone
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
    this.#isArmed = false; // by an event, of whatever kind
    if (kind !== REPLY || --this.#awaited > 0 || !this.#isArming) return;
    this.#isArming = false;
    this.#isArmed = true;
    this.#stretch++;
  }

  /** From now on the server is asked each time. */
  #break(): undefined {
    this[Symbol.dispose]();
  }
}

/** The first resource id of the connection, once the server has let us in. */
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
    return undefined; // another C library than glibc
  }
}
