/** PixelReader: every layout of pixels that an X server can have. */

import { expect } from "expect";
import { type PixelFormat, PixelReader } from "../../../../src/platform/linux/x11/screen.ts";
import type { Rgb } from "../../../../src/platform/types/mod.ts";

const DEPTH_24 = { redMask: 0xff0000, greenMask: 0xff00, blueMask: 0xff };
const DEPTH_24_BGR = { redMask: 0xff, greenMask: 0xff00, blueMask: 0xff0000 };
const DEPTH_30 = { redMask: 0x3ff00000, greenMask: 0xffc00, blueMask: 0x3ff };
const DEPTH_16 = { redMask: 0xf800, greenMask: 0x7e0, blueMask: 0x1f };
const DEPTH_15 = { redMask: 0x7c00, greenMask: 0x3e0, blueMask: 0x1f };
const WITH_TOP_BIT = { redMask: 0xff000000, greenMask: 0xff0000, blueMask: 0xff00 };

interface Case {
  readonly name: string;
  readonly bits: number;
  readonly masks: Pick<PixelFormat, "redMask" | "greenMask" | "blueMask">;
  /** Pixel value and its colour. */
  readonly pixels: readonly (readonly [number, Rgb])[];
}

const CASES: readonly Case[] = [
  {
    name: "24 bits of 32",
    bits: 32,
    masks: DEPTH_24,
    pixels: [[0x123456, [0x12, 0x34, 0x56]], [0xffffff, [255, 255, 255]], [0xff000000, [0, 0, 0]]],
  },
  {
    name: "24 bits of 24",
    bits: 24,
    masks: DEPTH_24,
    pixels: [[0x123456, [0x12, 0x34, 0x56]], [0xfe0102, [0xfe, 1, 2]], [0, [0, 0, 0]]],
  },
  {
    name: "24 bits, blue first",
    bits: 32,
    masks: DEPTH_24_BGR,
    pixels: [[0x123456, [0x56, 0x34, 0x12]], [0xff, [255, 0, 0]], [0xff0000, [0, 0, 255]]],
  },
  {
    name: "30 bits",
    bits: 32,
    masks: DEPTH_30,
    pixels: [
      [0x3fffffff, [255, 255, 255]],
      [(1023 << 20) | 1, [255, 0, 0]],
      [(512 << 20) | (256 << 10) | 128, [128, 64, 32]],
    ],
  },
  {
    name: "16 bits",
    bits: 16,
    masks: DEPTH_16,
    pixels: [[0xf800, [255, 0, 0]], [0x07e0, [0, 255, 0]], [0x8410, [132, 130, 132]]],
  },
  {
    name: "15 bits",
    bits: 16,
    masks: DEPTH_15,
    pixels: [[0x7c00, [255, 0, 0]], [0x03e0, [0, 255, 0]], [0xffff, [255, 255, 255]]],
  },
  {
    name: "the highest bit in use",
    bits: 32,
    masks: WITH_TOP_BIT,
    pixels: [[0xff102000, [255, 16, 32]], [0x80000000, [128, 0, 0]], [0xff, [0, 0, 0]]],
  },
];

/** A picture of one row for each pixel of the case, twice as wide as high, with padding that is no pixel. */
function picture({ bits, pixels }: Case, mostSignificantByteFirst: boolean, scanlinePad: number) {
  const bytes = bits / 8;
  const width = 2 * pixels.length - 1; // odd, so that rows of 16 bits are padded
  const stride = Math.ceil(width * bits / scanlinePad) * scanlinePad / 8;
  const data = new Uint8Array(stride * pixels.length).fill(0xaa);
  const rgb: number[] = [];
  for (let row = 0; row < pixels.length; row++) {
    for (let column = 0; column < width; column++) {
      const [value, colour] = pixels[(row + column) % pixels.length]!;
      for (let i = 0; i < bytes; i++) {
        const shift = 8 * (mostSignificantByteFirst ? bytes - 1 - i : i);
        data[row * stride + column * bytes + i] = value >>> shift;
      }
      rgb.push(...colour);
    }
  }
  return { data, width, height: pixels.length, rgb: Uint8Array.from(rgb) };
}

for (const each of CASES) {
  for (const mostSignificantByteFirst of [false, true]) {
    const order = mostSignificantByteFirst ? "most" : "least";
    Deno.test(`PixelReader reads ${each.name}, ${order} significant byte first`, () => {
      for (const scanlinePad of [32, 64]) {
        const reader = new PixelReader({
          bitsPerPixel: each.bits,
          scanlinePad,
          mostSignificantByteFirst,
          ...each.masks,
        });
        const { data, width, height, rgb } = picture(each, mostSignificantByteFirst, scanlinePad);
        const pixels = reader.pixels(data, width, height);
        const read = [...pixels].flatMap((
          pixel,
        ) => [pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255]);
        expect(read).toEqual([...rgb]);
        expect(reader.first(data)).toEqual(each.pixels[0]![1]);
      }
    });
  }
}
