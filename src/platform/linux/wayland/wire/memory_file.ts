/** Memory without a name that is shared with another program through its descriptor. */

import {
  F_ADD_SEALS,
  MAP_FAILED,
  MAP_SHARED,
  MEMFD_FLAGS,
  PROT_READ_WRITE,
  SIZE_SEALS,
} from "../../../../../ffi/linux/sockets.ts";
import { closeFile, messageSocketLibrary } from "../../sockets/message_socket.ts";

/** Shared memory of a fixed size; its bytes must not be used after it is disposed. */
export class MemoryFile implements Disposable {
  #isClosed = false;

  private constructor(
    /** The descriptor to send. */
    readonly file: number,
    readonly bytes: Uint8Array<ArrayBuffer>,
    private readonly address: Deno.PointerObject,
  ) {}

  /** @throws Error when the system has no memory of this size. */
  static create(byteLength: number): MemoryFile {
    const libc = messageSocketLibrary();
    const file = libc.memfd_create(new TextEncoder().encode("computer-control\0"), MEMFD_FLAGS);
    if (file < 0) throw new Error("no more descriptors can be opened");
    try {
      return MemoryFile.#map(file, byteLength);
    } catch (error) {
      closeFile(file);
      throw error;
    }
  }

  static from(bytes: Uint8Array): MemoryFile {
    const memory = MemoryFile.create(bytes.length);
    memory.bytes.set(bytes);
    return memory;
  }

  static #map(file: number, byteLength: number): MemoryFile {
    const libc = messageSocketLibrary();
    const length = BigInt(byteLength);
    // no other program may shrink it, because our next access would then end this process
    if (libc.ftruncate(file, length) !== 0 || libc.fcntl(file, F_ADD_SEALS, SIZE_SEALS) !== 0) {
      throw new Error(`the system cannot allocate shared memory of ${byteLength} bytes`);
    }
    const address = libc.mmap(null, length, PROT_READ_WRITE, MAP_SHARED, file, 0n);
    if (address === null || BigInt.asUintN(64, Deno.UnsafePointer.value(address)) === MAP_FAILED) {
      throw new Error(`shared memory of ${byteLength} bytes cannot be mapped`);
    }
    const bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, byteLength));
    return new MemoryFile(file, bytes, address);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    messageSocketLibrary().munmap(this.address, BigInt(this.bytes.length));
    closeFile(this.file);
  }
}

/**
 * Copies the first bytes of a file that another program has sent, such as a keymap. Does not close
 * the descriptor. Does not map it, because an access would end this process if the file is
 * shorter than its sender said.
 * @throws Error when the file has fewer bytes, or is none
 */
export function readFirst(file: number, byteLength: number): Uint8Array<ArrayBuffer> {
  const libc = messageSocketLibrary();
  const bytes = new Uint8Array(byteLength);
  for (let done = 0; done < byteLength;) {
    const remaining = bytes.subarray(done);
    const count = Number(libc.pread(file, remaining, BigInt(remaining.length), BigInt(done)));
    if (count <= 0) throw new Error(`the file received has less than ${byteLength} bytes`);
    done += count;
  }
  return bytes;
}
