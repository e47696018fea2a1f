/** A display with a window that records, to which the answers of models are given. */

import { expect } from "expect";
import { keysymName } from "../../../src/platform/keys.ts";
import { type RecordedDesktop, startRecordedDesktop } from "../../support/desktop.ts";
import type { Recorded } from "../../support/recorder.ts";

export interface ModelDesktop extends RecordedDesktop {
  /** Gives an answer of a model to `/api/agents/...`; it must be taken. */
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  ask(vendor: string, body: object): Promise<any>;
  /** What the window has seen since the last time, as {@link traceOf} writes it. */
  seen(): Promise<string>;
}

export async function startModelDesktop(size = "1280x800"): Promise<ModelDesktop> {
  const desktop = await startRecordedDesktop({ server: { size } });
  return {
    ...desktop,
    ask: (vendor, body) => desktop.service.call(`/api/agents/${vendor}`, { settle_ms: 0, ...body }),
    async seen() {
      await desktop.recorder.sync();
      const trace = traceOf(desktop.recorder.events);
      desktop.recorder.clear();
      return trace;
    },
    [Symbol.asyncDispose]: () => desktop[Symbol.asyncDispose](),
  };
}

/** `+Control_L down1@10,20 up1@10,20 -Control_L`; motion only where a button is down. */
export function traceOf(events: readonly Recorded[]): string {
  return events.flatMap(({ what, detail, keysym, x, y }) => {
    if (what === "press") return [`+${keysymName(keysym)}`];
    if (what === "release") return [`-${keysymName(keysym)}`];
    if (what === "motion") return [];
    return [`${what === "button down" ? "down" : "up"}${detail}@${x},${y}`];
  }).join(" ");
}

/** `down1@10,20 up1@10,20`, so many times. */
export function clicks(button: number, place: string, count = 1): string {
  return Array(count).fill(`down${button}@${place} up${button}@${place}`).join(" ");
}

/** The size of a picture in a `data:` URL or in Base64, read from the PNG itself. */
export function pngSize(data: string): { readonly width: number; readonly height: number } {
  const bytes = Uint8Array.fromBase64(data.replace(/^data:image\/png;base64,/, ""));
  expect([...bytes.subarray(1, 4)]).toEqual([..."PNG"].map((each) => each.charCodeAt(0)));
  const view = new DataView(bytes.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
