/** Copies one file: keeps holes, streams the data, and stops as soon as the client disconnects. */

import type { FileRanges, Stretch } from "../../platform/types/mod.ts";
import type { Descriptor } from "./safe_write/descriptor.ts";

/** Bytes copied between two checks for a disconnected client. */
const PIECE = 32 * 1024 * 1024;
/** Bytes per read where the system has no copy call. */
const BLOCK = 1024 * 1024;

export interface OpenFiles {
  readonly from: Descriptor;
  /** An empty file. */
  readonly to: Descriptor;
}

/** @throws the signal's reason when the client disconnects. */
export async function copyData(
  files: OpenFiles,
  ranges: FileRanges,
  signal: AbortSignal,
): Promise<void> {
  const { from, to } = files;
  const size = await from.size();
  const copying = new Copying(files, ranges, signal);
  // files that the kernel generates on read report size 0
  if (size === 0) return await copying.readOn(0, Infinity);
  for (let at = 0; at < size;) {
    const data = ranges.nextData(from.fd, at, size);
    if (data === undefined) break;
    await copying.copy(data);
    at = data.end;
  }
  if (await to.size() < size) await to.truncate(size); // the file ends with a hole
}

class Copying {
  #bytes: Uint8Array | undefined;

  constructor(
    private readonly files: OpenFiles,
    private readonly ranges: FileRanges,
    private readonly signal: AbortSignal,
  ) {}

  async copy({ start, end }: Stretch): Promise<void> {
    const { from, to } = this.files;
    const fds = { from: from.fd, to: to.fd };
    for (let at = start; at < end;) {
      this.signal.throwIfAborted();
      const copied = await this.ranges.copy(fds, { start: at, end: Math.min(end, at + PIECE) });
      // another file system, a full disk, or a file that has become shorter: reading shows which
      if (copied === 0) return await this.readOn(at, end);
      at += copied;
    }
  }

  async readOn(start: number, end: number): Promise<void> {
    const { from, to } = this.files;
    const bytes = this.#bytes ??= new Uint8Array(BLOCK);
    from.seek(start);
    to.seek(start);
    for (let at = start; at < end;) {
      this.signal.throwIfAborted();
      const read = await from.read(bytes.subarray(0, Math.min(BLOCK, end - at)));
      if (read === 0) return;
      for (let written = 0; written < read;) {
        written += await to.write(bytes.subarray(written, read));
      }
      at += read;
    }
  }
}
