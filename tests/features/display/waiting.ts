/** What the tests of display/wait share. */

import { type Desktop, startDesktop } from "../../support/desktop.ts";
import { openPainter } from "../../support/painter.ts";

export interface Answer {
  readonly status: string;
  readonly elapsed_ms: number;
  readonly match?: Record<string, number>;
}

export const LONG = 30_000;

export function wait(desktop: Desktop, body: Record<string, unknown>): Promise<Answer> {
  return desktop.service.call("/api/display/wait", { timeout_ms: LONG, ...body }) as Promise<
    Answer
  >;
}

/** Whether a wait, which has begun to look by then, has not come to an end while other requests were answered. */
export async function stillOpen(desktop: Desktop, waiting: Promise<unknown>): Promise<boolean> {
  let ended = false;
  waiting.then(() => ended = true, () => ended = true);
  await wait(desktop, { timeout_ms: 0 }); // looks after the other one
  for (let i = 0; i < 20; i++) {
    await desktop.service.call("/api/display/pixel_color", { x: 0, y: 0 });
  }
  return !ended;
}

/** A desktop whose screen is one black window. */
export async function painted() {
  const desktop = await startDesktop({ server: { size: "320x240" } });
  const painter = await openPainter(desktop.display);
  await wait(desktop, { timeout_ms: 0 }); // the first one starts the worker
  return {
    desktop,
    painter,
    async [Symbol.asyncDispose]() {
      painter[Symbol.dispose]();
      await desktop[Symbol.asyncDispose]();
    },
  };
}
