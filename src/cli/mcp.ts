/**
 * `computer-control mcp`: a service of its own for one client on standard input and output, or a
 * bridge to one that runs. It ends when its input does; nothing but the protocol goes to standard
 * output.
 */

import type { Config } from "../config/config.ts";
import { log } from "../core/log.ts";
import { allOperations } from "../features/mod.ts";
import { bridge } from "../mcp/stdio_bridge.ts";
import { serveOnStdio } from "../mcp/stdio_door.ts";
import { changeEnvironment } from "../platform/environment.ts";
import type { Host } from "../platform/host.ts";
import { openPlatform, protectMemory } from "../platform/mod.ts";
import { openPrograms } from "./open_programs.ts";
import {
  checkState,
  endingInTime,
  keepRunningAfterErrors,
  openSession,
  STEP_MS,
  withTimeout,
} from "./service_parts.ts";
import { isHangUpIgnored, watchSignals } from "./signals.ts";
import { holdUnpacked } from "./unpacked.ts";

/** Serves the client that has started the program, and returns the exit code. */
export async function serveMcp(
  config: Config,
  { os, ...rest }: Host,
  { unpacked }: { readonly unpacked?: string },
): Promise<number> {
  keepOutputForProtocol();
  const host: Host = { os, ...rest, isTerminal: false }; // its input is no person
  await protectMemory(host);
  if (unpacked !== undefined) {
    holdUnpacked(unpacked)
      .catch((error) => log.warn("cannot remove old versions", { error: String(error) }));
  }
  const signals = watchSignals(os, { hangUpIgnored: isHangUpIgnored() });
  keepRunningAfterErrors();
  await checkState(config);
  const platform = await openPlatform(host, config);
  await using _opened = endingInTime(platform);
  const session = await openSession(platform, config);
  const { home, limits } = config;
  await using _programs = openPrograms(config.open, { host, platform, home, cwd: Deno.cwd(), log });
  const services = { platform, config, session, log };
  const door = await serveOnStdio({ services, operations: allOperations(limits) });
  const why = await Promise.race([
    door.closed.then(() => ({ reason: "the client has closed its side" })),
    signals.first.then((signal) => ({ signal })),
  ]);
  log.info("stopping", why);
  await withTimeout(door.close(), STEP_MS);
  await withTimeout(session[Symbol.asyncDispose](), limits.killAfterMs + STEP_MS);
  log.info("stopped");
  return 0;
}

/** Passes messages on to a service that runs, and returns the exit code. */
export async function bridgeMcp(url: string, config: Config): Promise<number> {
  keepOutputForProtocol();
  const { hostname } = new URL(url);
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) changeEnvironment(WITHOUT_PROXY);
  const { token, limits: { maxBodyBytes } } = config;
  await bridge(url, { ...(token === undefined ? {} : { token }), maxMessageBytes: maxBodyBytes });
  return 0;
}

/** A proxy of the environment does not reach this computer. */
const WITHOUT_PROXY = new Map(
  ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map((name) => [name, undefined]),
);

/** What a package prints must not end up between the messages. */
function keepOutputForProtocol(): void {
  for (const name of ["log", "info", "debug"] as const) console[name] = console.error;
}
