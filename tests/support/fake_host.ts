/** A computer that is whatever a test says: programs, variables, X servers that answer or refuse. */

import { createLog } from "../../src/core/log.ts";
import { DEFAULT_LIMITS } from "../../src/config/limits.ts";
import type { Config } from "../../src/config/config.ts";
import type { Host } from "../../src/platform/host.ts";
import type { LinuxDisplay } from "../../src/platform/linux/linux_display.ts";
import type { Openers } from "../../src/platform/linux/mod.ts";
import { XOpenError } from "../../src/platform/linux/x11/setup.ts";

export interface FakeHost extends Host {
  /** Command lines that were run. */
  readonly ran: string[];
  /** Questions that were asked. */
  readonly asked: string[];
  /** Lines that were said. */
  readonly said: string[];
}

export interface FakeHostOptions extends Partial<Omit<Host, "which" | "run" | "ask">> {
  /** Installed programs; installing a package adds those that it brings. */
  readonly programs?: readonly string[];
  readonly answer?: boolean;
  /** Exit codes of command lines that contain the key; else 0. */
  readonly codes?: Readonly<Record<string, number>>;
}

/** What a package brings. */
const BRINGS: Readonly<Record<string, string>> = { xvfb: "Xvfb", xdotool: "xdotool" };

export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  const { programs = [], answer = false, codes = {}, ...rest } = options;
  const installed = new Set(programs);
  const ran: string[] = [];
  const asked: string[] = [];
  const said: string[] = [];
  return {
    os: "linux",
    env: {},
    uid: 1000,
    isTerminal: false,
    exists: () => false,
    ...rest,
    ...{ ran, asked, said },
    which: (program) => installed.has(program) ? `/usr/bin/${program}` : undefined,
    run(program, args) {
      const line = [program, ...args].join(" ");
      ran.push(line);
      const code = Object.entries(codes).find(([part]) => line.includes(part))?.[1] ?? 0;
      const packages = code === 0 && line.includes(" install ") ? args : [];
      for (const name of packages) if (name in BRINGS) installed.add(BRINGS[name]!);
      return Promise.resolve({ code, output: code === 0 ? "" : "E: it does not work\n" });
    },
    ask(question) {
      asked.push(question);
      return answer;
    },
    say: (line) => void said.push(line),
  };
}

/** A `not_ours` one may be opened, but is not to be taken for the desktop of our user. */
export type ServerState = "open" | "absent" | "refused" | "not_ours";

/** X servers by name, which a test changes while the service runs. */
export interface FakeServers extends Openers {
  readonly states: Record<string, ServerState>;
  readonly opened: string[];
  /** Takes the server away, as a crash does. */
  crash(xDisplay: string): void;
}

export function fakeServers(states: Record<string, ServerState> = {}): FakeServers {
  const opened: string[] = [];
  const connections = new Map<string, { connected: boolean }>();
  return {
    states,
    opened,
    log: createLog(() => {}),
    crash(xDisplay) {
      states[xDisplay] = "absent";
      const connection = connections.get(xDisplay);
      if (connection !== undefined) connection.connected = false;
    },
    async openX11(displayNum, xDisplay) {
      await Promise.resolve();
      const state = states[xDisplay] ?? "absent";
      if (state === "absent" || state === "refused") {
        throw new XOpenError(state, `the X server at "${xDisplay}" refuses`);
      }
      opened.push(xDisplay);
      const connection = fakeDisplay(displayNum, xDisplay);
      connections.set(xDisplay, connection);
      return connection;
    },
    async checkGuess(xDisplay) {
      await Promise.resolve();
      if (states[xDisplay] === "not_ours") {
        throw new XOpenError("not_ours", `the X server at "${xDisplay}" belongs to another user`);
      }
    },
    startVirtual() {
      states[":42"] = "open";
      return Promise.resolve({
        display: ":42",
        variables: { DISPLAY: ":42" },
        running: true,
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    },
  };
}

function fakeDisplay(displayNum: number, name: string): LinuxDisplay & { connected: boolean } {
  return {
    displayNum,
    name,
    connected: true,
    size: { width: 640, height: 480 },
    focus: { ready: false, reason: "a fake has no focus" },
    delivery: { ready: false, reason: "a fake has no focus" },
    deliveryTracker: { ready: false, reason: "a fake has no recipients" },
    realInput: { ready: false, reason: "a fake has no devices" },
    clipboard: { ready: false, reason: "a fake has no clipboard" },
    accessibility: { ready: false, reason: "a fake has no elements" },
    windows: { ready: false, reason: "a fake has no windows" },
    pixel: () => Promise.resolve([0, 0, 0] as const),
    screen: { backend: "x11", name },
    watch: () => Promise.reject(new Error("A fake does not change")),
    input: { ready: false, reason: "a fake has no input" },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export function fakeConfig(config: Partial<Config> = {}): Config {
  return {
    ...{ version: "0.0.0", host: "127.0.0.1", port: 0, displays: new Map() },
    ...{
      backend: "auto",
      mcpTools: "few",
      approve: new Set<string>(),
      noAuth: false,
      openConsole: false,
      trustHome: false,
      allowHosts: [],
      allowOrigins: [],
    },
    compat: new Map(),
    ...{
      ignoreUnknownFields: false,
      logFormat: "text",
      logLevel: "info",
      trace: new Set(),
      disabled: new Set(),
      readOnly: false,
      setup: true,
      waylandBackend: "auto",
      clipboardTyping: true,
      browserEvaluate: false,
      limits: DEFAULT_LIMITS,
    },
    ...{ home: "/home/me", stateDir: "/nonexistent/state" },
    ...{ keychain: "file", redact: true, open: [] },
    ...config,
  };
}
