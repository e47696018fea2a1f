/** What the tests of recordings share: a painted display, and what the file of a recording shows. */

import { startDesktop } from "../../support/desktop.ts";
import { openPainter, type Painter } from "../../support/painter.ts";
import type { Service } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";
import type { RecordingItem } from "../../../src/features/recording/recording_store.ts";
import type { Limits } from "../../../src/config/limits.ts";

/** The record of a recording that runs. */
export const RUNNING: RecordingItem = {
  ...{ id: "20260131-120000123-1a2b3c4d", display_num: 1, state: "recording", ended_by: null },
  ...{ detail: null, format: "webm", media_type: "video/webm", playable: true },
  ...{ started_at: "2026-01-31T12:00:00.000Z", duration_ms: 1, frames: 1, bytes: 1 },
  ...{ width: 320, height: 240, resizes: 0, max_fps: 10, blacked_out: 0, chapter_count: 0 },
  chapters: [],
};

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
  }) as RecordingItem;
}

export async function stop(service: Service, id: string) {
  return await service.call("/api/recording/stop", { id }) as RecordingItem;
}

/** The recording as the list has it. */
export async function find(service: Service, id: string) {
  const [found] = await service.call(`/api/recording/list?id=${id}`) as RecordingItem[];
  return found!;
}

/** Waits until a recording has that many pictures. */
export async function frames(service: Service, id: string, count: number) {
  await waitFor(async () => (await find(service, id)).frames >= count, {
    what: `picture ${count}`,
  });
}

export async function ended(service: Service, id: string): Promise<RecordingItem> {
  return await waitFor(async () => {
    const found = await find(service, id);
    return found.state === "finished" || found.state === "failed" ? found : undefined;
  }, { what: "the end of the recording", timeoutMs: 60_000 }); // ffmpeg may take its time to end
}

export async function download(service: Service, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await service.send(`/api/recording/get?id=${id}`);
  if (!response.ok) throw new Error(await response.text());
  return await response.bytes();
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
