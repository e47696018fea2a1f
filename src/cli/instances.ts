/**
 * Records which services use a state folder: each keeps a file about itself there, and a lock that
 * ends with the process.
 */

import { join } from "node:path";
import { z } from "zod";
import { isLocked, lstatIfThere, namesIn } from "../core/files.ts";
import { log } from "../core/log.ts";
import { SharedRun } from "../core/shared_run.ts";
import { tryParseJson } from "../core/texts.ts";
import { comparableHost, isLoopback } from "../http/origins.ts";
import { removeProxies } from "../platform/environment.ts";
import { isTakenByOther } from "../platform/linux/sockets/socket_holders.ts";
import { readIdentity } from "../platform/linux/process/process_identity.ts";
import { openPrivateFolder } from "../platform/private_folder.ts";
import type { Choice } from "./command.ts";

const InstanceSchema = z.object({
  pid: z.int().min(1),
  /** Distinguishes the process from a later one with the same pid; `null` if not reported. */
  startedAt: z.string().nullable(),
  /** Start of the service, in ISO 8601. */
  since: z.string(),
  /** `http://127.0.0.1:4242` */
  address: z.string(),
  port: z.int().min(1).max(65_535),
  name: z.string().nullable(),
  version: z.string(),
  /** The name of display 1 (`:99`), once it is known. */
  display: z.string().nullable(),
  ready: z.boolean(),
  /** The longest time that stopping takes by its own limits, in milliseconds. */
  stopWithinMs: z.number().min(0),
});

export type Instance = z.output<typeof InstanceSchema>;

/** The record of a running service. */
export interface RunningInstance extends Instance {
  /** Whether the service still holds its lock. */
  isRunning(): Promise<boolean>;
  /**
   * Whether what is sent to its address reaches it, as far as the system tells: a port whose service
   * has ended can be bound by anybody.
   */
  isThere(): Promise<boolean>;
  /** Asks the service to stop on systems without signals: the service polls for this file. */
  readonly stopFile: string;
}

interface Instances {
  readonly running: readonly RunningInstance[];
  /** Records that are not trusted, with the reason. */
  readonly refused: readonly string[];
}

interface InstanceRecord extends AsyncDisposable {
  readonly stopFile: string;
  update(changes: Partial<Instance>): Promise<void>;
}

const FOLDER = "instances";
/** Extensions of the files of one service; `new` is a record that is being written. */
const ENDINGS = ["json", "new", "stop", "lock"];
/** Time that a service may take between its lock and its record. */
const NEW_MS = 10_000;
const MAX_RECORD_BYTES = 65_536;
const PRIVATE = 0o600;

/** Records a service until it is disposed of; a service that cannot be recorded runs anyway. */
export async function recordInstance(
  stateDir: string,
  instance: Omit<Instance, "pid" | "startedAt">,
): Promise<InstanceRecord> {
  const folder = join(stateDir, FOLDER);
  const { pid, startedAt = null } = readIdentity(Deno.pid) ?? { pid: Deno.pid };
  const path = (ending: string) => join(folder, `${id}.${ending}`);
  const id = `${pid}-${crypto.randomUUID().slice(0, 8)}`;
  let now: Instance = { pid, startedAt, ...instance };
  let lock: Deno.FsFile | undefined;
  let ended = false;
  const writing = new SharedRun(write);
  try {
    await openPrivateFolder(folder, "folder of running services");
    lock = await Deno.open(path("lock"), { write: true, createNew: true, mode: PRIVATE });
    await lock.tryLock(true); // no other process knows the name
    await writing.run();
  } catch (error) {
    log.warn(
      "the instance record cannot be written: stop and status will not find this service",
      { error: (error as Error).message },
    );
  }

  /** Writes atomically, but without a sync: after a system crash no service runs. */
  async function write(): Promise<void> {
    await Deno.writeTextFile(path("new"), JSON.stringify(now), { mode: PRIVATE });
    await Deno.rename(path("new"), path("json"));
  }

  return {
    stopFile: path("stop"),
    async update(changes) {
      now = { ...now, ...changes };
      if (lock !== undefined && !ended) await writing.run().catch(() => {}); // the first was logged
    },
    async [Symbol.asyncDispose]() {
      ended = true;
      if (lock === undefined) return;
      await writing.idle();
      lock.close();
      for (const ending of ENDINGS) await Deno.remove(path(ending)).catch(() => {});
    },
  };
}

/**
 * Finds the services that run with a state folder, and removes the files of those that have ended.
 */
export async function findInstances(stateDir: string): Promise<Instances> {
  const folder = join(stateDir, FOLDER);
  const running: RunningInstance[] = [];
  const refused: string[] = [];
  for (const id of await idsBelow(folder)) {
    const path = (ending: string) => join(folder, `${id}.${ending}`);
    try {
      const instance = await read(path("json"));
      // its record is being written
      if (instance === undefined && await isNew(path("lock"))) continue;
      if (instance === undefined || !await isLocked(path("lock"))) {
        for (const ending of ENDINGS) await Deno.remove(path(ending)).catch(() => {});
        continue;
      }
      if (!isSeen(instance)) { // as of a service in a container
        const { pid } = instance;
        throw new Error(
          `its process ${pid} is not visible from here: stop it where it was started`,
        );
      }
      const isRunning = () => isLocked(path("lock"));
      const isThere = async () =>
        isSeen(instance) && await isRunning() && !isAddressTaken(instance);
      running.push({ ...instance, isRunning, isThere, stopFile: path("stop") });
    } catch (error) {
      refused.push(`${JSON.stringify(path("json"))}: ${(error as Error).message}`);
    }
  }
  return { running: running.sort((a, b) => a.port - b.port), refused };
}

async function idsBelow(folder: string): Promise<string[]> {
  const ids = new Set<string>();
  for (const name of await namesIn(folder)) {
    const [, id, ending] = /^(\d+-[\w-]+)\.(\w+)$/.exec(name) ?? [];
    if (id !== undefined && ENDINGS.includes(ending!)) ids.add(id);
  }
  return [...ids].sort();
}

async function isNew(lock: string): Promise<boolean> {
  const { mtime } = await Deno.stat(lock).catch(() => ({ mtime: null }));
  return mtime !== null && Date.now() - mtime.getTime() < NEW_MS;
}

/** @throws Error when the record was not written by our own user. */
async function read(path: string): Promise<Instance | undefined> {
  const info = await lstatIfThere(path);
  if (info === undefined) return undefined; // it has just ended
  const { isFile, size, uid } = info;
  if (!isFile || size > MAX_RECORD_BYTES) throw new Error("it is not a record of a service");
  if (uid !== Deno.uid()) throw new Error(`it belongs to user ${uid}: run this as that user`);
  const parsed = InstanceSchema.safeParse(tryParseJson(await Deno.readTextFile(path)));
  if (!parsed.success) throw new Error("it is not a record of a service");
  checkAddress(parsed.data);
  return parsed.data;
}

/** Where the system reports start times, a record has one. */
function isSeen({ pid, startedAt }: Instance): boolean {
  if (startedAt === null) return readIdentity(Deno.pid) === undefined;
  return readIdentity(pid)?.startedAt === startedAt;
}

/** @throws Error when it is not `http://HOST:PORT` with an address of this computer. */
function checkAddress({ address, port }: Instance): void {
  const host = hostOf(address);
  if (host !== undefined && address === `http://${host}:${port}` && isOfThisComputer(host)) return;
  const quoted = JSON.stringify(address.slice(0, 100));
  throw new Error(`its address ${quoted} is not that of port ${port} of this computer`);
}

function hostOf(address: string): string | undefined {
  return /^http:\/\/(\[[\da-f:.]+\]|[a-z\d._-]+):\d+$/i.exec(address)?.[1];
}

function isOfThisComputer(host: string): boolean {
  if (isLoopback(host) || host.toLowerCase() === Deno.hostname().toLowerCase()) return true;
  const name = comparableHost(host);
  return Deno.networkInterfaces().some(({ address }) => comparableHost(address) === name);
}

function isAddressTaken({ address, port, pid, startedAt }: Instance): boolean {
  if (startedAt === null) return false; // no system that tells
  const hostname = hostOf(address)!.replace(/^\[(.*)\]$/, "$1");
  if (!/^[\d.]+$|:/.test(hostname)) return false;
  return isTakenByOther({ hostname, port }, pid);
}

// Chooses the running services that a command applies to.

export function chooseInstances(
  running: readonly RunningInstance[],
  { port, name }: Choice,
): readonly RunningInstance[] {
  return running.filter((each) =>
    (port === undefined || each.port === port) && (name === undefined || each.name === name)
  );
}

/** `No service runs on port 5000 (state folder "/home/me/.local/state/computer-control")` */
export function describeNone(
  { port, name }: Choice,
  stateDir: string,
): string {
  const which = [
    ...(port === undefined ? [] : [` on port ${port}`]),
    ...(name === undefined ? [] : [` with the name ${JSON.stringify(name)}`]),
  ].join("");
  return `No service is running${which} (state folder ${JSON.stringify(stateDir)})`;
}

/** `http://127.0.0.1:4242  process 123, since 2026-01-31T12:00:00.000Z, display :99, 0.1.0` */
export function describeInstance(instance: RunningInstance): string {
  const { address, name, pid, since, display, version } = instance;
  const base = name === null ? address : `${address}/${name}`;
  const details = [`process ${pid}`, `since ${since}`, `display ${display ?? "none"}`, version];
  return `${base}  ${details.join(", ")}`;
}

/** Says that one of several services must be chosen, and by what. */
export function describeChoice(instances: readonly RunningInstance[], by: string): string {
  const lines = instances.map((each) => `  ${describeInstance(each)}`);
  return [`Several services are running: choose one with ${by}:`, ...lines].join("\n");
}

// Checks whether a service on this computer is alive, bypassing any proxy of the environment.

const ANSWER_TIMEOUT_MS = 3_000;

/** Whether `/healthz` answers 200 in time. */
export async function isHealthy(address: string): Promise<boolean> {
  removeProxies();
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const { status, body } = await fetch(`${address}/healthz`, { redirect: "manual", signal });
    await body?.cancel();
    return status === 200;
  } catch {
    return false; // nothing listens there, or it was too slow
  }
}
