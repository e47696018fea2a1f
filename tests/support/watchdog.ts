/** Logs what blocked the main thread of a service, and with it every request. */

import process from "node:process";
import { type Log, log as standardLog } from "../../src/core/log.ts";
import { startWorker } from "../../src/core/worker_thread.ts";
import { readPath } from "../../src/http/address.ts";
import type { Answer } from "../../src/http/connections/connections.ts";

/** The longest time that one piece of work should block the main thread, in milliseconds, where `slowness()` is 1. */
export const MAX_STALL_MS = 50;
const TICK_MS = 10;
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 100;

interface WatchdogOptions {
  /** The times of this thread. */
  readonly times?: () => ThreadTimes;
  readonly log?: Pick<Log, "warn">;
}

export interface Watchdog extends Disposable {
  /** Wraps `answer` to record the running requests. */
  watch(answer: Answer): Answer;
}

/**
 * Checks the clock every 10 ms. When a check is late and the thread was not waiting for a
 * processor, some work has blocked it: that is logged, with the requests that ran meanwhile.
 * Another thread also logs a block of more than a second while it lasts.
 */
export function startWatchdog(
  { times = threadTimes, log = standardLog }: WatchdogOptions = {},
): Watchdog {
  const heartbeat = createHeartbeat();
  const requests = new RunningRequests((names) => noteRunning(heartbeat, names));
  const worker = startWorker(new URL("./watchdog_worker.ts", import.meta.url));
  worker.postMessage(heartbeat);
  let before = { at: performance.now(), ...times() };
  const timer = setInterval(() => {
    Atomics.add(heartbeat.cells, HeartbeatCell.beats, 1);
    const now = { at: performance.now(), ...times() };
    const cpuMs = now.cpuMs - before.cpuMs;
    const lateMs = now.at - before.at - TICK_MS;
    const queuedMs = (now.queuedMs ?? 0) - (before.queuedMs ?? 0);
    const keptMs = now.queuedMs === undefined ? Math.min(lateMs, cpuMs) : lateMs - queuedMs;
    before = now;
    const ran = requests.take();
    if (keptMs <= MAX_STALL_MS) return;
    const limitMs = MAX_STALL_MS * slowness();
    if (keptMs > limitMs) {
      const [ms, cpu_ms, limit_ms] = [keptMs, cpuMs, limitMs].map(Math.round);
      log.warn("main thread held up", { ms, cpu_ms, limit_ms, ran });
    }
    before = { at: performance.now(), ...times() }; // excludes the time of this
  }, TICK_MS);
  Deno.unrefTimer(timer);
  return {
    watch: (answer) => (request, caller) => requests.run(request, () => answer(request, caller)),
    [Symbol.dispose]() {
      clearInterval(timer);
      worker.terminate();
    },
  };
}

/** The names of the running requests and of those that ended since the last call of `take`. */
class RunningRequests {
  readonly #running = new Set<{ readonly name: string }>();
  #ended: string[] = [];

  constructor(private readonly note: (names: string) => void) {}

  async run(request: Request, answer: () => Response | Promise<Response>): Promise<Response> {
    const running = { name: nameRequest(request) };
    this.#running.add(running);
    this.note(this.#names([]));
    try {
      return await answer();
    } finally {
      this.#running.delete(running);
      this.#ended.push(running.name);
      this.note(this.#names([]));
    }
  }

  take(): string {
    const names = this.#names(this.#ended);
    this.#ended = [];
    return names;
  }

  #names(ended: readonly string[]): string {
    const names = new Set([...ended, ...[...this.#running].map(({ name }) => name)]);
    return [...names].slice(0, MAX_NAMED).join(", ");
  }
}

/** Omits the query, which may contain private text. */
function nameRequest({ method, url }: Request): string {
  return `${method} ${readPath(url)}`.slice(0, MAX_NAME_LENGTH);
}

// What of it is a fault.

const STALL = / warn main thread held up ms=\d+ cpu_ms=(\d+) limit_ms=(\d+) /;

/**
 * The lines about work that computed for too long. Others are not counted: whoever stops the service
 * by a signal, or makes its disk slow, holds it up too.
 */
export function stallsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const [, cpuMs, limitMs] = STALL.exec(line) ?? [];
    return Number(cpuMs) > Number(limitMs);
  });
}

// How fast this computer is at the moment: a rented one changes its speed by half from one second to the next.

const SAMPLES = 25;
const STEPS = 300_000;
/** Milliseconds that these steps take on the computer on which the limits were set. */
const STEPS_MS = 0.43;
const MAX_SLOWNESS = 3;

/** How many times slower than that computer this one is now, by one of its slower moments; at least 1. */
export function slowness(): number {
  const samples = Array.from({ length: SAMPLES }, timeSteps).sort((one, other) => one - other);
  return Math.min(MAX_SLOWNESS, Math.max(1, samples[20]! / STEPS_MS));
}

/** Used, so that no compiler leaves the steps out. */
let result = 1;

function timeSteps(): number {
  const start = performance.now();
  let last = result;
  for (let step = 0; step < STEPS; step++) last = Math.imul(last, 1_664_525) + 1_013_904_223 | 0;
  result = last;
  return performance.now() - start;
}

// Memory that the main thread shares with its watcher: a beat, and the running requests.

/** Indexes into {@link Heartbeat.cells}. */
export const HeartbeatCell = {
  /** Counts the ticks of the main thread. */
  beats: 0,
  /** Bytes of the text in use. */
  length: 1,
} as const;

const CELLS = 2;
const TEXT_BYTES = 1_024;

export interface Heartbeat {
  readonly cells: Int32Array;
  /** The names of the running requests, in UTF-8. */
  readonly text: Uint8Array;
}

export function createHeartbeat(): Heartbeat {
  return {
    cells: new Int32Array(new SharedArrayBuffer(4 * CELLS)),
    text: new Uint8Array(new SharedArrayBuffer(TEXT_BYTES)),
  };
}

/** Stores the running requests; a text that is too long is truncated. */
export function noteRunning({ cells, text }: Heartbeat, names: string): void {
  const { written } = new TextEncoder().encodeInto(names, text);
  Atomics.store(cells, HeartbeatCell.length, written);
}

/** Reads the running requests that were last stored. */
export function readRunning({ cells, text }: Heartbeat): string {
  return new TextDecoder().decode(text.slice(0, Atomics.load(cells, HeartbeatCell.length)));
}

// How long this thread has run and how long it has waited for a processor, to distinguish our own
// work from a busy computer.

export interface ThreadTimes {
  /** Time on a processor, in milliseconds. */
  readonly cpuMs: number;
  /**
   * Time spent runnable but waiting for a processor; missing where the system does not report it.
   */
  readonly queuedMs?: number;
}

/**
 * Linux: the first two numbers of `schedstat`, in nanoseconds
 * (Documentation/scheduler/sched-stats.rst).
 */
const SCHEDSTAT = "/proc/thread-self/schedstat";

/** Reads the times of the calling thread; a call takes about 15 µs. */
export function threadTimes(): ThreadTimes {
  return (Deno.build.os === "linux" ? readSchedstat() : undefined) ?? { cpuMs: cpuOfThread() };
}

/** @returns undefined when the kernel does not keep these numbers. */
function readSchedstat(): ThreadTimes | undefined {
  try {
    const [cpu, queued] = Deno.readTextFileSync(SCHEDSTAT).split(" ").map(Number);
    return { cpuMs: cpu! / 1e6, queuedMs: queued! / 1e6 };
  } catch {
    return undefined;
  }
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
