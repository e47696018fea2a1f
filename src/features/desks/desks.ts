/** The desks of a service: each has a session of its own, and what is made for it in the platform. */

import { join } from "node:path";
import { pause, within } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { openPrivateFolder } from "../../platform/private_folder.ts";
import type { DeskOptions, DeskPlatform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type Desk, Session } from "../session.ts";

export interface WantedDesk extends Omit<DeskOptions, "folder"> {
  readonly name: string;
}

/** A desk, and what is said of it. */
interface OpenDesk extends Desk {
  readonly platform: DeskPlatform;
  readonly wanted: WantedDesk;
  readonly folder: string;
  readonly created: Date;
  /** The name of the token that made it. */
  readonly by: string;
}

/** How a desk is now. */
export interface DeskState {
  readonly desk: OpenDesk;
  readonly ready: boolean;
  readonly reason: string;
  readonly programs: { readonly count: number; readonly bytes: number };
}

const FOLDER = "desks";
/** How long a display may take to say how it is. */
const READY_MS = 1_000;
/** How long each part of a desk may take to end. */
const END_MS = 5_000;
const WAIT_MS = 10_000;

export class Desks implements AsyncDisposable {
  static readonly ofService = true;
  readonly #open = new Map<string, OpenDesk>();
  /** Names of those that are being made, or ended. */
  readonly #changing = new Set<string>();
  #cleaned: Promise<void> | undefined;
  #hasEnded = false;

  constructor(private readonly session: Session) {}

  /**
   * @throws ServiceError `conflict` for a name that is taken, `unavailable` when there are too many or
   * the display does not start, `unsupported` where there can be none
   */
  async create(context: Context, wanted: WantedDesk): Promise<OpenDesk> {
    const { name } = wanted;
    const { limits, platform: { openDesk } } = this.session;
    if (openDesk === undefined) {
      throw new ServiceError("unsupported", "This system cannot have desks: only Linux can");
    }
    if (this.#open.has(name) || this.#changing.has(name)) {
      throw new ServiceError("conflict", `There is already a desk "${name}"`);
    }
    if (this.#open.size + this.#changing.size >= limits.maxDesks) {
      throw new ServiceError(
        "unavailable",
        `There are already ${limits.maxDesks} desks, the maximum: delete one, or start the service with a higher --max-desks`,
      );
    }
    this.#changing.add(name);
    try {
      const desk = await this.#make(context, wanted);
      if (this.#hasEnded || context.signal.aborted) {
        await this.#end(desk);
        context.signal.throwIfAborted();
        throw new ServiceError("unavailable", "The service is stopping");
      }
      this.#open.set(name, desk);
      this.session.desks.set(name, desk);
      return desk;
    } finally {
      this.#changing.delete(name);
    }
  }

  /**
   * Ends a desk with everything on it, and removes its folder.
   * @throws ServiceError `not_found`
   */
  async delete(name: string): Promise<void> {
    const desk = this.#open.get(name);
    if (desk === undefined) {
      throw new ServiceError("not_found", `There is no desk "${name}": see desk/list`);
    }
    this.#open.delete(name);
    this.session.desks.delete(name);
    this.#changing.add(name);
    try {
      await this.#end(desk);
    } finally {
      this.#changing.delete(name);
    }
  }

  /** @param only this one, where it is given */
  async list(only?: string): Promise<readonly DeskState[]> {
    const all = [...this.#open.values()].filter(({ name }) => only === undefined || name === only);
    return await Promise.all(all.map((desk) => this.stateOf(desk)));
  }

  async stateOf(desk: OpenDesk): Promise<DeskState> {
    const readiness = desk.platform.displays.readiness();
    const [isKnown, programs] = await Promise.all([
      within(readiness, READY_MS),
      desk.platform.programs(),
    ]);
    const reason = "Its display does not respond";
    return { desk, programs, ...(isKnown ? await readiness : { ready: false, reason }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await Promise.all([...this.#open.keys()].map((name) => this.delete(name)));
    for (let waited = 0; this.#changing.size > 0 && waited < WAIT_MS; waited += 20) await pause(20);
  }

  async #make({ config, actor }: Context, wanted: WantedDesk): Promise<OpenDesk> {
    const { session } = this;
    const folder = await this.#makeFolder();
    try {
      const platform = await session.platform.openDesk!({ ...wanted, folder });
      const own = { ...config, home: folder, stateDir: join(folder, ".computer-control") };
      const within = { name: wanted.name, service: session };
      return {
        name: wanted.name,
        platform,
        config: own,
        session: new Session(platform, session.limits, own, within),
        running: new Set(),
        wanted,
        folder,
        created: new Date(),
        by: actor.name,
      };
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  }

  async #makeFolder(): Promise<string> {
    const all = join(this.session.stateDir, FOLDER);
    await openPrivateFolder(all, "folder of desks");
    await (this.#cleaned ??= removeOld(all));
    return await Deno.makeTempDir({ dir: all, prefix: `${Deno.pid}-` }); // mode 0700
  }

  async #end({ name, running, session, platform, folder }: OpenDesk): Promise<void> {
    const reason = new ServiceError("conflict", `The desk "${name}" has been deleted`);
    for (const each of running) each.end(reason);
    for (const part of [session, platform]) {
      const ended = Promise.resolve(part[Symbol.asyncDispose]()).catch((error) =>
        log.warn("a desk did not end as it should", { desk: name, error: String(error) })
      );
      await within(ended, END_MS);
    }
    await removeFolder(folder);
  }
}

/** Folders of services that were killed. */
async function removeOld(all: string): Promise<void> {
  for await (const { name } of Deno.readDir(all)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) await removeFolder(join(all, name));
  }
}

function isRunning(pid: number): boolean {
  if (pid === Deno.pid) return false; // its number is used again, or it would be ours
  try {
    Deno.statSync(`/proc/${pid}`);
    return true;
  } catch {
    return false;
  }
}

/** Programs that are ending may still write into it. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await Deno.remove(folder, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (attempt === 5) log.warn("the folder of a desk is left", { error: String(error) });
      await pause(50 * attempt);
    }
  }
}
