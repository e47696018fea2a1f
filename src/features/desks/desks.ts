/** The desks of a service: each has a session of its own, and what is made for it in the platform. */

import { join } from "node:path";
import { poll, within } from "../../core/deadline.ts";
import { ServiceError, Stopping } from "../../core/errors.ts";
import { log } from "../../core/log.ts";
import { addMember } from "../../core/shared_run.ts";
import type { DeskOptions, DeskPlatform } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import { type Desk, Session } from "../session.ts";
import { type DeskFolder, DeskFolders } from "./desk_folders.ts";
import { deskNamed, isScreenOf } from "../on_desk.ts";

export interface WantedDesk extends Omit<DeskOptions, "folder"> {
  readonly name: string;
}

/** A desk, and what is said of it. */
export interface OpenDesk extends Desk {
  readonly platform: DeskPlatform;
  readonly wanted: WantedDesk;
  readonly folder: DeskFolder;
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
  readonly #folders: DeskFolders;
  #hasEnded = false;

  constructor(private readonly session: Session) {
    this.#folders = new DeskFolders(session);
  }

  /** Removes what services that were killed have left. */
  async clean(): Promise<void> {
    await this.#folders.clean();
  }

  /**
   * @throws ServiceError `conflict` for a name that is taken, `unavailable` when there are too many or
   * the display does not start, `unsupported` where there can be none
   */
  async create(context: Context, wanted: WantedDesk): Promise<OpenDesk> {
    const { signal } = context; // from now on it is seen that the client leaves
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
        `The service has as many desks as it may have (${limits.maxDesks}): delete one, or start it with a higher --max-desks`,
      );
    }
    if (this.#hasEnded) throw new Stopping();
    using _changing = addMember(this.#changing, name);
    const desk = await this.#make(context, wanted);
    if (this.#hasEnded || signal.aborted) {
      await this.#end(desk);
      signal.throwIfAborted();
      throw new Stopping();
    }
    this.#open.set(name, desk);
    this.session.desks.set(name, desk);
    return desk;
  }

  /**
   * Ends the desk of this name with everything on it, and removes its folder.
   * @throws ServiceError `not_found`
   */
  async delete(name: string): Promise<void> {
    deskNamed(this.session, name);
    await this.remove(this.#open.get(name)!);
  }

  /** Ends this desk, unless somebody else has: another one may have its name then. */
  async remove(desk: OpenDesk): Promise<void> {
    const { name } = desk;
    if (this.#open.get(name) !== desk) return;
    this.#open.delete(name);
    this.session.desks.delete(name);
    using _changing = addMember(this.#changing, name);
    await this.#end(desk);
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
    await Promise.all([...this.#open.values()].map((desk) => this.remove(desk)));
    await poll(() => this.#changing.size === 0, { everyMs: 20, timeoutMs: WAIT_MS });
  }

  async #make({ config, actor }: Context, wanted: WantedDesk): Promise<OpenDesk> {
    const { session } = this;
    const folder = await this.#folders.make();
    const { path } = folder;
    try {
      const platform = await session.platform.openDesk!({ ...wanted, folder: path });
      const own = { ...config, home: path, stateDir: join(path, ".computer-control") };
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
      await folder.remove();
      throw error;
    }
  }

  async #end({ name, running, session, platform, folder }: OpenDesk): Promise<void> {
    const reason = new ServiceError("conflict", `The desk "${name}" has been deleted`);
    for (const each of [...running]) each.end(reason);
    for (const part of [session, platform]) {
      const ended = Promise.resolve(part[Symbol.asyncDispose]()).catch((error) =>
        log.warn("a desk did not end as it should", { desk: name, error: String(error) })
      );
      await within(ended, END_MS);
    }
    forgetReadings(this.session, platform);
    await within(folder.remove(), END_MS);
  }
}

/** How the screen of a desk was read is of no interest when that is gone. */
function forgetReadings({ readings }: Session, { virtual: { display } }: DeskPlatform): void {
  for (const name of [...readings.keys()]) {
    if (isScreenOf(name, display)) readings.delete(name);
  }
}
