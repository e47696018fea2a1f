/** What the clipboard of Windows has in its formats, as bytes. */

import { expect } from "expect";
import { decodePng } from "../../support/png.ts";
import { encodePng } from "../../../src/imaging/png.ts";
import {
  bitmapOfPng,
  formatDropFiles,
  formatHtml,
  parseDropFiles,
  parseHtml,
  pngOfBitmap,
} from "../../../src/platform/windows/clipboard/clipboard_calls.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

Deno.test("formatHtml() marks the fragment by offsets in bytes, and parseHtml() finds it", () => {
  for (const html of ["<b>é漢😀</b>", "", "x"]) {
    const bytes = formatHtml(encoder.encode(html));
    const offset = (name: string) =>
      Number(new RegExp(`${name}:(\\d+)`).exec(decoder.decode(bytes))![1]);
    const part = (from: number, to: number) => decoder.decode(bytes.subarray(from, to));
    expect(part(offset("StartFragment"), offset("EndFragment"))).toBe(html);
    expect(part(offset("StartHTML"), offset("EndHTML"))).toMatch(/^<html>[^]*<\/html>$/);
    expect(decoder.decode(parseHtml(bytes))).toBe(html);
  }
});

Deno.test("parseHtml() takes what other programs write, faulty offsets too", () => {
  const parse = (text: string) => decoder.decode(parseHtml(encoder.encode(text)));
  const header = "Version:0.9\r\nStartHTML:-1\r\nEndHTML:-1\r\n";
  expect(parse(`${header}StartFragment:0070\r\nEndFragment:0073\r\n<b>x</b>`).length).toBe(3);
  expect(parse("StartFragment:99999\r\nEndFragment:5\r\n")).toBe("");
  expect(parse("<i>no header</i>\0rest")).toBe("<i>no header</i>");
});

Deno.test("formatDropFiles() lists paths, and parseDropFiles() reads them, in either width", () => {
  const paths = ["C:\\a b.txt", "C:\\é漢😀"];
  expect(parseDropFiles(formatDropFiles(paths))).toEqual(paths);
  const narrow = new Uint8Array(20 + 8);
  new DataView(narrow.buffer).setUint32(0, 20, true);
  narrow.set(encoder.encode("C:\\a\0D:\\\0").subarray(0, 8), 20);
  expect(parseDropFiles(narrow)).toEqual(["C:\\a", "D:\\"].map((path) => path.slice(0, 4)));
  expect(parseDropFiles(new Uint8Array(3))).toEqual([]);
});

Deno.test("bitmapOfPng() and pngOfBitmap() keep every pixel", async () => {
  const pixels = Uint32Array.from({ length: 15 }, (_, index) => index * 0x010305);
  const png = encodePng({ width: 5, height: 3, pixels });
  const bitmap = await bitmapOfPng(png);
  expect(decodePng(pngOfBitmap(bitmap!)!)).toEqual(decodePng(png));
  expect(await bitmapOfPng(encoder.encode("no PNG"))).toBeUndefined();
  expect(pngOfBitmap(new Uint8Array(50))).toBeUndefined();
});

Deno.test("pngOfBitmap() reads 24 bits per pixel, from the top or the bottom", () => {
  for (const height of [2, -2]) {
    const bitmap = new Uint8Array(40 + 16);
    const view = new DataView(bitmap.buffer);
    [[0, 40], [4, 1], [8, height]].forEach(([at, value]) => view.setInt32(at!, value!, true));
    view.setUint16(14, 24, true);
    bitmap.set([3, 2, 1], 40); // blue, green, red
    bitmap.set([6, 5, 4], 44);
    const { rgb } = decodePng(pngOfBitmap(bitmap.subarray(0, 48))!);
    expect([...rgb]).toEqual(height < 0 ? [1, 2, 3, 4, 5, 6] : [4, 5, 6, 1, 2, 3]);
  }
});
