/** Memory that the X server writes pictures into (MIT-SHM), so that no pixel goes through a socket. */

import {
  IPC_CREAT,
  IPC_PRIVATE,
  IPC_RMID,
  type Libc,
  openLibc,
} from "../../../../ffi/linux/libc.ts";
import type { Region } from "../../types.ts";
import type { X11Connection } from "./connection.ts";
import { requireExtension, type Shm } from "./extensions.ts";

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const OWNER_ONLY = 0o600;
const FAILED = -1n;
/** Bytes that no server writes by chance in both rounds of the probe. */
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

  /** `undefined` where the server cannot share memory with us; the reason does not matter: pictures go through the socket then. */
  static async open(connection: X11Connection): Promise<SharedMemory | undefined> {
    if (!connection.setup.isLocalSocket) return undefined;
    const shm = await requireExtension<Shm>(connection, "shm");
    const libc = libcOrNone();
    if (!shm || !libc) return undefined;
    const memory = new SharedMemory(connection, shm, libc);
    try {
      return await memory.#isShared() ? memory : undefined;
    } catch (error) {
      memory.close();
      if (!connection.connected) throw error;
      return undefined;
    }
  }

  /** Reads a region that lies on the screen; the bytes are valid until the next call. @throws XError */
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

  /** A server in another container may have another segment under our number: it must write into ours. */
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
    if (shmid < 0) throw new Error(`shmget of ${byteLength} bytes failed`);
    const address = this.libc.shmat(shmid, null, 0);
    try {
      if (address === null || BigInt.asIntN(64, Deno.UnsafePointer.value(address)) === FAILED) {
        throw new Error("shmat failed");
      }
      const id = this.connection.client.AllocID();
      await this.connection.call<void>((done) => this.shm.Attach(id, shmid, false, done));
      const bytes = new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, byteLength));
      return this.#segment = { id, address, bytes };
    } finally {
      this.libc.shmctl(shmid, IPC_RMID, null); // both sides hold it now, or nobody ever will
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
