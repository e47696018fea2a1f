/**
 * Finds data and holes of files with `lseek`, and copies with `copy_file_range`, which shares
 * blocks where the file system can.
 */

import {
  type FileCopyLibrary,
  openFileCopyLibrary,
  SEEK_DATA,
  SEEK_HOLE,
} from "../../../../ffi/linux/file_copy.ts";
import type { FileRanges, Stretch } from "../../types/mod.ts";

/**
 * Without the library calls (another C library, or an old one) nothing is copied here: the caller
 * reads and writes.
 */
export function openFileRanges(): FileRanges {
  try {
    return new LinuxFileRanges(openFileCopyLibrary().symbols);
  } catch {
    return { nextData: wholeRest, copy: () => Promise.resolve(0) };
  }
}

class LinuxFileRanges implements FileRanges {
  /** Buffers in use by the other thread, which must not be collected meanwhile. */
  readonly #inUse = new Set<readonly Uint8Array[]>();

  constructor(private readonly calls: FileCopyLibrary["symbols"]) {}

  nextData(fd: number, at: number, size: number): Stretch | undefined {
    // every file ends with a hole: a file system without support for holes reports none at all
    if (this.#seek(fd, at, SEEK_HOLE) < 0) return wholeRest(fd, at, size);
    const start = this.#seek(fd, at, SEEK_DATA);
    if (start < 0 || start >= size) return undefined;
    const end = this.#seek(fd, start, SEEK_HOLE);
    return { start, end: end <= start ? size : Math.min(end, size) };
  }

  async copy(
    { from, to }: { readonly from: number; readonly to: number },
    { start, end }: Stretch,
  ): Promise<number> {
    const offsets = [start, start].map((at) => new Uint8Array(BigInt64Array.of(BigInt(at)).buffer));
    this.#inUse.add(offsets);
    try {
      const [source, target] = offsets as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
      const length = BigInt(end - start);
      const copied = await this.calls.copy_file_range(from, source, to, target, length, 0);
      return Math.max(0, Number(copied));
    } finally {
      this.#inUse.delete(offsets);
    }
  }

  #seek(fd: number, at: number, whence: number): number {
    return Number(this.calls.lseek(fd, BigInt(at), whence));
  }
}

function wholeRest(_fd: number, at: number, size: number): Stretch | undefined {
  return at < size ? { start: at, end: size } : undefined;
}
