/** Reads a PNG file by hand, with nothing of the service: 8-bit RGB, no interlacing. */

import { crc32, inflateSync } from "node:zlib";

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue. */
  readonly rgb: Uint8Array;
}

const SIGNATURE = "137,80,78,71,13,10,26,10";

/** @throws Error when it is no well-formed PNG file of this kind. */
export function decodePng(file: Uint8Array): DecodedPng {
  if (file.subarray(0, 8).join() !== SIGNATURE) throw new Error("No PNG signature");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: { type: string; data: Uint8Array }[] = [];
  for (let at = 8; at < file.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const checked = file.subarray(at + 4, at + 8 + length);
    if (crc32(checked) !== view.getUint32(at + 8 + length)) throw new Error(`Bad CRC in ${type}`);
    chunks.push({ type, data: checked.subarray(4) });
    at += 12 + length;
  }
  if (chunks.at(0)?.type !== "IHDR" || chunks.at(-1)?.type !== "IEND") throw new Error("Bad order");
  const header = chunks[0]!.data;
  if (header.subarray(8).join() !== "8,2,0,0,0") throw new Error("Not 8-bit RGB");
  const numbers = new DataView(header.buffer, header.byteOffset);
  const [width, height] = [numbers.getUint32(0), numbers.getUint32(4)];
  const data = chunks.filter(({ type }) => type === "IDAT").flatMap((chunk) => [...chunk.data]);
  return { width, height, rgb: unfilter(inflateSync(Uint8Array.from(data)), width, height) };
}

/** Undoes the filter of every row (PNG specification, chapter 9). */
function unfilter(raw: Uint8Array, width: number, height: number): Uint8Array {
  const stride = width * 3;
  if (raw.length !== (stride + 1) * height) throw new Error("Bad length");
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i;
      const left = i < 3 ? 0 : out[at - 3]!;
      const up = row === 0 ? 0 : out[at - stride]!;
      const corner = i < 3 || row === 0 ? 0 : out[at - stride - 3]!;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      if (predicted === undefined) throw new Error(`Bad filter ${filter}`);
      out[at] = raw[row * (stride + 1) + 1 + i]! + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value));
  if (a! <= b! && a! <= c!) return left;
  return b! <= c! ? up : corner;
}
