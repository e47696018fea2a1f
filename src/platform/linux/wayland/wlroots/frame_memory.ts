/** Memory into which the compositor writes frames, so that no pixel passes through a socket. */

import type { WaylandClient } from "../client.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { MemoryFile } from "../wire/memory_file.ts";

/** What the compositor wants a buffer to be. */
export interface FrameLayout {
  /** A number of `wl_shm.format`. */
  readonly format: number;
  readonly width: number;
  readonly height: number;
  /** Bytes per row. */
  readonly stride: number;
}

export class FrameMemory {
  readonly #shm: WaylandObject<"wl_shm">;
  #memory: MemoryFile | undefined;
  #pool: WaylandObject<"wl_shm_pool"> | undefined;
  #buffer:
    | { readonly layout: FrameLayout; readonly object: WaylandObject<"wl_buffer"> }
    | undefined;

  constructor(client: WaylandClient) {
    this.#shm = client.bind("wl_shm", 1);
  }

  /** The bytes of the current buffer, until the next one is made. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const { stride, height } = this.#buffer!.layout;
    return this.#memory!.bytes.subarray(0, stride * height);
  }

  /** A buffer of this layout; the one before must not be in use any more. */
  bufferFor(layout: FrameLayout): WaylandObject<"wl_buffer"> {
    if (this.#buffer !== undefined && isSame(this.#buffer.layout, layout)) {
      return this.#buffer.object;
    }
    const { width, height, stride, format } = layout;
    this.#buffer?.object.send("destroy");
    this.#buffer = undefined;
    const pool = this.#poolOf(stride * height);
    const object = pool.send("create_buffer", 0, width, height, stride, format);
    this.#buffer = { layout, object };
    return object;
  }

  close(): void {
    this.#buffer?.object.send("destroy");
    this.#pool?.send("destroy");
    this.#memory?.[Symbol.dispose]();
    this.#buffer = this.#pool = this.#memory = undefined;
  }

  #poolOf(byteLength: number): WaylandObject<"wl_shm_pool"> {
    if (this.#pool !== undefined && this.#memory!.bytes.length >= byteLength) return this.#pool;
    this.close();
    this.#memory = MemoryFile.create(byteLength);
    return this.#pool = this.#shm.send("create_pool", this.#memory.file, byteLength);
  }
}

function isSame(a: FrameLayout, b: FrameLayout): boolean {
  return a.format === b.format && a.width === b.width && a.height === b.height &&
    a.stride === b.stride;
}
