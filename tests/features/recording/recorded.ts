/** What the tests of recordings share: a painted display, and what the file of a recording shows. */

import { run, startDesktop } from "../../support/desktop.ts";
import { openPainter, type Painter } from "../../support/painter.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import type { RecordingWithChapters } from "../../../src/features/recording/recording_item.ts";
import type { Limits } from "../../../src/config/limits.ts";

export const SIZE = { width: 320, height: 240 };

/** A desktop whose screen is one black window. */
export async function paintedDesktop(limits: Partial<Limits> = {}) {
  const desktop = await startDesktop({ server: { size: "320x240" }, limits });
  const painter = await openPainter(desktop.display);
  return {
    ...desktop,
    painter,
    async [Symbol.asyncDispose]() {
      painter[Symbol.dispose]();
      await desktop[Symbol.asyncDispose]();
    },
  };
}

export async function start(service: Service, body: Record<string, unknown> = {}) {
  return await service.call("/api/recording/start", {
    cursor: false,
    ...body,
  }) as RecordingWithChapters;
}

export async function stop(service: Service, id: string) {
  return await service.call("/api/recording/stop", { id }) as RecordingWithChapters;
}

/** The recording as the list has it. */
export async function find(service: Service, id: string) {
  const [found] = await service.call(`/api/recording/list?id=${id}`) as RecordingWithChapters[];
  return found!;
}

/** Waits until a recording has that many pictures. */
export async function frames(service: Service, id: string, count: number) {
  await waitFor(async () => (await find(service, id)).frames >= count, {
    what: `picture ${count}`,
  });
}

export async function ended(service: Service, id: string): Promise<RecordingWithChapters> {
  return await waitFor(async () => {
    const found = await find(service, id);
    return found.state === "finished" || found.state === "failed" ? found : undefined;
  }, { what: "the end of the recording" });
}

export async function download(service: Service, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await service.send(`/api/recording/get?id=${id}`);
  if (!response.ok) throw new Error(await response.text());
  return await response.bytes();
}

/** A decoded picture and its time. */
export interface Shown {
  readonly atMs: number;
  /** Red, green, blue of a pixel. */
  pixel(x: number, y: number): readonly [number, number, number];
}

/** Decodes a video by ffmpeg. */
export async function decodeVideo(file: Uint8Array<ArrayBuffer>): Promise<Shown[]> {
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
    return await decodePictures(path, seconds.map((each) => Math.round(each * 1_000)));
  } finally {
    await Deno.remove(path);
  }
}

/** Decodes the pictures of a page, as its scripts give them. */
export async function decodePage(file: Uint8Array<ArrayBuffer>): Promise<Shown[]> {
  const text = new TextDecoder().decode(file);
  const shown: Shown[] = [];
  for (const [, at, data] of text.matchAll(/<script>frame\((\d+),"([^"]*)"\)<\/script>/g)) {
    const path = await Deno.makeTempFile({ suffix: ".webp" });
    await Deno.writeFile(path, Uint8Array.fromBase64(data!));
    shown.push(...await decodePictures(path, [Number(at)]));
    await Deno.remove(path);
  }
  return shown;
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

async function decodePictures(path: string, times: readonly number[]): Promise<Shown[]> {
  const rgb = await run("ffmpeg", [
    ...["-v", "error", "-i", path, "-vsync", "passthrough"],
    ...["-vf", "scale=in_color_matrix=auto,format=rgb24", "-f", "rawvideo", "pipe:1"],
  ]);
  const { width, height } = SIZE;
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

/** Paints what hardly can be compressed until a recording has ended. */
export async function paintUntilEnded(
  { service, painter }: { readonly service: Service; readonly painter: Painter },
  id: string,
): Promise<void> {
  for (let n = 1; (await find(service, id)).state === "recording"; n++) {
    for (let x = 0; x < 320; x += 16) {
      for (let y = 0; y < 240; y += 16) {
        await painter.paint([x, y, 13, 9], Math.imul(n + x * y, 0x9e3779b1) >>> 8);
      }
    }
  }
}
