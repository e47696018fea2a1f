/** All trajectories of the service: those that are recorded, and the last ones that have ended. */

import { ServiceError } from "../../../core/errors.ts";
import { type Context, innerContext } from "../../context.ts";
import { screenKey } from "../../recording/masks.ts";
import type { StartInput } from "./step.ts";
import { Trajectory } from "./trajectory.ts";

/** At a time, and of those that have ended: they are in memory. */
const MAX_RUNNING = 4;
const MAX_ENDED = 4;

export class Trajectories implements AsyncDisposable {
  /** The newest last. */
  readonly #all = new Map<string, Trajectory>();
  readonly #ending = new AbortController();

  /** @throws ServiceError `unavailable`: there is no such display, or too many are recorded */
  async start(context: Context, input: StartInput): Promise<Trajectory> {
    const { displays } = context.platform;
    const display = await displays.open(input.display_num);
    const first = await Promise.resolve(displays.open(1)).catch(() => undefined);
    const isFirst = first !== undefined && screenKey(first) === screenKey(display);
    const numbers = new Set([input.display_num, ...isFirst ? [1] : []]);
    const running = [...this.#all.values()].filter(({ info }) => info.ended_by === null).length;
    if (running >= MAX_RUNNING) {
      const text = `${MAX_RUNNING} trajectories are already recorded, the maximum: stop one first`;
      throw new ServiceError("unavailable", text);
    }
    const { signal } = this.#ending;
    const own = innerContext(context, { actor: context.actor, signal });
    const id = crypto.randomUUID();
    const trajectory = new Trajectory(own, { ...input, id, numbers }, display);
    this.#all.set(id, trajectory);
    this.#dropOldest();
    return trajectory;
  }

  /**
   * @param id by default that of the newest
   * @throws ServiceError `not_found`
   */
  find(id: string | undefined): Trajectory {
    const found = id === undefined ? [...this.#all.values()].at(-1) : this.#all.get(id);
    if (found !== undefined) return found;
    const which = id === undefined ? "Nothing has been recorded" : `There is no trajectory "${id}"`;
    throw new ServiceError("not_found", `${which}: the last ${MAX_ENDED} are kept in memory`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new ServiceError("unavailable", "The service is stopping"));
    await Promise.all([...this.#all.values()].map((each) => each.end("service_ended")));
    this.#all.clear();
  }

  #dropOldest(): void {
    const ended = [...this.#all.values()].filter(({ info }) => info.ended_by !== null);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      this.#all.delete(id);
    }
  }
}
