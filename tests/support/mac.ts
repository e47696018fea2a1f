/** A Mac of recorders: the programs of macOS on a PATH of their own, and the service on them. */

import { type App, createApp } from "../../src/http/app.ts";
import type { Config } from "../../src/config/config.ts";
import { Session } from "../../src/features/session.ts";
import { createStrictLog } from "./strict_log.ts";
import type { Host } from "../../src/platform/host.ts";
import { openMacos } from "../../src/platform/macos/mod.ts";
import { openPlatform } from "../../src/platform/mod.ts";
import { requirePort } from "../../src/platform/open_port.ts";
import type { Input, Keyboard, Platform } from "../../src/platform/types/mod.ts";
import { testConfig } from "./client.ts";
import { fakeHost } from "./fake_host.ts";
import { type TestFolder, testFolder } from "./folder.ts";

export const PROGRAMS = [
  "cliclick",
  "osascript",
  "pbcopy",
  "pbpaste",
  "screencapture",
  "system_profiler",
] as const;
type Program = typeof PROGRAMS[number];

export interface Call {
  readonly program: Program;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  /** Who may enter the folder of the picture. */
  readonly folder_mode?: number;
}

/** How a program fails: with a code, in words, after so many commands, the first times only, or never ending. */
export interface Fault {
  code?: number;
  stderr?: string;
  after?: number;
  times?: number;
  hang?: boolean;
  /** How long it takes after it has done everything. */
  delay_ms?: number;
  /** It makes no picture. */
  nothing?: boolean;
  /** It may post no events, though macOS has not said so. */
  untrusted?: boolean;
}

/** What is on the desktop of the Mac; tests change it while the service runs. */
export interface MacDesktop {
  /** What macOS answers to the script that asks about it. */
  answer: Record<string, unknown>;
  profile: unknown;
  /** Pixels per point of the pictures. */
  scale: number;
  /** How blue all pictures are, and the pixels of all displays together that are as blue as can be. */
  blue: number;
  spots: [number, number][];
  cursor: [number, number];
  /** What is pressed. */
  down: string[];
  typed: string;
  pasteboard: string;
  /** What the script for the clipboard finds there: format -> base64. */
  clipboard: { version: number; formats: Record<string, string>; passing?: boolean };
  faults: Partial<Record<Program, Fault>>;
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

const BUILT_IN = { id: 1, name: "Built-in", x: 0, y: 0, width: 640, height: 400, scale: 1 };
export const SECOND = { id: 34, name: "LG", x: -800, y: -100, width: 800, height: 600, scale: 2 };

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
      Deno.writeTextFileSync(`${path}/desktop.json`, JSON.stringify(desktop));
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
  return requirePort(input);
}

export async function openKeyboard(platform: Platform, displayNum = 1): Promise<Keyboard> {
  return requirePort((await inputOf(platform, displayNum)).keyboard);
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
      const headers = { "content-type": "application/json" };
      const answer = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
    },
    get: async (path, headers = {}) => await send(path, { headers }),
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
  await Deno.copyFile(new URL(recorder, import.meta.url), `${path}/${program}`);
  await Deno.chmod(`${path}/${program}`, 0o755);
}

function which(path: string, program: string): string | undefined {
  try {
    Deno.statSync(`${path}/${program}`);
    return `${path}/${program}`;
  } catch {
    return undefined;
  }
}

function firstDesktop(): MacDesktop {
  return {
    answer: {
      screens: [BUILT_IN, SECOND],
      accessibility: true,
      recording: true,
      session: { locked: false, onConsole: true },
      layout: "com.apple.keylayout.US",
    },
    profile: {
      SPDisplaysDataType: [{
        spdisplays_ndrvs: [
          {
            _name: "LG UltraFine",
            _spdisplays_resolution: "800 x 600 @ 60.00Hz",
            _spdisplays_pixels: "1600 x 1200",
            _spdisplays_displayID: "22",
            spdisplays_online: "spdisplays_yes",
          },
          {
            _name: "Color LCD",
            _spdisplays_displayID: "1",
            _spdisplays_resolution: "640 x 400 @ 60.00Hz",
            _spdisplays_pixels: "1280 x 800",
            spdisplays_main: "spdisplays_yes",
          },
        ],
      }],
    },
    scale: 1,
    blue: 7,
    spots: [],
    cursor: [5, 6],
    down: [],
    typed: "",
    clipboard: { version: 1, formats: {} },
    pasteboard: "from before\n",
    faults: {},
  };
}
