/** Writes zip archives: the same files always give the same bytes. */

import { crc32, deflateRawSync } from "node:zlib";
import { joined } from "./tar.ts";

const DEFLATED = 8;
/** Names are UTF-8. */
const UTF8 = 0x0800;
/** Version 2.0 of the format, which every program reads. */
const VERSION = 20;
/** 1980-01-01, the first day that the format knows. */
const FIRST_DAY = 0x21;

/** In the upper half of the attributes, where the archive was made by Unix: a file, mode 755. */
const EXECUTABLE = 0o100755 * 0x10000;
const UNIX = 3 * 0x100;

export interface ZipOptions {
  /** The paths of files that can be run; Unix asks for that. */
  readonly executables?: ReadonlySet<string>;
}

/** @param files path with `/` -> bytes; each below 4 GiB */
export function zip(
  files: ReadonlyMap<string, Uint8Array>,
  { executables = new Set() }: ZipOptions = {},
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = commonFields(bytes, packed.length, name.length);
    const local = joined([fields([4, 0x04034b50]), common, name, packed]);
    const isExecutable = executables.has(path);
    directory.push(joined([
      fields([4, 0x02014b50], [2, isExecutable ? UNIX + VERSION : VERSION]),
      common,
      fields([2, 0], [2, 0], [2, 0], [4, isExecutable ? EXECUTABLE : 0], [4, at]),
      name,
    ]));
    parts.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const { length } = directory;
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, length], [2, length]);
  return joined([...parts, ...directory, end, fields([4, size], [4, at], [2, 0])]);
}

/** What the entry before each file and the entry in the directory have in common. */
function commonFields(bytes: Uint8Array, packedLength: number, nameLength: number): Uint8Array {
  return fields(
    ...[[2, VERSION], [2, UTF8], [2, DEFLATED], [2, 0], [2, FIRST_DAY]] as const,
    ...[[4, crc32(bytes)], [4, packedLength], [4, bytes.length], [2, nameLength], [2, 0]] as const,
  );
}

/** Numbers of 2 or 4 bytes, the lowest first. */
function fields(...all: readonly (readonly [2 | 4, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(all.reduce((sum, [width]) => sum + width, 0)));
  let at = 0;
  for (const [width, value] of all) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}
