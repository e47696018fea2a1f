/** The structures with which the kernel sends and receives bytes together with descriptors. */

import {
  CMSGHDR,
  IOVEC,
  MSG_CTRUNC,
  MSGHDR,
  SCM_MAX_FD,
  SCM_RIGHTS,
  SOL_SOCKET,
} from "../../../../../ffi/linux/message_sockets.ts";
import { memory, pointerAddress } from "../../../../../ffi/memory.ts";

const CONTROL_BYTES = align(CMSGHDR.data + 4 * SCM_MAX_FD);
const LITTLE = true;

/** One `struct msghdr` with the memory that it points to, which stays in place between calls. */
export class MessageHeader {
  readonly header: Uint8Array<ArrayBuffer> = memory(MSGHDR.bytes);
  readonly #view = new DataView(this.header.buffer);
  readonly #vector = memory(IOVEC.bytes);
  readonly #vectorView = new DataView(this.#vector.buffer);
  readonly #control = memory(CONTROL_BYTES);
  readonly #controlView = new DataView(this.#control.buffer);

  constructor() {
    this.#view.setBigUint64(MSGHDR.iov, pointerAddress(this.#vector), LITTLE);
    this.#view.setBigUint64(MSGHDR.iovlen, 1n, LITTLE);
  }

  /** Prepares to send bytes with at most 253 descriptors. */
  fill(bytes: Uint8Array<ArrayBuffer>, files: readonly number[]): void {
    this.#pointTo(bytes);
    if (files.length === 0) return this.#setControl(0);
    const length = CMSGHDR.data + 4 * files.length;
    this.#controlView.setBigUint64(CMSGHDR.length, BigInt(length), LITTLE);
    this.#controlView.setInt32(CMSGHDR.level, SOL_SOCKET, LITTLE);
    this.#controlView.setInt32(CMSGHDR.type, SCM_RIGHTS, LITTLE);
    files.forEach((file, i) => this.#controlView.setInt32(CMSGHDR.data + 4 * i, file, LITTLE));
    this.#setControl(align(length));
  }

  /** Prepares to receive into `bytes`, with as many descriptors as a message can have. */
  clear(bytes: Uint8Array<ArrayBuffer>): void {
    this.#pointTo(bytes);
    this.#setControl(CONTROL_BYTES);
  }

  /** Whether the kernel had to discard descriptors of the message received. */
  get hasLostFiles(): boolean {
    return (this.#view.getInt32(MSGHDR.flags, LITTLE) & MSG_CTRUNC) !== 0;
  }

  /** The descriptors received, which now belong to this process. */
  files(): number[] {
    const files: number[] = [];
    const view = this.#controlView;
    const end = Number(this.#view.getBigUint64(MSGHDR.controllen, LITTLE));
    for (let at = 0; at + CMSGHDR.data <= end;) {
      const length = Number(view.getBigUint64(at, LITTLE));
      if (length < CMSGHDR.data) break;
      const isRights = view.getInt32(at + CMSGHDR.level, LITTLE) === SOL_SOCKET &&
        view.getInt32(at + CMSGHDR.type, LITTLE) === SCM_RIGHTS;
      for (let each = CMSGHDR.data; isRights && each + 4 <= length; each += 4) {
        files.push(view.getInt32(at + each, LITTLE));
      }
      at += align(length);
    }
    return files;
  }

  #pointTo(bytes: Uint8Array<ArrayBuffer>): void {
    this.#vectorView.setBigUint64(IOVEC.base, pointerAddress(bytes), LITTLE);
    this.#vectorView.setBigUint64(IOVEC.length, BigInt(bytes.length), LITTLE);
  }

  #setControl(length: number): void {
    const address = length === 0 ? 0n : pointerAddress(this.#control);
    this.#view.setBigUint64(MSGHDR.control, address, LITTLE);
    this.#view.setBigUint64(MSGHDR.controllen, BigInt(length), LITTLE);
    this.#view.setInt32(MSGHDR.flags, 0, LITTLE);
  }
}

function align(length: number): number {
  return Math.ceil(length / CMSGHDR.align) * CMSGHDR.align;
}
