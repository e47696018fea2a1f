/**
 * Appends to an open file and reports where the bytes were written: another program may append at
 * the same moment.
 */

import type { FileSystem } from "../../../platform/types/mod.ts";
import type { Descriptor } from "./descriptor.ts";

/** A range of a file, in bytes. */
export interface Stretch {
  readonly start: number;
  /** Offset after the last byte. */
  readonly end: number;
}

type Descriptors = Pick<FileSystem, "descriptorPath">;

export class Appender implements AsyncDisposable {
  private constructor(private readonly file: Deno.FsFile) {}

  /** Opens the same file again, regardless of what its name refers to now. */
  static async open(open: Descriptor, files: Descriptors): Promise<Appender> {
    return new Appender(await openAgain(open, files));
  }

  /** Appends all of `bytes`, possibly in several ranges, and adds each range to `own`. */
  async append(bytes: Uint8Array, own: Stretch[]): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const written = await this.file.write(bytes.subarray(done));
      done += written;
      // the system sets the position to the end of what was appended
      const end = await this.file.seek(0, Deno.SeekMode.Current);
      own.push({ start: end - written, end });
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.file.close();
    return Promise.resolve();
  }
}

async function openAgain(
  open: Descriptor,
  { descriptorPath }: Descriptors,
): Promise<Deno.FsFile> {
  const options = { append: true };
  try {
    if (descriptorPath.ready) return await Deno.open(descriptorPath.use(open.fd), options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // a container without /proc
  }
  const file = await Deno.open(open.path, options);
  try {
    await open.checkIs(await file.stat());
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
