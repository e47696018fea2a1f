/** Keeps a program of a virtual display running: it is started again when it dies. */

import { pause } from "../../../core/deadline.ts";
import type { Log } from "../../../core/log.ts";

export interface Server {
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it and waits until it is gone. */
  end(): Promise<void>;
}

export interface RestartedServer extends AsyncDisposable {
  readonly running: boolean;
}

interface RestartOptions {
  /** What the log calls it: `virtual display`. */
  readonly name: string;
  /** The name of the display, for the log. */
  readonly display: string;
  /** Starts the same again. */
  readonly start: () => Promise<Server>;
  readonly log: Log;
}

/**
 * The pause before the first restart; it doubles up to `MAX_BACKOFF_MS`, and a long run resets it.
 */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
const LONG_RUN_MS = 5_000;

/** Disposing it ends the server. */
export function keepRunning(
  first: Server,
  { name, display, start, log }: RestartOptions,
): RestartedServer {
  const stopping = new AbortController();
  let current: Server | undefined = first;
  const supervision = supervise();

  async function supervise(): Promise<void> {
    let pauseMs = FIRST_BACKOFF_MS;
    while (true) {
      const startedAt = performance.now();
      await current?.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > LONG_RUN_MS) pauseMs = FIRST_BACKOFF_MS;
      log.warn(`${name} ended`, { display, restartInMs: pauseMs });
      await pause(pauseMs, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS);
      current = await restart();
    }
  }

  async function restart(): Promise<Server | undefined> {
    try {
      const server = await start();
      if (stopping.signal.aborted) {
        await server.end();
        return undefined;
      }
      log.info(`${name} was restarted`, { display });
      return server;
    } catch (error) {
      log.warn(`${name} did not start`, { display, error: (error as Error).message });
      return undefined;
    }
  }

  return {
    get running() {
      return current !== undefined;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await current?.end();
      await supervision;
    },
  };
}
