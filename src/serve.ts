/** Runs the service: opens the platform, listens, and on a signal ends everything in order. */

import { createApp } from "./app.ts";
import { bannerOf } from "./banner.ts";
import type { Config } from "./config.ts";
import { Session } from "./features/session.ts";
import { log } from "./log.ts";
import type { Host } from "./platform/host.ts";
import { openPlatform } from "./platform/mod.ts";
import { watchSignals } from "./signals.ts";

/** The service cannot start: one line for the terminal, exit code 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** How long releasing may take when there is no time left. */
const RELEASE_MS = 1_000;

/**
 * Serves until SIGTERM or SIGINT and returns the exit code; a second signal ends the program.
 * @throws StartError when the address cannot be listened on.
 */
export async function serve(config: Config, host: Host): Promise<number> {
  keepRunningAfterErrors();
  await using platform = await openPlatform(host, config);
  const session = new Session(platform, config.limits);
  const app = createApp({ platform, config, session });
  using signals = watchSignals(host.os);
  const server = listen(config, app.fetch);
  console.log(bannerOf(config, server.port, platform.backends()));

  const signal = await signals.first;
  log.info("stopping", { signal });
  const released = () => withTimeout(session[Symbol.asyncDispose](), RELEASE_MS);
  signals.second.then(async () => {
    await released();
    Deno.exit(130);
  });
  await server.end(config.limits.shutdownGraceMs, released);
  log.info("stopped");
  return 0;
}

interface Listener {
  readonly port: number;
  /** Stops accepting, lets what runs finish for `graceMs`, runs `release`, then cuts what is left. */
  end(graceMs: number, release: () => Promise<void>): Promise<void>;
}

type Fetch = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;

function listen({ host, port }: Config, fetch: Fetch): Listener {
  const cut = new AbortController();
  const options = { hostname: host, port, signal: cut.signal, onListen: () => {} };
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = Deno.serve(options, fetch);
  } catch (error) {
    throw new StartError(listenFailure(`${host}:${port}`, error), { cause: error });
  }
  return {
    port: server.addr.port,
    async end(graceMs, release) {
      let finished = false;
      await withTimeout(server.shutdown().then(() => finished = true), graceMs);
      await release();
      if (finished) return; // there is nothing left to cut, and Deno throws when asked to
      cut.abort();
      await withTimeout(server.finished, RELEASE_MS);
    },
  };
}

function listenFailure(address: string, error: unknown): string {
  const start = `Cannot listen on ${address}:`;
  if (error instanceof Deno.errors.AddrInUse) {
    return `${start} the port is taken: choose another with --port, or 0 for any free one`;
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return `${start} it is no address of this computer`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `${start} this user may not use the port: choose one above 1023`;
  }
  return `${start} ${(error as Error).message}`;
}

/** Resolves when the work is done or the time is over; an error of the work is logged. */
async function withTimeout(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => timer = setTimeout(resolve, timeoutMs));
  const logged = work.catch((error) => log.error("stopping failed", { error: String(error) }));
  await Promise.race([logged, timeout]);
  clearTimeout(timer);
}

/** One request that goes wrong behind our back must not end the others, nor leave keys down. */
function keepRunningAfterErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log.error("unhandled rejection", { error: event.reason?.stack ?? String(event.reason) });
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    log.error("unhandled error", { error: event.error?.stack ?? event.message });
  });
}
