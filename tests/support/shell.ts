/** The service with real commands and without a display, called inside the test. */

import type { Config } from "../../src/config/config.ts";
import { DEFAULT_LIMITS, type Limits } from "../../src/config/limits.ts";
import { type Host, thisHost } from "../../src/platform/host.ts";
import { openLinuxProcesses } from "../../src/platform/linux/process/processes.ts";
import { type Received, type TestApp, testApp } from "./client.ts";
import { waitFor } from "./wait.ts";

export interface ShellOptions {
  readonly limits?: Partial<Limits>;
  readonly config?: Partial<Config>;
  readonly host?: Partial<Host>;
}

export interface CommandResult {
  readonly output: string;
  readonly status: "completed" | "background";
  readonly process_id: number | null;
  readonly exit_code: number | null;
  readonly truncated: boolean;
}

export interface OutputResult extends CommandResult {
  readonly next_offset: number;
}

export interface ListedProcess {
  readonly pid: number;
  readonly command: string;
  readonly status: "running" | "completed";
  readonly output: string;
  readonly started_at: string;
  readonly exit_code: number | null;
  readonly output_bytes: number;
  readonly truncated: boolean;
}

export interface TestShell extends AsyncDisposable {
  readonly app: TestApp;
  /** Runs a command that must be answered with 200. */
  run(command: string, more?: Record<string, unknown>): Promise<CommandResult>;
  /** Starts a command in the background; gives its number. */
  start(command: string, more?: Record<string, unknown>): Promise<number>;
  output(pid: number, query?: string): Promise<OutputResult>;
  /** The output, when the process has ended. */
  completed(pid: number): Promise<OutputResult>;
  list(query?: string): Promise<ListedProcess[]>;
  terminate(pid: number): Promise<Received>;
  restart(): Promise<Received>;
}

export function startShell({ limits, config, host }: ShellOptions = {}): TestShell {
  const processes = openLinuxProcesses({ ...thisHost(), ...host }, {
    limits: { ...DEFAULT_LIMITS, ...limits },
    ...config,
  }, {
    display: () => ":42",
  });
  const app = testApp({
    config: { ...config, limits: { ...DEFAULT_LIMITS, ...limits } },
    platform: { processes },
  });

  async function run(command: string, more: Record<string, unknown> = {}) {
    const answer = await app.post("/api/bash/command", { command, ...more });
    return expectOk(answer) as CommandResult;
  }

  async function output(pid: number, query = "") {
    return expectOk(await app.send("GET", `/api/bash/process/${pid}/output${query}`));
  }

  return {
    app,
    run,
    output,
    async start(command, more) {
      return (await run(command, { timeout: 0, ...more })).process_id!;
    },
    completed: (pid) =>
      waitFor(async () => {
        const now: OutputResult = await output(pid, "?wait_ms=1000");
        return now.status === "completed" && now;
      }, { what: `the end of process ${pid}` }),
    async list(query = "") {
      return expectOk(await app.send("GET", `/api/bash/processes/managed${query}`));
    },
    terminate: (pid) => app.send("DELETE", `/api/bash/process/${pid}`),
    restart: () => app.post("/api/bash/restart", {}),
    async [Symbol.asyncDispose]() {
      await app.session[Symbol.asyncDispose]();
      await processes[Symbol.asyncDispose]();
    },
  };
}

// deno-lint-ignore no-explicit-any -- each caller knows the shape
function expectOk(answer: Received): any {
  if (answer.status === 200) return answer.json;
  throw new Error(`Answered ${answer.status}: ${answer.text}`);
}
