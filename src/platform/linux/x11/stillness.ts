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
  AF_UNIX,
  type LocalSocketLibrary,
  MSG_DONTWAIT,
  openLocalSocketLibrary,
  POLLFD,
  POLLIN,
  READ_ONLY,
  SEND_FLAGS,
  SO_PEERCRED,
  SOCKADDR_UN,
  SOL_SOCKET,
  STREAM_TYPE,
} from "../../../../ffi/linux/local_sockets.ts";
import { environment } from "../../environment.ts";
import { EVENT_MASK } from "./client.ts";
import type { Damage, X11Connection } from "./connection.ts";
import { type Cookie, findCookie } from "./cookie.ts";
import { localSocketPath } from "./local_stream.ts";

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

// A connection to a local X server that is read only on demand, without blocking and without the
// event loop.

class PolledSocket implements Disposable {
  readonly #poll: Uint8Array<ArrayBuffer> = new Uint8Array(POLLFD.bytes);
  #closed = false;

  private constructor(
    private readonly libc: LocalSocketLibrary,
    private readonly file: number,
  ) {
    const poll = new DataView(this.#poll.buffer);
    poll.setInt32(POLLFD.fd, file, true);
    poll.setInt16(POLLFD.events, POLLIN, true);
  }

  /** `undefined` when no server accepts immediately. */
  static connect(libc: LocalSocketLibrary, path: string): PolledSocket | undefined {
    const file = libc.socket(AF_UNIX, STREAM_TYPE, 0);
    if (file < 0) return undefined;
    const socket = new PolledSocket(libc, file);
    const address = new Uint8Array(SOCKADDR_UN.path + SOCKADDR_UN.pathBytes);
    address[0] = AF_UNIX;
    new TextEncoder().encodeInto(path, address.subarray(SOCKADDR_UN.path, -1));
    if (libc.connect(file, address, address.length) === 0) return socket;
    socket[Symbol.dispose]();
    return undefined;
  }

  /** The process that listens at the other end, if its id is visible in this namespace. */
  get peer(): number | undefined {
    const credentials = new Int32Array(3);
    const length = Uint32Array.of(credentials.byteLength);
    const { libc, file } = this;
    if (libc.getsockopt(file, SOL_SOCKET, SO_PEERCRED, credentials, length) !== 0) return undefined;
    return credentials[0]! > 0 ? credentials[0] : undefined;
  }

  /** Whether no data is waiting and the connection is intact. */
  get isQuiet(): boolean {
    return !this.#closed && this.libc.poll(this.#poll, 1n, 0) === 0;
  }

  /** Sends bytes; returns whether the socket accepted all of them immediately. */
  send(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#closed) return false;
    return this.libc.send(this.file, bytes, BigInt(bytes.length), SEND_FLAGS) ===
      BigInt(bytes.length);
  }

  /**
   * Receives into `buffer` and returns the number of bytes; 0 when there are none or the connection
   * has ended.
   */
  receive(buffer: Uint8Array<ArrayBuffer>): number {
    if (this.#closed) return 0;
    const { libc, file } = this;
    return Math.max(0, Number(libc.recv(file, buffer, BigInt(buffer.length), MSG_DONTWAIT)));
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    this.libc.close(this.file);
  }
}

// Detects that an X server sleeps until its next request. Before it sleeps, it writes out
// everything that it has to report (`WaitForSomething()` calls `FlushAllOutput()` before
// `epoll_wait()`), so clients have been sent all that happened before. The check reads the kernel
// function in which the server's first thread waits, the one that serves all clients
// (proc_pid_wchan(5)), in 2 to 5 us. Whether the server has run since then is checked in 1 us, by
// how often that thread was scheduled (the third number of `/proc/PID/schedstat`).

/**
 * Servers that listen on their own socket and wait for clients in one place only. The socket of
 * Xwayland, or one that systemd passes on, belongs to another program, whose sleep proves nothing.
 */
const SERVERS: ReadonlySet<string> = new Set(["Xvfb", "Xorg", "Xephyr", "Xtigervnc", "Xvnc"]);
/** The kernel functions that implement `epoll_wait()`, depending on the kernel version. */
const ASLEEP: ReadonlySet<string> = new Set(["do_epoll_wait", "ep_poll"]);
const MAX_BYTES = 64;
const LENGTH = BigInt(MAX_BYTES);

class SleepingServer implements Disposable {
  readonly #function = new Uint8Array(MAX_BYTES);
  readonly #runs = new Int32Array(MAX_BYTES / 4);
  readonly #runsWhenStill = new Int32Array(MAX_BYTES / 4);

  #closed = false;

  private constructor(
    private readonly libc: LocalSocketLibrary,
    /** `runs` is `undefined` when the kernel does not count. */
    private readonly files: readonly [wait: number, runs: number | undefined],
  ) {}

  /** `undefined` when the process is no such server, or the system denies access. */
  static async open(libc: LocalSocketLibrary, pid: number): Promise<SleepingServer | undefined> {
    const program = await Deno.readTextFile(`/proc/${pid}/comm`).catch(() => "");
    const runs = await Deno.readTextFile(`/proc/${pid}/schedstat`).catch(() => "");
    if (!SERVERS.has(program.trim())) return undefined;
    const open = (name: string) =>
      libc.open(new TextEncoder().encode(`/proc/${pid}/${name}\0`), READ_ONLY);
    const wait = open("wchan");
    if (wait < 0) return undefined;
    const counts = Number(runs.split(" ")[2]) > 0 ? open("schedstat") : -1;
    return new SleepingServer(libc, [wait, counts < 0 ? undefined : counts]);
  }

  /** Also `false` when it is not certain; a process that has ended never counts as asleep. */
  get sleepsNow(): boolean {
    if (this.#closed) return false;
    const length = Number(this.libc.pread(this.files[0], this.#function, LENGTH, 0n));
    if (length <= 0) return false;
    return ASLEEP.has(String.fromCharCode(...this.#function.subarray(0, length)));
  }

  /**
   * Whether the server has not run since {@link remember}; `false` also when the kernel does not
   * count.
   */
  get hasNotRun(): boolean {
    const file = this.#closed ? undefined : this.files[1];
    if (file === undefined || this.libc.pread(file, this.#runs, LENGTH, 0n) <= 0n) return false;
    for (let at = 0; at < this.#runs.length; at++) {
      if (this.#runs[at] !== this.#runsWhenStill[at]) return false;
    }
    return true;
  }

  /**
   * Saves the count that the last {@link hasNotRun} read, before the server was seen asleep with
   * nothing to report.
   */
  remember(): void {
    this.#runsWhenStill.set(this.#runs);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return; // the descriptors can belong to other files by now
    this.#closed = true;
    for (const file of this.files) {
      if (file !== undefined) this.libc.close(file);
    }
  }
}

// Encodes the few requests of {@link Stillness}, and the setup of any connection, as bytes (X Window System Protocol, appendix B;
// DAMAGE extension 1.1).

const CHANGE_WINDOW_ATTRIBUTES = 2;
const CW_EVENT_MASK = 1 << 11;
const GET_INPUT_FOCUS = 43;
const DAMAGE = { queryVersion: 0, create: 1, subtract: 3 } as const;
const REPORT_NON_EMPTY = 3;
const SETUP_WORKED = 1;
const SETUP_HEADER_BYTES = 8;

/** The setup request of a little-endian connection. */
export function setupRequest({ name, data }: Cookie): Uint8Array<ArrayBuffer> {
  const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, "\0");
  const head = String.fromCharCode(0x6c, 0, 11, 0, 0, 0, ...[name.length, 0, data.length, 0], 0, 0);
  return Uint8Array.from(head + padded(name) + padded(data), (byte) => byte.charCodeAt(0));
}

/**
 * The first resource id of the connection; `undefined` when it was refused, "more" while bytes are
 * missing.
 */
export function readSetup(bytes: Uint8Array): number | undefined | "more" {
  if (bytes.length < SETUP_HEADER_BYTES) return "more";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] !== SETUP_WORKED) return undefined;
  const length = SETUP_HEADER_BYTES + 4 * view.getUint16(6, true);
  return bytes.length < length ? "more" : view.getUint32(12, true);
}

/** The bits of a resource id that its client chooses, in a setup that {@link readSetup} accepts. */
export function readClientMask(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(16, true);
}

interface DamageOf {
  readonly opcode: number;
  readonly id: number;
  readonly root: number;
}

/**
 * Requests an event at the first change of the root's content and at a change of its size; one
 * reply follows.
 */
function watchRequests({ opcode, id, root }: DamageOf): Uint8Array<ArrayBuffer> {
  return words(
    ...[CHANGE_WINDOW_ATTRIBUTES | 4 << 16, root, CW_EVENT_MASK, EVENT_MASK.structureNotify],
    ...[opcode | DAMAGE.queryVersion << 8 | 3 << 16, 1, 1],
    ...[opcode | DAMAGE.create << 8 | 4 << 16, id, root, REPORT_NON_EMPTY],
  );
}

/**
 * Clears the damage so far, so that the next change is reported again; one reply follows when that
 * is done.
 */
function armRequests({ opcode, id }: DamageOf): Uint8Array<ArrayBuffer> {
  return words(...[opcode | DAMAGE.subtract << 8 | 4 << 16, id, 0, 0], GET_INPUT_FOCUS | 1 << 16);
}

function words(...values: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
