/**
 * The virtual display of X11: an Xvfb that is restarted when it dies, with a window manager and buses
 * if they are installed.
 */

import { within } from "../../../core/deadline.ts";
import type { Log } from "../../../core/log.ts";
import type { Host } from "../../host.ts";
import type { Size } from "../../types/mod.ts";
import { askSessionBus } from "../atspi/find_bus.ts";
import { type OwnBuses, startOwnBuses } from "../atspi/own_buses.ts";
import { writeAccessibilityBus } from "./accessibility_bus.ts";
import { startOnFreeNumber } from "./display_number.ts";
import { DisplayRecords } from "./display_records.ts";
import { readIdentity } from "../process_identity.ts";
import { keepRunning, type RestartedServer, type Server } from "../restarted_server.ts";
import type { VirtualDisplay } from "../virtual_display.ts";
import { startXvfb, type XvfbProcess } from "./xvfb_process.ts";

export interface VirtualDisplayOptions {
  readonly size: Size;
  /** The folder in which the displays of all instances are recorded. */
  readonly stateDir: string;
  readonly log: Log;
}

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
  const buses = await startOwnBuses(host, { display: { DISPLAY: display }, log });
  const server = keepRunning(first, {
    name: "virtual display",
    display,
    log,
    async start() {
      const process = await startRecorded(display);
      if (buses) await nameAgain(display, buses);
      return process;
    },
  });

  const manager = startWindowManager(host, { display, log, isThere: () => server.running });

  async function startRecorded(display: string): Promise<XvfbProcess> {
    const process = await startXvfb({ ...options, display });
    const { cookie, identity: server } = process;
    const service = readIdentity(Deno.pid);
    if (service && server) await records.write({ display, cookie, service, server });
    return process;
  }

  return {
    display,
    variables: { ...localeWithAllCharacters(host), DISPLAY: display, ...buses?.variables },
    get running() {
      return server.running;
    },
    async [Symbol.asyncDispose]() {
      await manager?.[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await buses?.[Symbol.asyncDispose]();
      await records.remove(display);
    },
  };
}

/**
 * Where the environment names no locale, as in a container, programs such as xterm would show ASCII
 * only.
 */
function localeWithAllCharacters({ env }: Host): Readonly<Record<string, string>> {
  return env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] ? {} : { LANG: "C.UTF-8" };
}

/** A server that was started again has lost what programs find the accessibility bus by. */
async function nameAgain(display: string, { sessionBus }: OwnBuses): Promise<void> {
  try {
    await writeAccessibilityBus(display, await askSessionBus(sessionBus));
  } catch {
    // then programs ask the session bus
  }
}

interface ManagedDisplay {
  readonly display: string;
  readonly log: Log;
  /** Whether the display runs now. */
  isThere(): boolean;
}

/** How soon a window manager ends that finds another one on its display. */
const REFUSED_MS = 1_000;

/** Keeps a window manager running; `undefined` where none is installed. */
function startWindowManager(
  host: Host,
  { display, log, isThere }: ManagedDisplay,
): RestartedServer | undefined {
  const program = host.which("openbox");
  if (program === undefined) return undefined;
  const start = (): Server => {
    const child = new Deno.Command(program, {
      env: { DISPLAY: display },
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    const ended = child.status.then(() => {});
    return { ended, end: () => (endAtOnce(child), ended) };
  };
  return keepRunning(start(), {
    name: "window manager",
    display,
    log,
    async start() {
      if (!isThere()) throw new Error("its display does not run");
      const started = start();
      if (!await within(started.ended, REFUSED_MS) || !isThere()) return started;
      log.info("another window manager has taken over", { display });
      return otherManager();
    },
  });
}

/** Somebody has started another window manager in place of ours, which then must not come back. */
function otherManager(): Server {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  return { ended, end: () => (resolve(), ended) };
}

function endAtOnce(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // it has already ended
  }
}
