/** A Mac of recorders: the programs of macOS on a PATH of their own, and the service on them. */

import { type App, createApp } from "../../src/http/app.ts";
import type { Config } from "../../src/config/config.ts";
import { Session } from "../../src/features/session.ts";
import { createStrictLog } from "./strict_log.ts";
import type { Host } from "../../src/platform/host.ts";
import { openMacos } from "../../src/platform/macos/mod.ts";
import { openPlatform } from "../../src/platform/mod.ts";
import { requireCapability } from "../../src/platform/capability.ts";
import type { Input, Keyboard, Platform } from "../../src/platform/types/mod.ts";
import { testConfig } from "./client.ts";
import { fakeHost } from "./fake_host.ts";
import { type TestFolder, testFolder } from "./folder.ts";
import { firstDesktop, type MacDesktop, type Program, PROGRAMS } from "./mac_desktop.ts";
import { copyProgram } from "./written_program.ts";

export interface Call {
  readonly program: Program;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  /** Who may enter the folder of the picture. */
  readonly folder_mode?: number;
}

export interface Mac extends TestFolder {
  readonly host: Host;
  readonly desktop: MacDesktop;
  change(change: (desktop: MacDesktop) => void): void;
  /** What was called since the last time. */
  calls(): Call[];
  /** Takes a program away. */
  uninstall(program: Program | "security"): void;
}

export async function startMac(): Promise<Mac> {
  const folder = await testFolder();
  for (const program of PROGRAMS) await install(folder.path, program, "mac_program.py");
  await install(folder.path, "security", "security.py");
  await Deno.writeTextFile(`${folder.path}/desktop.json`, JSON.stringify(firstDesktop()));
  await Deno.writeTextFile(`${folder.path}/calls.jsonl`, "");
  return macIn(folder);
}

function macIn(folder: TestFolder): Mac {
  const { path } = folder;
  const host = fakeHost({ os: "darwin", env: { HOME: path } });
  const readDesktop = () => JSON.parse(Deno.readTextFileSync(`${path}/desktop.json`));
  return {
    ...folder,
    host: { ...host, which: (name) => which(path, name) },
    get desktop() {
      return readDesktop();
    },
    change(change) {
      const desktop = readDesktop();
      change(desktop);
      // its programs read it at any time
      Deno.writeTextFileSync(`${path}/desktop.json.changed`, JSON.stringify(desktop));
      Deno.renameSync(`${path}/desktop.json.changed`, `${path}/desktop.json`);
    },
    calls() {
      const text = Deno.readTextFileSync(`${path}/calls.jsonl`);
      Deno.writeTextFileSync(`${path}/calls.jsonl`, "");
      return text.trim().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
    },
    uninstall: (program) => Deno.removeSync(`${path}/${program}`),
  };
}

/** The platform of a Mac, opened through its real code; its start is not among the calls. */
export async function openMacPlatform(mac: Mac, programMs?: number): Promise<Platform> {
  const config = macConfig(mac);
  const platform = programMs === undefined
    ? await openPlatform(mac.host, config)
    : await openMacos(mac.host, config, { programMs });
  mac.calls();
  return platform;
}

/** The input of a display. */
export async function inputOf(platform: Platform, displayNum = 1): Promise<Input> {
  const { input } = await platform.displays.open(displayNum);
  return requireCapability(input);
}

export async function openKeyboard(platform: Platform, displayNum = 1): Promise<Keyboard> {
  return requireCapability((await inputOf(platform, displayNum)).keyboard);
}

export interface MacService extends AsyncDisposable {
  readonly platform: Platform;
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/** The whole service on it. */
export async function startMacService(
  mac: Mac,
  { programMs, keychain = "file" }: { programMs?: number; keychain?: Config["keychain"] } = {},
): Promise<MacService> {
  const config = macConfig(mac, keychain);
  const platform = await openMacos(mac.host, config, { ...(programMs ? { programMs } : {}) });
  const session = new Session(platform, config.limits, config);
  const log = createStrictLog();
  const app: App = createApp({ platform, config, session, log });
  mac.calls();
  const send = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://127.0.0.1${path}`, init));
  return {
    platform,
    async post(path, body) {
      const headers = { "content-type": "application/json", host: "127.0.0.1" };
      const answer = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
    },
    get: async (path, headers = {}) =>
      await send(path, { headers: { host: "127.0.0.1", ...headers } }),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

/** The commands that cliclick was given, one list for each process. */
export function commandsOf(calls: readonly Call[]): string[][] {
  return calls.filter(({ program }) => program === "cliclick")
    .map(({ stdin }) => stdin.trimEnd().split("\n"));
}

function macConfig(mac: Mac, keychain: Config["keychain"] = "file"): Config {
  return testConfig({ keychain, home: mac.path, stateDir: `${mac.path}/state` });
}

async function install(path: string, program: string, recorder: string): Promise<void> {
  await copyProgram(new URL(recorder, import.meta.url), `${path}/${program}`);
}

function which(path: string, program: string): string | undefined {
  try {
    Deno.statSync(`${path}/${program}`);
    return `${path}/${program}`;
  } catch {
    return undefined;
  }
}
