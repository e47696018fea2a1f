/**
 * Records the virtual displays of all instances that share a state folder, one file each, so that
 * no two instances take the same number and the servers that a killed instance left running are
 * ended.
 */

import { pause } from "../../../core/deadline.ts";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Log } from "../../../core/log.ts";
import { replacePrivate } from "../../keychain/private_file.ts";
import { openPrivateFolder } from "../../private_folder.ts";
import { isAlive, type ProcessIdentity } from "../process_identity.ts";

const IdentitySchema = z.object({ pid: z.int().min(2), startedAt: z.string() });

const RecordSchema = z.object({
  /** `:99` */
  display: z.string().regex(/^:\d{1,5}$/),
  /** Lets a program of another user connect: `xauth add :99 . <cookie>`. */
  cookie: z.string(),
  service: IdentitySchema,
  server: IdentitySchema,
});

export type DisplayRecord = z.output<typeof RecordSchema>;

const MAX_RECORD_BYTES = 4_096;
/** How long to wait for the lock while another instance starts its display. */
const LOCK_MS = 30_000;
const LOOK_MS = 20;
/** How long an orphaned server has to end before it is killed. */
const END_MS = 2_000;

export class DisplayRecords {
  readonly #folder: string;

  constructor(stateDir: string, private readonly log: Log) {
    this.#folder = join(stateDir, "displays");
  }

  /**
   * Runs `choose` while no other instance of this state folder does, and passes it the displays of
   * living instances. Servers that ended instances left running are ended first.
   */
  async choosing<T>(choose: (taken: ReadonlySet<string>) => Promise<T>): Promise<T> {
    using _lock = await this.#lock();
    return await choose(await this.#clean());
  }

  async write(record: DisplayRecord): Promise<void> {
    try {
      const text = new TextEncoder().encode(JSON.stringify(record));
      await replacePrivate(this.#recordPath(record.display), text);
    } catch (error) {
      this.log.warn("cannot record the virtual display", { error: (error as Error).message });
    }
  }

  async remove(display: string): Promise<void> {
    await Deno.remove(this.#recordPath(display)).catch(() => {}); // the record was never written
  }

  #recordPath(display: string): string {
    return join(this.#folder, `${display.slice(1)}.json`);
  }

  /**
   * The lock only avoids failed attempts: the X server itself refuses a taken number, and only our
   * own records are cleaned.
   */
  async #lock(): Promise<Disposable> {
    const path = join(this.#folder, "lock");
    try {
      await openPrivateFolder(dirname(path), "folder of virtual displays");
      // reading, too: whoever only writes waits for the reader of a FIFO
      const options = { read: true, write: true, create: true, mode: 0o600 };
      const file = await Deno.open(path, options);
      const deadline = performance.now() + LOCK_MS;
      while (!await file.tryLock(true)) {
        if (performance.now() > deadline) {
          this.log.warn("another instance takes long to start its display", { lock: path });
          break;
        }
        await pause(LOOK_MS);
      }
      return file;
    } catch (error) {
      this.log.warn("virtual displays are not recorded", { error: (error as Error).message });
      return { [Symbol.dispose]() {} };
    }
  }

  async #clean(): Promise<ReadonlySet<string>> {
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
    signal(server, "SIGTERM");
    const deadline = performance.now() + END_MS;
    while (isAlive(server) && performance.now() < deadline) {
      await pause(LOOK_MS);
    }
    if (isAlive(server)) signal(server, "SIGKILL");
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

function signal({ pid }: ProcessIdentity, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch {
    // it has already ended
  }
}
