/**
 * Memory into which the X server writes pictures (MIT-SHM), so that no pixel passes through a
 * socket.
 */

import {
  IPC_CREAT,
  IPC_PRIVATE,
  IPC_RMID,
  type Libc,
  openLibc,
} from "../../../../ffi/linux/libc.ts";
import type { Region } from "../../types/mod.ts";
import type { X11Connection } from "./connection.ts";
import { requireExtension, type Shm } from "./extensions.ts";

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const OWNER_ONLY = 0o600;
const FAILED = -1n;
/** Fill bytes that no server writes by chance in both rounds of the probe. */
const MARKS = [0x5a, 0xa5] as const;

interface Segment {
  readonly id: number;
  readonly address: Deno.PointerObject;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class SharedMemory {
  #segment: Segment | undefined;

  private constructor(
    private readonly connection: X11Connection,
    private readonly shm: Shm,
    private readonly libc: Libc,
  ) {}

  /** Returns the memory, or half a sentence on why pictures must pass through the socket. */
  static async open(connection: X11Connection): Promise<SharedMemory | string> {
    if (!connection.setup.isLocalSocket) return "the X server is on another computer";
    const shm = await requireExtension<Shm>(connection, "shm");
    if (!shm) return "the X server has no MIT-SHM extension";
    const libc = libcOrNone();
    if (!libc) return "this system's C library has no shared memory";
    const memory = new SharedMemory(connection, shm, libc);
    try {
      if (await memory.#isShared()) return memory;
      return "the X server has other memory under our number: it is in another container";
    } catch (error) {
      memory.close();
      if (!connection.connected) throw error;
      return (error as Error).message;
    }
  }

  /**
   * Reads a region within the screen; the bytes are valid until the next call.
   * @throws XError that the server reports; Error when the system has no memory of this size
   */
  async read(region: Region, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
    const { id, bytes } = await this.#atLeast(byteLength);
    const { x, y, width, height } = region;
    const { size } = await this.connection.call<{ size: number }>((done) =>
      this.shm.GetImage(
        ...[this.connection.root, x, y, width, height, ALL_PLANES, Z_PIXMAP, id, 0] as const,
        done,
      )
    );
    return bytes.subarray(0, size);
  }

  close(): void {
    if (!this.#segment) return;
    if (this.connection.connected) this.shm.Detach(this.#segment.id);
    this.libc.shmdt(this.#segment.address);
    this.#segment = undefined;
  }

  /**
   * Probes that the server writes into our segment: in another container our id can belong to a
   * different one.
   */
  async #isShared(): Promise<boolean> {
    const pixel = { x: 0, y: 0, width: 1, height: 1 };
    for (const mark of MARKS) {
      const { bytes } = await this.#atLeast(8);
      bytes.fill(mark);
      const data = await this.read(pixel, 8);
      if (data.some((byte) => byte !== mark)) return true;
    }
    this.close();
    return false;
  }

  async #atLeast(byteLength: number): Promise<Segment> {
    if (this.#segment && this.#segment.bytes.length >= byteLength) return this.#segment;
    this.close();
    const shmid = this.libc.shmget(IPC_PRIVATE, BigInt(byteLength), IPC_CREAT | OWNER_ONLY);
    if (shmid < 0) throw new Error(`the system gives no shared memory of ${byteLength} bytes`);
    try {
      return this.#segment = await this.#attach(shmid, byteLength);
    } finally {
      this.libc.shmctl(shmid, IPC_RMID, null); // both sides have it mapped now, or will never have
    }
  }

  async #attach(shmid: number, byteLength: number): Promise<Segment> {
    const address = this.libc.shmat(shmid, null, 0);
    if (address === null || BigInt.asIntN(64, Deno.UnsafePointer.value(address)) === FAILED) {
      throw new Error(`shared memory of ${byteLength} bytes cannot be mapped`);
    }
    try {
      const id = this.connection.client.AllocID();
      await this.connection.call<void>((done) => this.shm.Attach(id, shmid, false, done));
      const bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, byteLength));
      return { id, address, bytes };
    } catch (error) {
      this.libc.shmdt(address);
      if (!this.connection.connected) throw error;
      throw new Error("the X server cannot attach our memory: it is in another container", {
        cause: error,
      });
    }
  }
}

function libcOrNone(): Libc | undefined {
  try {
    return openLibc();
  } catch {
    return undefined;
  }
}
