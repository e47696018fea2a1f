/** What most tests on the real thing need: an X server with a layout, the service on it, and a window that records. */

import { openRecorder, type Recorder, type RecorderOptions } from "./recorder.ts";
import { type Service, startService } from "./service.ts";
import { startXvfb, type Xvfb, type XvfbOptions } from "./xvfb.ts";
import type { Limits } from "../../src/config/limits.ts";

export interface DesktopOptions {
  readonly server?: XvfbOptions;
  /** Arguments of `setxkbmap`: `["de"]`, `["us", "intl"]`. */
  readonly layout?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly recorder?: RecorderOptions;
}

export interface Desktop extends AsyncDisposable {
  readonly server: Xvfb;
  readonly display: string;
  readonly service: Service;
}

/** An X server and the service on it. */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const server = await startXvfb(options.server);
  const { display } = server;
  if (options.layout) await setLayout(display, options.layout);
  const service = await startService({ displays: [display], limits: options.limits ?? {} });
  return {
    server,
    display,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export interface RecordedDesktop extends Desktop {
  readonly recorder: Recorder;
}

/** An X server, the service on it, and a window that has the focus and records. */
export async function startRecordedDesktop(options: DesktopOptions = {}): Promise<RecordedDesktop> {
  const desktop = await startDesktop(options);
  const recorder = await openRecorder(desktop.display, options.recorder);
  return {
    ...desktop,
    recorder,
    async [Symbol.asyncDispose]() {
      await desktop.service[Symbol.asyncDispose]();
      recorder[Symbol.dispose]();
      await desktop.server[Symbol.asyncDispose]();
    },
  };
}

export async function setLayout(display: string, layout: readonly string[]): Promise<void> {
  await run("setxkbmap", ["-display", display, ...layout]);
}

/** Runs a program that must succeed. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { clearEnv = false } = {},
): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv,
    stdin: "null",
  }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}
