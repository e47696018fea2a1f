/**
 * How much of what a compositor and its programs have sent each other has not been read yet: the kernel
 * knows it. A compositor ends a program whose connection is full, and programs end by themselves when
 * the compositor does not read: GTK 3 sends it the full text of a field for each character.
 */

import { openLibc } from "../../../../ffi/linux/libc.ts";
import {
  AF_NETLINK,
  AF_UNIX,
  DUMP_FLAGS,
  ESTABLISHED,
  MSG_DONTWAIT,
  NETLINK_SOCK_DIAG,
  NETLINK_SYMBOLS,
  NETLINK_TYPE,
  type NetlinkLibrary,
  NLMSG_DONE,
  NLMSG_ERROR,
  NLMSGHDR,
  RQLEN,
  RTATTR,
  SHOW_NAME_AND_QUEUES,
  SOCK_DIAG_BY_FAMILY,
  UNIX_DIAG_MSG,
  UNIX_DIAG_NAME,
  UNIX_DIAG_REQ,
  UNIX_DIAG_RQLEN,
} from "../../../../ffi/linux/sockets.ts";
import { roundUp } from "../../../core/bytes.ts";
import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";

const ANSWER_BYTES = 64 * 1024;
/** Messages and their attributes begin at multiples of this. */
const ALIGNMENT = 4;

/** Inode of a compositor's socket to a program -> bytes that one of both has not read yet. */
type UnreadBytes = ReadonlyMap<number, number>;

export class UnreadBytesReader {
  readonly #libc: NetlinkLibrary = openLibc(NETLINK_SYMBOLS).symbols;
  readonly #answer = new Uint8Array(ANSWER_BYTES);
  readonly #name: string;

  /** @param socket of the compositor: its path, or its name, such as `wayland-1` */
  constructor(private readonly socket: string) {
    this.#name = `/${socket.split("/").at(-1)}`;
  }

  /**
   * Asks the kernel, in less than a millisecond. Where none has the path, which is another one in a container, all of that
   * name count: those of another user's session may be among them. Empty where it does not report it, and where the
   * compositor is in another network namespace.
   */
  read(): UnreadBytes {
    const file = this.#libc.socket(AF_NETLINK, NETLINK_TYPE, NETLINK_SOCK_DIAG);
    if (file < 0) return new Map();
    try {
      const request = dumpRequest();
      this.#libc.send(file, request, BigInt(request.length), 0);
      return this.#receiveAll(file);
    } finally {
      this.#libc.close(file);
    }
  }

  #receiveAll(file: number): UnreadBytes {
    const [unread, exact] = [new Map<number, number>(), new Map<number, number>()];
    while (true) {
      const room = BigInt(ANSWER_BYTES);
      const count = Number(this.#libc.recv(file, this.#answer, room, MSG_DONTWAIT));
      const messages = this.#answer.subarray(0, Math.max(0, count));
      if (count > 0 && !this.#readMessages(messages, { unread, exact })) continue;
      return exact.size > 0 ? exact : unread;
    }
  }

  /** Returns whether these were the last messages. */
  #readMessages(bytes: Uint8Array, found: Found): boolean {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + NLMSGHDR.bytes <= bytes.length;) {
      const length = view.getUint32(at + NLMSGHDR.length, true);
      const type = view.getUint16(at + NLMSGHDR.type, true);
      if (type === NLMSG_DONE || type === NLMSG_ERROR || length < NLMSGHDR.bytes) return true;
      this.#readSocket(bytes.subarray(at + NLMSGHDR.bytes, at + length), found);
      at += roundUp(length, ALIGNMENT);
    }
    return false;
  }

  #readSocket(message: Uint8Array, { unread, exact }: Found): void {
    const view = new DataView(message.buffer, message.byteOffset, message.length);
    let name = "";
    let waiting = 0;
    for (let at: number = UNIX_DIAG_MSG.bytes; at + RTATTR.bytes <= message.length;) {
      const length = view.getUint16(at + RTATTR.length, true);
      if (length < RTATTR.bytes) break;
      const type = view.getUint16(at + RTATTR.type, true);
      const start = at + RTATTR.bytes;
      if (type === UNIX_DIAG_NAME) {
        name = new TextDecoder().decode(message.subarray(start, at + length)).replace(/\0+$/, "");
      }
      if (type === UNIX_DIAG_RQLEN && length >= RTATTR.bytes + RQLEN.bytes) {
        const [received, written] = [RQLEN.received, RQLEN.written]
          .map((field) => view.getUint32(start + field, true));
        waiting = Math.max(received!, written!);
      }
      at += roundUp(length, ALIGNMENT);
    }
    if (!name.endsWith(this.#name)) return;
    const inode = view.getUint32(UNIX_DIAG_MSG.inode, true);
    unread.set(inode, waiting);
    if (name === this.socket) exact.set(inode, waiting);
  }
}

/** Of the sockets of the name, and of the path. */
interface Found {
  readonly unread: Map<number, number>;
  readonly exact: Map<number, number>;
}

function dumpRequest(): Uint8Array<ArrayBuffer> {
  const request = new Uint8Array(NLMSGHDR.bytes + UNIX_DIAG_REQ.bytes);
  const view = new DataView(request.buffer);
  view.setUint32(NLMSGHDR.length, request.length, true);
  view.setUint16(NLMSGHDR.type, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(NLMSGHDR.flags, DUMP_FLAGS, true);
  view.setUint8(NLMSGHDR.bytes + UNIX_DIAG_REQ.family, AF_UNIX);
  view.setUint32(NLMSGHDR.bytes + UNIX_DIAG_REQ.states, ESTABLISHED, true);
  view.setUint32(NLMSGHDR.bytes + UNIX_DIAG_REQ.show, SHOW_NAME_AND_QUEUES, true);
  return request;
}

// How fast a text may be sent: as fast as programs read it, because a compositor ends those whose
// connection is full.

/** Strokes that are sent at once, and the least time from one such burst to the next. */
const BURST = { strokes: 50, ms: 3 } as const;
/**
 * Strokes from one check of the programs to the next. GTK 3 answers each with up to 8 KiB, and ends
 * itself when the compositor has no processor for its answers to 20 of them: twice as many as this can be
 * unanswered, because nobody sees what a program has read and not answered yet. So what was sent before
 * must have been read to the last byte: a compositor joins several strokes in one small message.
 */
const STROKES_PER_CHECK = 6;
const POLL_INTERVAL_MS = 4;
/** A program that reads nothing for this long hangs. */
const STUCK_MS = 10_000;
/**
 * The part of that time for which a program that had something unread before a text is waited for, once in a
 * text: most only have not had a processor for one message, and read on.
 */
const STUCK_BEFORE = 1 / 20;
/** Where the kernel does not report it: what every program can take, and what a slow one reads. */
const UNREPORTED_LIMITS = { strokes: 800, perSecond: 500 } as const;

interface PaceOptions {
  /** Resolves when the compositor has processed what was sent; throws when it has gone. */
  confirm(): Promise<void>;
  readonly stuckMs?: number;
}

export class TypingPace {
  readonly #stuckMs: number;
  #burst = 0;
  #burstBegan = -Infinity;
  #sinceCheck = 0;
  #sent = 0;
  /** What programs had not read before this text, without those that have read since. */
  #unreadBefore: Map<number, number> | undefined;
  /** Whether those that are left in it do not read at all. */
  #areStuck = false;

  constructor(
    private readonly reader: Pick<UnreadBytesReader, "read">,
    private readonly options: PaceOptions,
  ) {
    this.#stuckMs = options.stuckMs ?? STUCK_MS;
  }

  /**
   * Waits until programs can take more; returns how many strokes.
   * @param typed how much of the text was typed, for messages
   * @throws ServiceError `conflict`: the program with the keyboard focus does not read any more; the error of
   *   `confirm`
   */
  async allow(signal?: AbortSignal, typed = this.#sent): Promise<number> {
    this.#unreadBefore ??= this.#findUnread();
    if (this.#sinceCheck >= STROKES_PER_CHECK) {
      await this.#awaitReaders(typed, signal);
      this.#sinceCheck = 0;
    }
    if (this.#burst >= BURST.strokes) {
      await pause(this.#burstBegan + BURST.ms - performance.now(), signal);
      this.#burst = 0;
    }
    if (this.#burst === 0) this.#burstBegan = performance.now();
    return Math.min(BURST.strokes - this.#burst, STROKES_PER_CHECK - this.#sinceCheck);
  }

  note(strokes: number): void {
    this.#burst += strokes;
    this.#sinceCheck += strokes;
    this.#sent += strokes;
  }

  #findUnread(): Map<number, number> {
    return new Map(this.reader.read().entries().filter(([, bytes]) => bytes > 0));
  }

  async #awaitReaders(typed: number, signal?: AbortSignal): Promise<void> {
    let least = Infinity;
    const began = performance.now();
    const shortMs = this.#stuckMs * STUCK_BEFORE;
    let confirmed = began;
    for (let since = began;;) {
      const unread = this.reader.read();
      if (unread.size === 0) return await this.#awaitUnknown(signal);
      const now = performance.now();
      this.#areStuck ||= now - began > shortMs;
      const most = this.#mostUnread(unread);
      if (most === 0) return;
      if (most < least) [least, since] = [most, now];
      if (now - confirmed > shortMs) {
        await this.options.confirm(); // what waits for a compositor that has gone is never read
        confirmed = performance.now();
      }
      if (now - since > this.#stuckMs) {
        throw new ServiceError(
          "conflict",
          `Typing stopped at ${typed}: the program with the keyboard focus does not respond`,
        );
      }
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  async #awaitUnknown(signal?: AbortSignal): Promise<void> {
    if (this.#sent < UNREPORTED_LIMITS.strokes) return;
    await pause(this.#sinceCheck / UNREPORTED_LIMITS.perSecond * 1_000, signal);
  }

  #mostUnread(unread: UnreadBytes): number {
    let most = 0;
    for (const [inode, bytes] of unread) {
      const before = this.#unreadBefore?.get(inode);
      if (before !== undefined && bytes < before) this.#unreadBefore?.delete(inode); // it reads
      const isStuck = this.#areStuck && before !== undefined && bytes <= 2 * before;
      if (!isStuck) most = Math.max(most, bytes);
    }
    return most;
  }
}

// Waits until programs listen to the first mouse or keyboard of a seat: they miss what comes before.

/** What a program that is not busy takes to listen, once it has read that there is a device. */
const LISTEN_MS = 300;
const QUIET_POLL_MS = 5;
/** A pause that took longer was late: the computer is busy, and so are the programs. */
const LATE_FACTOR = 2;
/** So many looks in a row find something unread by a busy program; one that shows a film reads sooner. */
const BUSY_LOOKS = 4;
/** Nobody waits longer for a program that does not read. */
const LONGEST_MS = 5_000;

/**
 * To be called when a device was added. A program asks for it when it reads that there is one, so
 * none must have been busy for a while, nor the compositor with what it says; a busy computer makes the
 * while longer.
 * @param socket of the compositor: its name, such as `wayland-1`, or its path
 */
export async function awaitListeners(
  socket: string,
  reader: Pick<UnreadBytesReader, "read"> = new UnreadBytesReader(socket),
): Promise<void> {
  const began = performance.now();
  let looks = new Map<number, number>();
  for (let quietMs = 0; quietMs < LISTEN_MS;) {
    const before = performance.now();
    await pause(QUIET_POLL_MS);
    const now = performance.now();
    if (now - began > LONGEST_MS) return;
    quietMs += Math.min(now - before, QUIET_POLL_MS * LATE_FACTOR);
    const unread = reader.read().entries().filter(([, bytes]) => bytes > 0);
    looks = new Map(unread.map(([inode]) => [inode, (looks.get(inode) ?? 0) + 1]));
    if (looks.values().some((count) => count >= BUSY_LOOKS)) quietMs = 0;
  }
}
