/** What the file of a recording shows, decoded by ffmpeg: times, colours and chapters. */

import { run } from "./desktop.ts";
import type { Size } from "../../src/platform/types/mod.ts";

/** Of the display that most tests record. */
const SIZE: Size = { width: 320, height: 240 };

/** A decoded picture and its time. */
export interface Shown {
  readonly atMs: number;
  /** Red, green, blue of a pixel. */
  pixel(x: number, y: number): readonly [number, number, number];
}

/** Decodes a video by ffmpeg. */
export async function decodeVideo(
  file: Uint8Array<ArrayBuffer>,
  size = SIZE,
): Promise<Shown[]> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, file);
    const times = new TextDecoder().decode(
      await run("ffprobe", [
        ...["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time"],
        ...["-of", "csv=p=0", path],
      ]),
    );
    const seconds = times.trim().split("\n").map((line) => Number(line.split(",")[0]));
    return await decodePictures(path, seconds.map((each) => Math.round(each * 1_000)), size);
  } finally {
    await Deno.remove(path);
  }
}

/** Title and time of each chapter that a video holds. */
export async function readChapters(file: Uint8Array<ArrayBuffer>) {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, file);
  const json = await run("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", path]);
  await Deno.remove(path);
  const { chapters } = JSON.parse(new TextDecoder().decode(json)) as {
    chapters: { start_time: string; tags: { title: string } }[];
  };
  return chapters.map(({ start_time, tags }) => ({
    at_ms: Math.round(Number(start_time) * 1_000),
    title: tags.title,
  }));
}

async function decodePictures(
  path: string,
  times: readonly number[],
  { width, height }: Size,
): Promise<Shown[]> {
  const rgb = await run("ffmpeg", [
    ...["-v", "error", "-i", path, "-vsync", "passthrough"],
    ...["-vf", "scale=in_color_matrix=auto,format=rgb24", "-f", "rawvideo", "pipe:1"],
  ]);
  const length = width * height * 3;
  if (rgb.length !== length * times.length) {
    throw new Error(`${rgb.length / length} pictures, and ${times.length} times`);
  }
  return times.map((atMs, index) => ({
    atMs,
    pixel(x, y) {
      const at = index * length + (y * width + x) * 3;
      return [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
    },
  }));
}

/** Whether a pixel has a colour, within what such compression changes. */
export function isColour(pixel: readonly number[], colour: number): boolean {
  const wanted = [colour >> 16 & 255, colour >> 8 & 255, colour & 255];
  return wanted.every((value, index) => Math.abs(value - pixel[index]!) <= 24);
}
