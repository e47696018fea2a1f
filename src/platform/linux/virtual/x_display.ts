/**
 * The virtual display of X11: an Xvfb that is restarted when it dies, with a window manager and buses
 * if they are installed.
 */

import { join } from "node:path";
import { z } from "zod";
import { poll, within } from "../../../core/deadline.ts";
import type { Log } from "../../../core/log.ts";
import { commandEnvironment } from "../../command_environment.ts";
import type { Host } from "../../host.ts";
import { replacePrivate } from "../../keychain/private_file.ts";
import { killChild, sendSignal } from "../../posix/process_table.ts";
import { openPrivateFolder } from "../../private_folder.ts";
import type { Size } from "../../types/mod.ts";
import { askSessionBus } from "../atspi/find_bus.ts";
import { type OwnBuses, startOwnBuses } from "./own_buses.ts";
import type { VirtualDisplay } from "../linux_display.ts";
import { isAlive, readIdentity } from "../process/process_identity.ts";
import { keepRunning, type RestartedServer, type Server } from "./restarted_server.ts";
import { SILENT, spawnInTurn } from "./supervised_server.ts";
import { X11Connection } from "../x11/connection.ts";
import { startOnFreeNumber } from "../displays/find_display.ts";
import { writeAccessibilityBus } from "../x11/window_queries.ts";
import { startXvfb, type XvfbProcess } from "./xvfb_process.ts";

interface VirtualDisplayOptions {
  readonly size: Size;
  /** The folder in which the displays of all instances are recorded. */
  readonly stateDir: string;
  /** Of the service: no program gets it. */
  readonly token?: string | undefined;
  /** More variables of its programs. */
  readonly more?: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** @throws Error when the server does not start. */
export async function startVirtualDisplay(
  host: Host,
  { size, stateDir, token, more, log }: VirtualDisplayOptions,
): Promise<VirtualDisplay> {
  const options = { size: `${size.width}x${size.height}`, uid: host.uid ?? 0 };
  const records = new DisplayRecords(stateDir, log);
  // two instances may want the same number: the X server refuses it to one of them
  const first = await startOnFreeNumber(startRecorded, await records.clean());
  const { display } = first;
  await using started = new AsyncDisposableStack();
  started.defer(() => records.remove(display));
  started.defer(() => first.end());
  const buses = started.use(await startOwnBuses(host, { display: { DISPLAY: display }, log }));
  const server = started.use(keepRunning(first, {
    name: "virtual display",
    display,
    log,
    async start() {
      const process = await startRecorded(display);
      if (buses) await nameAgain(display, buses);
      return process;
    },
  }));

  const variables = { DISPLAY: display, ...buses?.variables, ...more };
  const env = { ...commandEnvironment(host.env, { token }), ...variables };
  const isThere = () => server.running;
  let managerPid: number | undefined;
  const onStart = (pid: number) => managerPid = pid;
  started.use(await startWindowManager(host, { display, env, log, isThere, onStart }));
  const running = started.move();

  async function startRecorded(display: string): Promise<XvfbProcess> {
    const process = await startXvfb({ ...options, display });
    const { cookie, identity: server } = process;
    const service = readIdentity(Deno.pid);
    if (service && server) await records.write({ display, cookie, service, server });
    return process;
  }

  return {
    display,
    variables,
    get managerPid() {
      return managerPid;
    },
    get running() {
      return server.running;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A server that was started again has lost what programs find the accessibility bus by. */
async function nameAgain(display: string, { sessionBus }: OwnBuses): Promise<void> {
  try {
    using connection = await X11Connection.open(display);
    await writeAccessibilityBus(connection, await askSessionBus(sessionBus));
  } catch {
    // then programs ask the session bus
  }
}

interface ManagedDisplay {
  readonly display: string;
  /** Also of what its menu starts. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Whether the display runs now. */
  isThere(): boolean;
  /** Called with its process id at each start. */
  onStart(pid: number): void;
}

/** How soon a window manager ends that finds another one on its display. */
const REFUSED_MS = 1_000;

/** Keeps a window manager running; `undefined` where none is installed. */
async function startWindowManager(
  host: Host,
  { display, env, log, isThere, onStart }: ManagedDisplay,
): Promise<RestartedServer | undefined> {
  const program = host.which("openbox");
  if (program === undefined) return undefined;
  const start = async (): Promise<Server> => {
    const child = await spawnInTurn([program], { env: { ...env }, clearEnv: true, ...SILENT });
    onStart(child.pid);
    const ended = child.status.then(() => {});
    return { ended, end: () => (killChild(child), ended) };
  };
  return keepRunning(await start(), {
    name: "window manager",
    display,
    log,
    async start() {
      if (!isThere()) throw new Error("its display is not running");
      const started = await start();
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

// Records the virtual displays of all instances that share a state folder, one file each, so that
// the servers that a killed instance left running are ended.

const IdentitySchema = z.object({ pid: z.int().min(2), startedAt: z.string() });

const RecordSchema = z.object({
  /** `:99` */
  display: z.string().regex(/^:\d{1,5}$/),
  /** Lets a program of another user connect: `xauth add :99 . <cookie>`. */
  cookie: z.string(),
  service: IdentitySchema,
  server: IdentitySchema,
});

type DisplayRecord = z.output<typeof RecordSchema>;

const MAX_RECORD_BYTES = 4_096;
const POLL_INTERVAL_MS = 20;
/** How long an orphaned server has to end before it is killed. */
const EXIT_TIMEOUT_MS = 2_000;

class DisplayRecords {
  readonly #folder: string;

  constructor(stateDir: string, private readonly log: Log) {
    this.#folder = join(stateDir, "displays");
  }

  async write(record: DisplayRecord): Promise<void> {
    try {
      await openPrivateFolder(this.#folder, "folder of virtual displays");
      const text = new TextEncoder().encode(JSON.stringify(record));
      await replacePrivate(this.#recordPath(record.display), text);
    } catch (error) {
      this.log.warn("virtual displays are not recorded", { error: (error as Error).message });
    }
  }

  async remove(display: string): Promise<void> {
    await Deno.remove(this.#recordPath(display)).catch(() => {}); // the record was never written
  }

  #recordPath(display: string): string {
    return join(this.#folder, `${display.slice(1)}.json`);
  }

  /**
   * The displays of living instances. Ends servers that ended instances have left running, and
   * removes their records.
   */
  async clean(): Promise<ReadonlySet<string>> {
    const taken = new Set<string>();
    for (const path of await recordsBelow(this.#folder)) {
      const record = await readRecord(path);
      if (record !== undefined && isAlive(record.service)) {
        taken.add(record.display);
        continue;
      }
      if (record !== undefined) await this.#endServer(record);
      await Deno.remove(path).catch(() => {}); // it belongs to another user, or is already gone
    }
    return taken;
  }

  /**
   * Ends a server that outlived its instance, which happens only when the supervising process was
   * killed as well.
   */
  async #endServer({ display, server }: DisplayRecord): Promise<void> {
    if (!isAlive(server)) return;
    this.log.info("ending the virtual display of an instance that was killed", { display });
    sendSignal(server.pid, "SIGTERM");
    const hasEnded = await poll(() => !isAlive(server), {
      everyMs: POLL_INTERVAL_MS,
      timeoutMs: EXIT_TIMEOUT_MS,
    });
    if (!hasEnded) sendSignal(server.pid, "SIGKILL");
  }
}

async function recordsBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile && /^\d{1,5}\.json$/.test(name)) found.push(join(folder, name));
    }
  } catch {
    // there is no folder yet
  }
  return found.sort();
}

/** `undefined` for a file that holds no record or was written by another user. */
async function readRecord(path: string): Promise<DisplayRecord | undefined> {
  try {
    const { size, uid } = await Deno.lstat(path);
    if (size > MAX_RECORD_BYTES || uid !== Deno.uid()) return undefined;
    return RecordSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch {
    return undefined;
  }
}
