/** The service on real displays, inside the test: in-process by default, behind a real socket where that matters. */

import { expect } from "expect";
import { type App, createApp } from "../../src/http/app.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { Session } from "../../src/features/session.ts";
import type { Limits } from "../../src/config/limits.ts";
import { thisHost } from "../../src/platform/host.ts";
import { openPlatform } from "../../src/platform/mod.ts";
import type { Platform } from "../../src/platform/types/mod.ts";
import { consoleModules, serveConsole } from "./console.ts";
import { openMcp } from "./mcp.ts";
import { createStrictLog } from "./strict_log.ts";

const ADDRESS = "http://127.0.0.1:4242";

export interface ServiceOptions {
  /** X display names, the first for number 1: `[":7"]`; none on Windows, whose monitors have numbers. */
  readonly displays: readonly string[];
  /** The environment variables of its session, instead of those of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  /** As `--backend` names it. */
  readonly backend?: string;
  /** What `--open-browser` shows first, if there is one. */
  readonly openBrowser?: string;
  /** As `--keychain`; by default the file. */
  readonly keychain?: string;
  /** As `--browser-address`. */
  readonly browserAddress?: string;
  readonly browserEvaluate?: boolean;
  /** Takes the lines of its log; by default they go to standard error. */
  readonly writeLog?: (line: string) => void;
}

export interface Service extends AsyncDisposable {
  readonly platform: Platform;
  readonly session: Session;
  readonly config: Config;
  readonly fetch: App["fetch"];
  /** Sends a request and gives the whole answer. */
  send(path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
  /** Calls an operation that must succeed; gives its JSON, or `undefined` for 204. */
  call(path: string, body?: unknown): Promise<unknown>;
  /** Calls an operation that must fail with `status`; gives the text of `detail`. */
  refused(status: number, path: string, body?: unknown): Promise<string>;
  /** Types a text as fast as it goes. */
  type(text: string, more?: Record<string, unknown>): Promise<void>;
  /** Listens on a real socket until the service ends; gives the address. */
  listen(): string;
}

export async function startService(given: ServiceOptions): Promise<Service> {
  const { displays, limits = {}, backend, keychain = "file", env, ...rest } = given;
  const { writeLog = console.error, ...browser } = rest;
  const bound = displays.map((name, index) => `${index + 1}=${name}`);
  const state = await Deno.makeTempDir();
  const chosen = backend === undefined ? {} : { backend };
  const { openBrowser, browserAddress, browserEvaluate } = browser;
  const flags = {
    ...{ display: bound, keychain, "state-dir": state, ...chosen },
    ...(openBrowser === undefined ? {} : { "open-browser": openBrowser }),
    ...(browserAddress === undefined ? {} : { "browser-address": browserAddress }),
    ...(browserEvaluate ? { "browser-evaluate": true as const } : {}),
  };
  const config = withLimits(readConfig(flags, {}, noFile, Deno.build.os), limits);
  const system = thisHost();
  // browsers are recorded there, too: not in the home of who runs the tests
  const host = { ...system, env: { ...env ?? system.env, XDG_STATE_HOME: state } };
  const platform = await openPlatform(host, config);
  const session = new Session(platform, config.limits, config);
  const log = createStrictLog(writeLog);
  const app = createApp({
    platform,
    config,
    session,
    log,
    openMcp,
    consoleModules: consoleModules(),
  });
  const servers = new AsyncDisposableStack();

  const send = async (path: string, body?: unknown, signal: AbortSignal | null = null) => {
    const headers = { host: new URL(ADDRESS).host, "content-type": "application/json" };
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return await app.fetch(new Request(ADDRESS + path, { signal, headers, ...posted }));
  };

  const call = async (path: string, body?: unknown) => {
    const response = await send(path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };

  return {
    platform,
    session,
    config,
    fetch: app.fetch,
    send,
    call,
    async refused(status, path, body) {
      const response = await send(path, body);
      const text = await response.text();
      expect({ path, status: response.status, text }).toMatchObject({ path, status });
      return JSON.stringify(JSON.parse(text).detail);
    },
    async type(text, more = {}) {
      await call("/api/keyboard/type", { text, typing_delay: 0, ...more });
    },
    listen() {
      return servers.use(serveConsole(app)).url;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await servers.disposeAsync();
      await platform[Symbol.asyncDispose]();
      await Deno.remove(state, { recursive: true }).catch(() => {}); // some tests end it themselves
    },
  };
}

function withLimits(config: Config, limits: Partial<Limits>): Config {
  return { ...config, limits: { ...config.limits, ...limits } };
}

function noFile(): never {
  throw new Deno.errors.NotFound();
}
