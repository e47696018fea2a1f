/** What a reading may take: elements, levels and time. */

import type { ReadTree, TreeReading } from "../../types/mod.ts";

export class Budget {
  readonly #truncated = new Set<ReadTree["truncated"][number]>();
  readonly #end: number;
  readonly #startedAt = performance.now();
  #elements: number;

  constructor(
    private readonly limits: Pick<TreeReading, "maxElements" | "maxDepth" | "timeMs">,
    private readonly isStopped: () => boolean = () => false,
  ) {
    this.#elements = limits.maxElements;
    this.#end = this.#startedAt + limits.timeMs;
  }

  /** What has ended the reading before everything was read. */
  get truncated(): ReadTree["truncated"] {
    return [...this.#truncated];
  }

  get leftMs(): number {
    return this.isStopped() ? 0 : Math.max(0, this.#end - performance.now());
  }

  /** Takes one element; `false` when no more may be read. */
  take(): boolean {
    if (this.leftMs === 0) return this.#refuse("time");
    if (this.#elements === 0) return this.#refuse("elements");
    this.#elements--;
    return true;
  }

  /** Whether children at this level may be read, 1 being those of the top elements. */
  allows(depth: number): boolean {
    return depth <= this.limits.maxDepth || this.#refuse("depth");
  }

  #refuse(why: ReadTree["truncated"][number]): false {
    this.#truncated.add(why);
    return false;
  }
}
