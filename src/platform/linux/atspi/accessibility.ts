/**
 * Elements of Linux programs by AT-SPI: every call runs in a thread beside the one that answers
 * requests.
 */

import { unlessAborted, within } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Point, Region } from "../../../core/geometry.ts";
import { WorkerPool } from "../../../core/worker_thread.ts";
import type {
  Accessibility,
  Capability,
  ElementAction,
  ElementId,
  ReadTree,
  TreeReading,
  WindowId,
  Windows,
} from "../../types/mod.ts";
import type { Truncation } from "./budget.ts";
import type { AtspiClient } from "./client.ts";
import type { Toolkits } from "./describe.ts";
import { ElementAssembly, type SentElement } from "./element_id.ts";

interface AtspiOptions {
  /**
   * The address of the accessibility bus of the display.
   * @throws ServiceError `unavailable`: there is none now
   */
  findBus(): Promise<string>;
  /** The origin of the coordinates of its programs. Default: the display. */
  readonly origin?: Origin;
  readonly windows: () => Capability<Windows>;
}

/** Calls that wait for programs at the same time. */
const JOBS = 1_000;
/** A thread is ended after this time without a call; the next one starts another. */
const IDLE_TIMEOUT_MS = 60_000;
/** How long the thread may take to close its connections at its end. */
const CLOSE_MS = 500;

export class AtspiAccessibility implements Accessibility, Disposable {
  /** One thread: it mostly waits. It is started by the first call. */
  readonly #pool = new WorkerPool<AtspiJob, AtspiResults[keyof AtspiResults]>({
    module: new URL("./atspi_worker.ts", import.meta.url),
    name: "accessibility",
    threads: 1,
    jobsEach: JOBS,
    idleMs: IDLE_TIMEOUT_MS,
  });
  /** The count of events when the last call of {@link changed} ended. */
  #seen: number | null = null;

  constructor(private readonly options: AtspiOptions) {}

  async read({ signal, ...reading }: TreeReading): Promise<ReadTree> {
    const assembly = new ElementAssembly();
    const task = { task: "read", reading } as const;
    const rest = await this.#run(task, signal, (slice) => assembly.add(slice));
    return { roots: assembly.roots, ...rest };
  }

  readonly refresh: Accessibility["refresh"] = async (ids, signal) => {
    const sent = await this.#run({ task: "refresh", ids }, signal);
    return sent.map((each) => {
      const assembly = new ElementAssembly();
      if (each) assembly.add([each]);
      return assembly.roots[0];
    });
  };
  readonly perform: Accessibility["perform"] = (id, action, signal) =>
    this.#run({ task: "perform", id, action }, signal);
  readonly elementAt: Accessibility["elementAt"] = (point, near, signal) =>
    this.#run({ task: "at", point, near }, signal);
  readonly contains: Accessibility["contains"] = (outer, inner, signal) =>
    this.#run({ task: "contains", outer, inner }, signal);

  async changed(signal: AbortSignal): Promise<void> {
    const before = this.#seen;
    do {
      this.#seen = await this.#run({ task: "changed", seen: before }, signal);
    } while (this.#seen === before);
  }

  [Symbol.dispose](): void {
    const reason = new ServiceError("unavailable", "The display has been closed");
    if (this.#pool.threads === 0) return this.#pool.end(reason);
    const closing = this.#pool.run({ address: "", origin: "display", task: "close" })
      .catch(() => {}); // it has ended by itself
    void within(closing, CLOSE_MS).then(() => this.#pool.end(reason));
  }

  async #listWindows(signal: AbortSignal): Promise<KnownWindow[] | null> {
    const windows = this.options.windows();
    if (!windows.ready) return null;
    const [list, active] = await Promise.all([
      windows.use.list(signal),
      windows.use.active(signal),
    ]);
    return list.map(({ id, title, pid, bounds, frame }) => {
      return { id, title, pid, bounds, frame, isActive: id === active?.id };
    });
  }

  async #listPopups(signal: AbortSignal): Promise<KnownPopup[] | null> {
    const windows = this.options.windows();
    const popups = windows.ready ? await windows.use.popups?.(signal) : undefined;
    if (popups === undefined) return null;
    return popups.flatMap(({ id, pid, bounds }) => bounds === null ? [] : [{ id, pid, bounds }]);
  }

  async #run<Task extends AtspiTask>(
    task: Task,
    signal: AbortSignal,
    onMessage?: (slice: readonly SentElement[]) => void,
  ): Promise<AtspiResults[Task["task"]]> {
    const address = await unlessAborted(this.options.findBus(), signal);
    const { origin = "display" } = this.options;
    const answer = (question: unknown) =>
      question === "popups" ? this.#listPopups(signal) : this.#listWindows(signal);
    const options = { signal, answer, ...(onMessage && { onMessage }) };
    const running = this.#pool.run({ address, origin, ...task }, options);
    running.catch(() => {}); // it can fail after the wait has ended
    return await unlessAborted(running, signal) as AtspiResults[Task["task"]];
  }
}

// What the thread that talks with the accessibility bus does for the others.

/** A window of the display, as far as it helps to find the elements that belong to it. */
export interface KnownWindow {
  readonly id: WindowId;
  readonly title: string;
  readonly pid: number | null;
  /** Its content, in pixels of the display. */
  readonly bounds: Region | null;
  /** With the frame that the window manager draws, or without the shadow that the program draws. */
  readonly frame: Region | null;
  readonly isActive: boolean;
}

/** A menu, a panel or a hint that shows, and that no list of windows has. */
export interface KnownPopup {
  readonly id: WindowId;
  readonly pid: number | null;
  /** In pixels of the display. */
  readonly bounds: Region;
}

/** What the thread asks of the display; `null` where that is not known. */
export interface AtspiAnswers {
  windows: readonly KnownWindow[] | null;
  popups: readonly KnownPopup[] | null;
}
export type AtspiQuestion = keyof AtspiAnswers;

/** The origin of the coordinates of programs: the corner of the display, or of their window. */
export type Origin = "display" | "window";

export type AtspiJob = { readonly address: string; readonly origin: Origin } & AtspiTask;

type AtspiTask =
  | { readonly task: "read"; readonly reading: Omit<TreeReading, "signal"> }
  | { readonly task: "refresh"; readonly ids: readonly ElementId[] }
  | { readonly task: "perform"; readonly id: ElementId; readonly action: ElementAction }
  | { readonly task: "at"; readonly point: Point; readonly near: ElementId }
  | { readonly task: "contains"; readonly outer: ElementId; readonly inner: ElementId }
  /** Waits a while for the count of events to differ from the one that was seen. */
  | { readonly task: "changed"; readonly seen: number | null }
  /** Closes all connections: the end of the thread alone would leave them open. */
  | { readonly task: "close" };

export interface AtspiResults {
  /** The elements themselves are sent in slices. */
  read: { readonly truncated: readonly Truncation[]; readonly unresponsive: readonly string[] };
  refresh: readonly (SentElement | undefined)[];
  perform: boolean | undefined;
  at: ElementId | null | undefined;
  contains: boolean;
  changed: number;
  close: null;
}

// What every task needs that asks programs.

export interface Asking {
  readonly client: AtspiClient;
  readonly toolkits: Toolkits;
  readonly origin: Origin;
  /** @throws Stopped when nobody waits for the result any more */
  checkStop(): void;
  /** The windows of the display; `null` where they are not known. */
  listWindows(): Promise<AtspiAnswers["windows"]>;
  /** The menus and panels that show and are windows by themselves; `null` where they are not known. */
  listPopups(): Promise<AtspiAnswers["popups"]>;
}
