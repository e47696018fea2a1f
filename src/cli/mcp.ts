/**
 * `computer-control mcp`: a bridge between one client on standard input and output and the service
 * that runs, or a service of its own if there is none. It ends when its input does; nothing but the protocol goes to standard
 * output.
 */

import { type Config, ConfigError } from "../config/config.ts";
import { poll } from "../core/deadline.ts";
import { log } from "../core/log.ts";
import { allOperations } from "../features/mod.ts";
import { bridge } from "../mcp/stdio_bridge.ts";
import { serveOnStdio } from "../mcp/server.ts";
import { bypassProxy } from "../platform/environment.ts";
import type { Host } from "../platform/host.ts";
import { openPlatform } from "../platform/mod.ts";
import { describeChoice, findInstances, type RunningInstance } from "./instances.ts";
import { openPrograms } from "./open_programs.ts";
import {
  beginService,
  checkState,
  endAtLatest,
  endingInTime,
  openSession,
  STEP_MS,
  stopWithinMs,
  withTimeout,
} from "./service_parts.ts";
import { watchSignals } from "./signals.ts";

/** Serves the client that has started the program, and returns the exit code. */
export async function serveMcp(
  config: Config,
  { os, ...rest }: Host,
  { unpacked }: { readonly unpacked?: string },
): Promise<number> {
  keepOutputForProtocol();
  const host: Host = { os, ...rest, isTerminal: false }; // its input is no person
  await beginService(host, unpacked);
  const signals = watchSignals(os);
  await checkState(config);
  const platform = await openPlatform(host, config);
  await using _opened = endingInTime(platform);
  const session = await openSession(platform, config);
  const { home, limits } = config;
  await using _programs = openPrograms(config.open, { host, platform, home, cwd: Deno.cwd(), log });
  const services = { platform, config, session, log };
  const operations = await allOperations(limits);
  const transport = await serveOnStdio({ services, operations });
  const why = await Promise.race([
    transport.closed.then(() => ({ reason: "the client has closed the connection" })),
    signals.first.then((signal) => ({ signal })),
  ]);
  log.info("stopping", why);
  await endAtLatest(stopWithinMs(limits), host);
  await withTimeout(transport.close(), STEP_MS);
  await withTimeout(session[Symbol.asyncDispose](), limits.killAfterMs + STEP_MS);
  log.info("stopped");
  return 0;
}

/**
 * The service that runs with a state folder, which a client should share: a second
 * one could not open the keychain, and so would not know what to keep out of its answers. Waits for
 * one that is starting.
 * @throws ConfigError when several run
 */
export async function findRunningService(stateDir: string): Promise<RunningInstance | undefined> {
  let only: RunningInstance | undefined;
  await poll(async () => {
    const { running, refused } = await findInstances(stateDir);
    if (running.length > 1) throw new ConfigError(describeChoice(running, "--url"));
    [only] = running;
    if (only !== undefined) return only.ready;
    for (const reason of refused) log.warn("does not join a service", { reason });
    return true;
  }, { everyMs: POLL_INTERVAL_MS, timeoutMs: START_TIMEOUT_MS });
  if (only !== undefined) log.info("joins the running service", { address: only.address });
  return only;
}

/** A service may take this long to open its display, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 100;

/** Passes messages on to a service of this computer until it ends, and returns the exit code. */
export async function joinMcp(service: RunningInstance, config: Config): Promise<number> {
  const { address, name } = service;
  const url = name === null ? address : `${address}/${encodeURIComponent(name)}`;
  return await bridgeMcp(url, config, () => service.isThere());
}

/**
 * Passes messages on to a service that runs, and returns the exit code.
 * @param isThere whether it still is that service: called before each message
 */
export async function bridgeMcp(
  url: string,
  config: Config,
  isThere?: () => Promise<boolean>,
): Promise<number> {
  keepOutputForProtocol();
  bypassProxy(new URL(url));
  const { token, limits: { maxBodyBytes } } = config;
  const isOver = await bridge(url, { token, isThere, maxMessageBytes: maxBodyBytes });
  if (isOver) return 0;
  log.error("the service has ended", { url });
  return 1;
}

/** What a package prints must not end up between the messages. */
function keepOutputForProtocol(): void {
  for (const name of ["log", "info", "debug"] as const) console[name] = console.error;
}
