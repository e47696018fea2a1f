/** `--watchdog`: logs what blocked the main thread, and with it every request. */

import { readPath } from "../http/address.ts";
import { startWorker } from "../core/worker_thread.ts";
import { createHeartbeat, HeartbeatCell, noteRunning } from "./health.ts";
import type { Answer } from "../http/connections/serve_connection.ts";
import { type Log, log as standardLog } from "../core/log.ts";
import type { ThreadTimes } from "../platform/thread_times.ts";

/** The longest time that one piece of work should block the main thread, in milliseconds. */
export const MAX_STALL_MS = 50;
const TICK_MS = 10;
const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 100;

export interface WatchdogOptions {
  /** The times of this thread. */
  readonly times: () => ThreadTimes;
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
export function startWatchdog({ times, log = standardLog }: WatchdogOptions): Watchdog {
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
    log.warn("main thread held up", { ms: Math.round(keptMs), cpu_ms: Math.round(cpuMs), ran });
    before = { at: performance.now(), ...times() }; // excludes the time of logging
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
