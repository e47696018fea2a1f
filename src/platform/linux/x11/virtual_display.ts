/**
 * The virtual display: an Xvfb that is restarted when it dies, with a window manager if one is
 * installed.
 */

import { pause } from "../../../core/deadline.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { startOnFreeNumber } from "./display_number.ts";
import { DisplayRecords } from "./display_records.ts";
import { readIdentity } from "../process_identity.ts";
import { startXvfb, type XvfbProcess } from "./xvfb_process.ts";

export interface VirtualDisplay extends AsyncDisposable {
  /** `:99`; it stays the same across restarts of the server. */
  readonly display: string;
  /** Whether the server runs now. */
  readonly running: boolean;
}

export interface VirtualDisplayOptions {
  readonly size: Size;
  /** The folder in which the displays of all instances are recorded. */
  readonly stateDir: string;
  readonly log: Log;
}

/**
 * The pause before the first restart; it doubles up to `LAST_PAUSE_MS`, and a long run resets it.
 */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;
const LONG_RUN_MS = 5_000;

/** @throws Error when the server does not start. */
export async function startVirtualDisplay(
  host: Host,
  { size, stateDir, log }: VirtualDisplayOptions,
): Promise<VirtualDisplay> {
  const options = { size: `${size.width}x${size.height}`, uid: host.uid ?? 0 };
  const records = new DisplayRecords(stateDir, log);
  const first = await records.choosing((taken) =>
    startOnFreeNumber((display) => startRecorded(display), taken)
  );
  const { display } = first;
  const stopping = new AbortController();
  let current: XvfbProcess | undefined = first;
  startWindowManager(host, display, log);
  const supervision = supervise();

  async function startRecorded(display: string): Promise<XvfbProcess> {
    const process = await startXvfb({ ...options, display });
    const { cookie, identity: server } = process;
    const service = readIdentity(Deno.pid);
    if (service && server) await records.write({ display, cookie, service, server });
    return process;
  }

  async function supervise(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (true) {
      const startedAt = performance.now();
      await current?.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > LONG_RUN_MS) pauseMs = FIRST_PAUSE_MS;
      log.warn("virtual display ended", { display, restartInMs: pauseMs });
      await pause(pauseMs, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
      current = await restart();
    }
  }

  async function restart(): Promise<XvfbProcess | undefined> {
    try {
      const process = await startRecorded(display);
      if (stopping.signal.aborted) {
        await process.end();
        return undefined;
      }
      startWindowManager(host, display, log);
      log.info("virtual display started again", { display });
      return process;
    } catch (error) {
      log.warn("virtual display does not start", { display, error: (error as Error).message });
      return undefined;
    }
  }

  return {
    display,
    get running() {
      return current !== undefined;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await current?.end();
      await supervision;
      await records.remove(display);
    },
  };
}

/** The window manager ends by itself when the display goes away. */
function startWindowManager(host: Host, display: string, log: Log): void {
  const program = host.which("openbox");
  if (program === undefined) return;
  const child = new Deno.Command(program, {
    env: { DISPLAY: display },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.status.catch((error) => log.warn("openbox failed", { error: String(error) }));
}
