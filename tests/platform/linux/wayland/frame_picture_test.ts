/** Frames of every format, turned and inverted, as the pictures that people see. */

import { expect } from "expect";
import {
  type Frame,
  FramePictures,
} from "../../../../src/platform/linux/wayland/wlroots/frame_picture.ts";

const [WIDTH, HEIGHT] = [3, 2];
const ALL = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
/** What people see. */
const SEEN = [0x010203, 0x111213, 0x212223, 0x313233, 0x414243, 0x515253];

/** A frame with one unused pixel at the end of each row. */
function frameOf(rows: readonly (readonly number[])[], format = 1, isInverted = false): Frame {
  const width = rows[0]!.length;
  const stride = (width + 1) * 4;
  const words = rows.flatMap((row) => [...row, 0xdeadbeef]);
  const bytes = new Uint8Array(Uint32Array.from(words).buffer);
  return { bytes, layout: { format, width, height: rows.length, stride }, isInverted };
}

function colours(pictures: FramePictures, frame: Frame, transform = 0, part = ALL): number[] {
  const { pixels } = pictures.make(frame, transform, part);
  return [...pixels].map((pixel) => pixel & 0xffffff);
}

const [a, b, c, d, e, f] = SEEN as [number, number, number, number, number, number];

/** How the compositor has drawn `abc / def`, by `wl_output.transform`. */
const DRAWN: Readonly<Record<number, readonly (readonly number[])[]>> = {
  0: [[a, b, c], [d, e, f]],
  1: [[c, f], [b, e], [a, d]], // a quarter turn counter-clockwise
  2: [[f, e, d], [c, b, a]],
  3: [[d, a], [e, b], [f, c]],
  4: [[c, b, a], [f, e, d]],
  5: [[a, d], [b, e], [c, f]],
  6: [[d, e, f], [a, b, c]],
  7: [[f, c], [e, b], [d, a]],
};

for (const [transform, rows] of Object.entries(DRAWN)) {
  Deno.test(`make() turns a frame of transform ${transform} back`, () => {
    const pictures = new FramePictures();
    expect(colours(pictures, frameOf(rows), Number(transform))).toEqual(SEEN);
    const inverted = frameOf([...rows].reverse(), 1, true);
    expect(colours(pictures, inverted, Number(transform))).toEqual(SEEN);
    const part = { x: 1, y: 1, width: 2, height: 1 };
    expect(colours(pictures, frameOf(rows), Number(transform), part)).toEqual([e, f]);
  });
}

const CODE = (text: string) =>
  [...text].reduce((sum, each, i) => sum + each.charCodeAt(0) * 256 ** i, 0);
const wide = (value: number) => value << 2 | 3;
const channels = (colour: number) => [colour >> 16 & 255, colour >> 8 & 255, colour & 255] as const;

const PACKED: Readonly<Record<string, (colour: number) => number>> = {
  AB24: (colour) => {
    const [r, g, bl] = channels(colour);
    return (0xff << 24 | bl << 16 | g << 8 | r) >>> 0;
  },
  XR30: (colour) => {
    const [r, g, bl] = channels(colour);
    return (wide(r) << 20 | wide(g) << 10 | wide(bl)) >>> 0;
  },
  XB30: (colour) => {
    const [r, g, bl] = channels(colour);
    return (wide(bl) << 20 | wide(g) << 10 | wide(r)) >>> 0;
  },
};

for (const [code, pack] of Object.entries(PACKED)) {
  Deno.test(`make() reads the format ${code}`, () => {
    const frame = frameOf([[a, b, c].map(pack), [d, e, f].map(pack)], CODE(code));
    expect(colours(new FramePictures(), frame)).toEqual(SEEN);
    expect(colours(new FramePictures(), frame, 0, { x: 2, y: 0, width: 1, height: 2 }))
      .toEqual([c, f]);
  });
}

for (const [code, order] of [["RG24", [2, 1, 0]], ["BG24", [0, 1, 2]]] as const) {
  Deno.test(`make() reads the format ${code}, whose rows are no whole words`, () => {
    const stride = WIDTH * 3 + 1;
    const bytes = new Uint8Array(stride * HEIGHT);
    SEEN.forEach((colour, i) => {
      const at = Math.floor(i / WIDTH) * stride + i % WIDTH * 3;
      channels(colour).forEach((value, channel) => bytes[at + order[channel]!] = value);
    });
    const layout = { format: CODE(code), width: WIDTH, height: HEIGHT, stride };
    expect(colours(new FramePictures(), { bytes, layout, isInverted: false })).toEqual(SEEN);
  });
}

Deno.test("make() copies nothing where the frame is the picture", () => {
  const bytes = new Uint8Array(Uint32Array.from(SEEN).buffer);
  const layout = { format: 1, width: WIDTH, height: HEIGHT, stride: WIDTH * 4 };
  const { pixels } = new FramePictures().make({ bytes, layout, isInverted: false }, 0, ALL);
  expect(pixels.buffer).toBe(bytes.buffer);
});

Deno.test("make() names an unknown format", () => {
  expect(() => colours(new FramePictures(), frameOf([[a]], 0x1234))).toThrow("0x1234");
});
