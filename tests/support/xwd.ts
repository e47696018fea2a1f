/** What `xwd` sees of the screen, its file read by hand (XWDFile.h). */

import { run } from "./desktop.ts";

export interface Dump {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue. */
  readonly rgb: Uint8Array;
}

export async function dumpScreen(display: string): Promise<Dump> {
  const file = await run("xwd", ["-root", "-silent", "-display", display]);
  const view = new DataView(file.buffer, file.byteOffset);
  const field = (index: number) => view.getUint32(index * 4);
  const [headerSize, width, height] = [field(0), field(4), field(5)];
  const leastFirst = field(7) === 0;
  const [bitsPerPixel, bytesPerLine] = [field(11), field(12)];
  const masks = [field(14), field(15), field(16)];
  const start = headerSize + field(19) * 12;
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = start + row * bytesPerLine + column * bitsPerPixel / 8;
      const pixel = bitsPerPixel === 16
        ? view.getUint16(at, leastFirst)
        : view.getUint32(at, leastFirst);
      for (const mask of masks) {
        const shift = 31 - Math.clz32(mask & -mask);
        rgb[to++] = Math.round(((pixel & mask) >>> shift) * 255 / (mask >>> shift));
      }
    }
  }
  return { width, height, rgb };
}
