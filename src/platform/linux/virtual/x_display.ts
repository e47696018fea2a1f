/**
 * The virtual display of X11: an Xvfb that is restarted when it dies, with a window manager and buses
 * if they are installed.
 */

import { join } from "node:path";
import { z } from "zod";
import { inTime, poll, within } from "../../../core/deadline.ts";
import { tryTo } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import { commandEnvironment } from "../../environment.ts";
import type { Host } from "../../host.ts";
import { replacePrivate } from "../../keychain/private_file.ts";
import { killChild, sendSignal } from "../../posix/process_table.ts";
import { openPrivateFolder } from "../../private_folder.ts";
import type { Size } from "../../types/mod.ts";
import { askSessionBus } from "../atspi/find_bus.ts";
import { COOKIE_PROTOCOL, FAMILY_WILD } from "../x11/setup.ts";
import { PREDEFINED, REPLACE } from "../x11/client.ts";
import { type OwnBuses, startOwnBuses } from "./own_buses.ts";
import type { VirtualDisplay } from "../linux_display.ts";
import { isAlive, type ProcessIdentity, readIdentity } from "../process/process_identity.ts";
import {
  EndedEarlyError,
  keepRunning,
  type RestartedServer,
  type Server,
  SILENT,
  spawnInTurn,
  startSupervised,
} from "./supervised_server.ts";
import { X11Connection } from "../x11/connection.ts";
import { MARK, NumberTakenError, startOnFreeNumber } from "../displays/find_display.ts";
import { internAtoms, writeAccessibilityBus } from "../x11/window_queries.ts";

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

// Runs one Xvfb process: ready when it accepts connections, and ended together with the service,
// however that ends.

interface XvfbOptions {
  /** `1280x800`. */
  readonly size: string;
  /** The X display to create: `:99`. */
  readonly display: string;
  readonly uid: number;
  /** How long startup is allowed to take, in milliseconds. */
  readonly startMs?: number;
  /** A program to run instead of Xvfb, with the same arguments. */
  readonly program?: string;
}

interface XvfbProcess extends Server {
  /** `:99`. */
  readonly display: string;
  readonly cookie: string;
  /** The server process, if it can be identified. */
  readonly identity: ProcessIdentity | undefined;
}

/** The error output of a server whose display number is in use. */
const TAKEN = /already running|already active/i;

/**
 * @throws NumberTakenError when another server has the display; Error when this one does not start.
 */
export async function startXvfb(options: XvfbOptions): Promise<XvfbProcess> {
  const { size, display, uid, startMs, program = "Xvfb" } = options;
  using cookie = createCookie();
  const server = await startSupervised({
    command: [
      ...[program, display, "-displayfd", "1", "-screen", "0", `${size}x24`],
      ...["-auth", cookie.path, "-noreset", "-nolisten", "tcp"],
    ],
    temporary: cookie.path,
    isReady: (lines) => lines.includes(display.slice(1)),
    ...(startMs === undefined ? {} : { startMs }),
    name: "Xvfb",
  }).catch((error) => {
    if (!(error instanceof EndedEarlyError) || !TAKEN.test(error.said)) throw error;
    throw new NumberTakenError(`"${display}" is in use`);
  });
  try {
    // The server has read the cookie file once the first client has connected with it.
    await admitUser(display, cookie, uid);
  } catch (error) {
    await server.kill();
    throw error;
  }
  const identity = readIdentity(server.pid);
  return { display, cookie: cookie.value, identity, ended: server.ended, end: server.end };
}

// Restricts a virtual display to the user of the service; no other user of the machine can connect.
//
// The server starts with a random cookie, so that no program can connect without it. With that
// cookie we tell the server to admit every program of our own user (`xhost +si:localuser:...`),
// whose identity the kernel vouches for. The cookie is not needed after that: an xterm that the
// user starts by hand with only `DISPLAY=:n` works without `XAUTHORITY`.

interface Cookie extends Disposable {
  /** The file for Xvfb's `-auth`, readable only by the user. */
  readonly path: string;
  readonly value: string;
}

/** The family in a ChangeHosts request for an address that the server interprets. */
const FAMILY_SERVER_INTERPRETED = 5;
const INSERT = 0;

/** Writes a new cookie into a temporary file; disposing removes the file, unless it is gone with the server. */
function createCookie(): Cookie {
  const value = crypto.randomUUID().replaceAll("-", "");
  const path = Deno.makeTempFileSync({ prefix: "computer-control-", suffix: ".xauth" });
  Deno.writeFileSync(path, formatEntry(value), { mode: 0o600 });
  return { path, value, [Symbol.dispose]: () => tryTo(() => Deno.removeSync(path)) };
}

/** How many desktops there are, which openbox reads at its start in place of its configuration. */
const DESKTOPS = "_NET_NUMBER_OF_DESKTOPS";

/** How long the server has to admit the user. */
const ADMIT_MS = 5_000;

/**
 * Marks the display as virtual and gives it a single desktop, then admits every program of the user
 * `uid`. With several desktops, openbox's default, a turn of the wheel beside all windows goes to
 * another desktop: every window vanishes, and what is typed next reaches nothing.
 * @throws Error when the server refuses or does not answer in time.
 */
async function admitUser(display: string, cookie: Cookie, uid: number): Promise<void> {
  const late = () => new Error(`"${display}" did not respond within ${ADMIT_MS / 1_000} s`);
  // this limit begins before that of the connection, which says less
  const admitted = Promise.resolve().then(() => sendAdmission(display, cookie, uid));
  await inTime(admitted, ADMIT_MS, late);
}

async function sendAdmission(display: string, { value: data }: Cookie, uid: number) {
  using connection = await X11Connection.open(display, { name: COOKIE_PROTOCOL, data });
  const { client, root } = connection;
  const refused = new Promise<never>((_, reject) => client.on("error", reject));
  refused.catch(() => {}); // it can come while something else is awaited
  const atoms = await internAtoms(connection, [MARK, DESKTOPS]);
  client.ChangeProperty(REPLACE, root, atoms[MARK], PREDEFINED.CARDINAL, 32, [Deno.pid]);
  client.ChangeProperty(REPLACE, root, atoms[DESKTOPS], PREDEFINED.CARDINAL, 32, [1]);
  const address = new TextEncoder().encode(`localuser\0#${uid}`);
  client.ChangeHosts(INSERT, FAMILY_SERVER_INTERPRETED, address);
  await Promise.race([connection.confirm(), refused]);
}

/**
 * Encodes one entry of an Xauthority file: the family, then address, display, protocol and cookie,
 * each preceded by its length.
 */
function formatEntry(cookie: string): Uint8Array {
  const encoder = new TextEncoder();
  const fields = ["", "", COOKIE_PROTOCOL, cookie].map((text) => encoder.encode(text));
  const counted = fields.flatMap((field) => [...uint16(field.length), ...field]);
  return new Uint8Array([...uint16(FAMILY_WILD), ...counted]);
}

function uint16(value: number): number[] {
  return [value >> 8, value & 0xff];
}
