/**
 * Runs the service: listens, opens the platform, and shuts everything down in order on a signal.
 */

import type { Config } from "../config/config.ts";
import type { CompatName } from "../config/flag_values.ts";
import { poll } from "../core/deadline.ts";
import { importModules, Stopping } from "../core/errors.ts";
import { isThere } from "../core/files.ts";
import { configureLog, flushLog, log, startTracing } from "../core/log.ts";
import { once } from "../core/shared_run.ts";
import { Control } from "../features/control/control.ts";
import { Figures } from "../features/figures.ts";
import { type App, createApp, createWaitingApp } from "../http/app.ts";
import type { Answer } from "../http/connections/connections.ts";
import { connectionLimits, type RunningServer, startServer } from "../http/connections/server.ts";
import type { ConsoleModules } from "../http/console_route.ts";
import type { OpenMcp } from "../http/mcp_route.ts";
import { findAncestors } from "../platform/ancestors.ts";
import { descriptorLimit, openSocketCalls } from "../platform/files.ts";
import type { Host } from "../platform/host.ts";
import { collectOrphans, openPlatform } from "../platform/mod.ts";
import type { BackendChoice, Platform, System } from "../platform/types/mod.ts";
import { CommandError, writeLine } from "./command.ts";
import { recordInstance } from "./instances.ts";
import { findLaunchers, watchLaunchers } from "./launch.ts";
import { demoIsVisible, openPrograms, showConsole, withDemo } from "./open_programs.ts";
import {
  beginService,
  checkApproved,
  checkState,
  endAtLatest,
  endingInTime,
  openHelpWebhook,
  openSession,
  openTokens,
  STEP_MS,
  stopWithinMs,
  withTimeout,
} from "./service_parts.ts";
import type { StopSignals } from "./signals.ts";

const STOP_POLL_INTERVAL_MS = 500;
const DRAIN_POLL_INTERVAL_MS = 20;

export interface ServeOptions {
  /** Whether `deno task` has started the service, which then ends with the task. */
  readonly byTask?: boolean | undefined;
  readonly unpacked?: string;
  /** Watched since before the modules of the service were loaded. */
  readonly signals: StopSignals;
  readonly watch?: Watch | undefined;
}

/** Wraps what answers requests; by it a test observes the service. */
type Watch = (answer: Answer) => Answer;

/**
 * Serves until a signal arrives, and returns the exit code; a second signal ends the program.
 * @throws CommandError when the address cannot be listened on, or the state folder is not this
 * user's alone
 */
export async function serve(
  config: Config,
  host: Host,
  { byTask = false, unpacked, signals, watch = (answer) => answer }: ServeOptions,
): Promise<number> {
  await beginService(host, unpacked);
  configureLog({ level: config.logLevel, format: config.logFormat });
  startTracing([...config.trace]);
  await checkState(config);
  const tokens = await openTokens(config);
  await checkApproved(config, tokens);
  const ended = new AbortController();
  const launchers = byTask ? findLaunchers(await findAncestors(host)) : [];
  const abandoned = watchLaunchers(launchers, ended.signal);
  const isFirst = Deno.pid === 1 || launchers.some(({ pid }) => pid === 1);
  using _collected = isFirst ? await collectOrphans(host) : undefined;
  if (signals.hasCome) return 0;
  const endInTime = () => endAtLatest(stopWithinMs(config.limits), host);
  signals.first.then(endInTime); // a display may never open
  let releaseAtOnce = () => Promise.resolve();
  signals.second.then(async () => {
    await releaseAtOnce();
    await flushLog();
    Deno.exit(130);
  });
  const first = createWaitingApp(config, { tokens }).fetch;
  const server = listen(config, { os: host.os, first });
  await using record = await recordInstance(config.stateDir, aboutService(config, server.port));
  const platform = await openPlatform(host, config);
  await using _opened = endingInTime(platform);
  if (signals.hasCome) return 0;
  const session = await openSession(platform, config);
  const released = (ms: number) => withTimeout(session[Symbol.asyncDispose](), ms);
  releaseAtOnce = () => released(STEP_MS);
  const openMcp: OpenMcp = async (source) =>
    (await import("../mcp/server.ts")).openMcp(source, ended.signal);
  const consoleModules: ConsoleModules = {
    open: async (source) =>
      (await import("../console/console.ts")).openConsole(source, ended.signal),
    readFile: async (name) => (await import("../console/files.ts")).readPageFile(name),
  };
  const app = createApp({ platform, config, session, openMcp, consoleModules, tokens });
  session.use(Figures).now.set("connections", () => server.connections);
  server.answerWith(watch(app.fetch));
  const { address } = formatAddress(config.host, server.port);
  const compat = listenForCompat(config, {
    answerBy: (...parts) => watch(app.answerBy(...parts)),
    address,
    system: platform.system,
    os: host.os,
  });
  await openHelpWebhook(config, session, {
    ports: [server.port, ...compat.map((each) => each.server.port)],
    console: `${address}/console`,
  });
  await record.update({ ready: true });
  const { home } = config;
  const open = byTask ? withDemo(config, host, platform) : config.open;
  const opening = { host, platform, home, cwd: Deno.cwd(), log };
  await using _programs = openPrograms(open, opening);
  findDisplayName(platform).then((display) => record.update({ display }));
  const banner = formatBanner({ ...config, open }, server.port, {
    compat,
    backends: platform.backends(),
    isTerminal: Deno.stdout.isTerminal(),
  });
  demoIsVisible(open, platform, ended.signal).then(() => writeLine(banner));
  const page = `${address}${config.name === undefined ? "" : `/${config.name}`}/console`;
  await using _console = config.openConsole ? showConsole(page, opening) : undefined;

  const why = await Promise.race([
    signals.first.then((signal) => ({ signal })),
    abandoned.then((reason) => ({ reason })),
    ...(host.os === "windows" ? [fileAt(record.stopFile, ended.signal)] : []),
  ]);
  ended.abort();
  session.stopping.abort();
  log.info("stopping", why);
  await endInTime();
  const { shutdownGraceMs, killAfterMs } = config.limits;
  const servers = [server, ...compat.map((each) => each.server)];
  const { message: reason } = new Stopping();
  const last = createWaitingApp(config, { tokens, why: reason });
  for (const each of servers) each.answerWith(last.fetch);
  const running = session.use(Control).beginStop();
  await poll(() => !servers.some(({ busy }) => busy), {
    everyMs: DRAIN_POLL_INTERVAL_MS,
    timeoutMs: shutdownGraceMs,
  });
  running.end();
  const finished = Promise.all(servers.map((each) => each.shutdown())); // accepts nothing any more
  await released(killAfterMs + STEP_MS); // ends what still runs, so that it is answered
  await withTimeout(finished, STEP_MS);
  log.info("stopped");
  return 0;
}

/** The record for `stop` and `status`, before the display is open. */
function aboutService({ host, name, version, limits }: Config, port: number) {
  return {
    address: formatAddress(host, port).address,
    port,
    name: name ?? null,
    version,
    since: new Date().toISOString(),
    display: null,
    ready: false,
    stopWithinMs: stopWithinMs(limits),
  };
}

async function findDisplayName({ displays }: Platform): Promise<string | null> {
  const all = await displays.list().catch(() => []);
  return all.find(({ primary }) => primary)?.name ?? null;
}

/** Waits for the file by which `stop` ends a service on systems without signals. */
async function fileAt(path: string, signal: AbortSignal): Promise<{ reason: string }> {
  const isWritten = () => isThere(path).catch(() => false);
  await poll(isWritten, { everyMs: STOP_POLL_INTERVAL_MS, timeoutMs: Infinity, signal });
  return { reason: "stop" };
}

/**
 * Listens, with as many connections as the descriptor limit permits; all ports share it.
 * @param flag chooses the port
 */
function listen(
  { host, port, limits, compat }: Config,
  { os, first, flag = "--port" }: { os: string; first: Answer; flag?: string },
): RunningServer {
  const servers = 1 + compat.size;
  try {
    const options = {
      hostname: host,
      port,
      limits: connectionLimits(limits, descriptorLimit(os), servers),
      calls: openSocketCalls(os),
    };
    return startServer(options, first);
  } catch (error) {
    throw new CommandError(listenFailure(`${host}:${port}`, flag, error), { cause: error });
  }
}

function listenFailure(address: string, flag: string, error: unknown): string {
  const start = `Cannot listen on ${address}:`;
  if (error instanceof Deno.errors.AddrInUse) {
    return `${start} the port is in use: choose another with ${flag}, or 0 for any free one`;
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return `${start} it is not an address of this computer`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `${start} this user lacks the permission for the port: choose one above 1023`;
  }
  return `${start} ${(error as Error).message}`;
}

// The text that the service prints when it is ready: its address and its backends.

export function formatBanner(
  config: Config,
  port: number,
  { compat = [], backends, isTerminal }: {
    readonly compat?: readonly CompatPort[];
    readonly backends: readonly BackendChoice[];
    /** Whether only the person who starts the service reads it: a log never gets the token. */
    readonly isTerminal: boolean;
  },
): string {
  const { address, note } = formatAddress(config.host, port);
  const base = config.name === undefined ? address : `${address}/${config.name}`;
  const token = config.token === undefined ? "" : " (with the token)";
  const found = backends.map(({ job, chosen, reason }) =>
    `${job}: ${chosen ?? "none"} (${reason})`
  );
  return [
    `Computer Control Service ${config.version}`,
    `Address  ${base}${note}`,
    `Docs     ${base}/docs`,
    `Screen   ${base}/api/display/screenshot${token}`,
    `Console  ${base}/console`,
    ...(config.token !== undefined && isTerminal
      ? [`Sign in  ${base}/console#token=${encodeURIComponent(config.token)}`]
      : []),
    ...compat.map(({ name, server }) =>
      `Compat   ${name} ${formatAddress(config.host, server.port).address}`
    ),
    ...config.open.map(({ text }) => `Open     ${text}`),
    `Found    ${found.join("; ")}`,
  ].join("\n");
}

/** Replaces a wildcard, which cannot be opened, with an address that can. */
export function formatAddress(host: string, port: number): { address: string; note: string } {
  if (host === "0.0.0.0" || host === "::") {
    const address = `http://${host === "::" ? "[::1]" : "127.0.0.1"}:${port}`;
    return { address, note: " (and all other addresses of this computer)" };
  }
  return { address: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, note: "" };
}

// The ports of `--compat`: each offers the interface of another project, whose modules are loaded by
// the first request to its port.

interface CompatPort {
  readonly name: CompatName;
  readonly server: Pick<RunningServer, "port" | "busy" | "answerWith" | "shutdown">;
}

interface CompatParts {
  /** Answers by other routes, behind the checks of every request. */
  readonly answerBy: (...parts: Parameters<App["answerBy"]>) => Answer;
  /** Where the service itself listens: `http://127.0.0.1:4242`. */
  readonly address: string;
  readonly system: System;
  readonly os: string;
}

function listenForCompat(
  config: Config,
  { answerBy, address, system, os }: CompatParts,
): readonly CompatPort[] {
  const { compat, stateDir, version, limits } = config;
  const load = once(() => importModules(() => import("../compat/open_compat.ts")));
  const maxCommandSeconds = limits.maxCommandTimeoutMs / 1_000;
  const service = { address, stateDir, system, version, maxCommandSeconds };
  return Array.from(compat, ([name, port]) => {
    const open = once(async () => (await load()).openCompat(name, service));
    const answer = answerBy(
      async (request, client) => (await open()).answer(request, client),
      async (request, refusal) => (await open()).fail(request, refusal),
    );
    const flag = `--compat ${name}:<port>`;
    return { name, server: listen({ ...config, port }, { os, first: answer, flag }) };
  });
}
