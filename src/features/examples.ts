/** One request and one answer per operation, shown in the OpenAPI document and on the docs page. */

import { DEFAULT_LIMITS } from "../config/limits.ts";
import { AGENT_EXAMPLES } from "./agents/operations.ts";
import { ACCESSIBILITY_EXAMPLES } from "./accessibility/operations.ts";
import { BROWSER_EXAMPLES } from "./browser/operations.ts";
import { CLIPBOARD_EXAMPLES } from "./clipboard/operations.ts";
import { CONTROL_EXAMPLES } from "./control/operations.ts";
import { DESK_EXAMPLES } from "./desks/operations.ts";
import { DISPLAY_EXAMPLES } from "./display/operations.ts";
import { LINK_EXAMPLES } from "./links/operations.ts";
import { WINDOW_EXAMPLES } from "./window/operations.ts";
import { RECORDING_EXAMPLES } from "./recording/operations.ts";
import { TRAIL_EXAMPLES } from "./trail/operations.ts";
import { TRAJECTORY_EXAMPLES } from "./trail/trajectory/operations.ts";
import { VERSION } from "../config/config.ts";
import { limitsByName } from "./system/info.ts";

export interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The JSON of the success answer; absent if the answer is not JSON. */
  readonly answer?: unknown;
}

const REPORT = "/home/ada/report.txt";
const REPORT_ENTRY = {
  name: "report.txt",
  path: REPORT,
  type: "file",
  size: 1_234,
  modified_time: "2026-03-09T14:05:11.123456",
  is_hidden: false,
  extension: "txt",
};
const FOLDER_ENTRY = {
  name: "Documents",
  path: "/home/ada/Documents",
  type: "directory",
  size: 4_096,
  modified_time: "2026-03-08T09:30:00",
  is_hidden: false,
  extension: null,
};

/** The answer to an operation whose effect was requested. */
const EFFECT = {
  effect: "confirmed",
  by: "program",
  reason: "The program has handled everything that it was sent.",
  window: "Untitled 1 - Mousepad",
};

const MOUSE: Readonly<Record<string, Example>> = {
  moveMouse: { body: { x: 640, y: 400, duration_ms: 200 }, answer: EFFECT },
  clickMouse: { body: { x: 200, y: 150, button: "right" }, answer: EFFECT },
  leftClick: { body: { x: 200, y: 150 }, answer: EFFECT },
  rightClick: { body: { x: 200, y: 150 }, answer: EFFECT },
  middleClick: { body: { x: 200, y: 150 }, answer: EFFECT },
  doubleClick: { body: { x: 200, y: 150 }, answer: EFFECT },
  tripleClick: { body: { x: 200, y: 150 }, answer: EFFECT },
  scrollMouse: { body: { clicks: -3, x: 640, y: 400 }, answer: EFFECT },
  dragMouse: { body: { x: 500, y: 300, button: "left" }, answer: EFFECT },
  mouseDown: { body: { button: "left" }, answer: EFFECT },
  mouseUp: { body: { button: "left" }, answer: EFFECT },
  getMousePosition: { query: { display_num: 1 }, answer: { x: 640, y: 400 } },
};

const KEYBOARD: Readonly<Record<string, Example>> = {
  typeText: { body: { text: "Grüße, 漢字 😀\n" }, answer: null },
  pressKey: { body: { key: "ctrl+shift+t" }, answer: null },
  pressHotkey: { body: { keys: ["ctrl", "alt", "t"] }, answer: null },
  holdKey: { body: { key: "shift" }, answer: null },
  releaseKey: { body: { key: "shift" }, answer: null },
  listHeldKeys: { query: { display_num: 1 }, answer: ["shift"] },
};

const EDITOR: Readonly<Record<string, Example>> = {
  viewFile: { body: { path: REPORT, view_range: [1, 2] }, answer: "First line\nSecond line\n" },
  createFile: { body: { path: REPORT, file_text: "First line\nSecond line\n" } },
  replaceString: { body: { path: REPORT, old_str: "Second", new_str: "2nd" } },
  insertText: { body: { path: REPORT, text: "Title\n", insert_line: 1 } },
  applyPatch: { body: { path: REPORT, diff: "@@\n First line\n-Second line\n+2nd line\n" } },
  undoEdit: { body: { path: REPORT } },
};

const FILESYSTEM: Readonly<Record<string, Example>> = {
  listDirectory: { body: { path: "~" }, answer: [FOLDER_ENTRY, REPORT_ENTRY] },
  searchFiles: { body: { root_path: "~", pattern: "*.txt" }, answer: [REPORT_ENTRY] },
  getDirectoryTree: {
    body: { path: "~", max_depth: 2 },
    answer: {
      name: "ada",
      type: "directory",
      children: [
        { name: "Documents", type: "directory", children: [] },
        { name: "report.txt", type: "file" },
      ],
    },
  },
  getPathInfo: { params: { path: REPORT }, answer: REPORT_ENTRY },
  readFile: {
    body: { path: REPORT, offset: 0, length: 11 },
    answer: { content: "First line\n", encoding: "text", size: 1_234, next_offset: 11 },
  },
  writeFile: { body: { path: REPORT, content: "New text\n", overwrite: true } },
  createDirectory: { body: { path: "~/Documents/2026" } },
  movePath: { body: { source: REPORT, destination: "~/Documents/report.txt" } },
  copyPath: { body: { source: REPORT, destination: "~/Documents/copy.txt" } },
  deletePath: { body: { path: "~/Documents/2026", recursive: true } },
};

const BASH: Readonly<Record<string, Example>> = {
  executeCommand: {
    body: { command: "ls | head -2", cwd: "~", timeout: 5 },
    answer: {
      output: "Documents\nreport.txt\n",
      status: "completed",
      process_id: null,
      exit_code: 0,
      truncated: false,
    },
  },
  getProcessOutput: {
    params: { pid: 4_711 },
    query: { offset: 0, wait_ms: 1_000 },
    answer: {
      output: "1 of 3 done\n",
      process_id: 4_711,
      status: "background",
      exit_code: null,
      truncated: false,
      next_offset: 12,
    },
  },
  writeProcessInput: { params: { pid: 4_711 }, body: { text: "yes\n" } },
  terminateProcess: { params: { pid: 4_711 } },
  listManagedProcesses: {
    query: { all: false },
    answer: [{
      pid: 4_711,
      command: "make all",
      status: "running",
      output: "1 of 3 done\n",
      started_at: "2026-03-09T14:05:11.123Z",
      exit_code: null,
      output_bytes: 12,
      truncated: false,
    }],
  },
  restartShell: { body: {} },
};

const KEYCHAIN: Readonly<Record<string, Example>> = {
  setKeychainItem: {
    body: { service: "shop", item: { username: "ada", password: "correct horse battery" } },
  },
  authenticateService: {
    body: {
      service: "shop",
      authElements: [
        { type: "username", coordinates: { x: 400, y: 300 } },
        { type: "password", coordinates: { x: 400, y: 360 } },
      ],
    },
    answer: true,
  },
  listKeychainServices: { answer: ["mail", "shop"] },
  deleteKeychainItem: { body: { service: "shop" } },
};

const READY = { ready: true, reason: "display 1 answers" };

const SYSTEM: Readonly<Record<string, Example>> = {
  getHealth: { answer: { status: "ok" } },
  getReadiness: {
    answer: { ready: true, display: READY, keychain: { ready: true, reason: "unlocked" } },
  },
  getMetrics: {},
  getSystemInfo: {
    answer: {
      version: VERSION,
      name: "desk-1",
      system: "linux",
      backends: [{ job: "display", chosen: "x11", reason: 'the X server ":99" answers' }],
      redaction: { state: "on", reason: "the keychain has been read" },
      pictures: [{ display: ":99", way: "shared_memory", reason: "the X server shares memory" }],
      control: { mode: "programs", by: null },
      disabled_groups: [],
      read_only: false,
      limits: limitsByName(DEFAULT_LIMITS),
    },
  },
  releaseAll: { body: {} },
};

const BATCH: Readonly<Record<string, Example>> = {
  runBatch: {
    body: {
      steps: [
        { operation: "mouse.left-click", input: { x: 200, y: 150 } },
        { operation: "keyboard.type", input: { text: "Hello" } },
        { operation: "display.wait", input: { until: "stable", timeout_ms: 2_000 } },
      ],
      then_screenshot: { format: "jpeg", max_width: 1_280 },
    },
    answer: {
      status: "completed",
      results: [
        { status: "done", elapsed_ms: 0.7 },
        { status: "done", value: null, elapsed_ms: 61.2 },
        { status: "done", value: { status: "stable", elapsed_ms: 312 }, elapsed_ms: 312.4 },
      ],
      screenshot: {
        media_type: "image/jpeg",
        data: "/9j/4AAQSkZJRgABAQ==",
        width: 1_280,
        height: 720,
        frame: "3f9a1c2e-7",
        scale: 0.666667,
        display_num: 1,
      },
      elapsed_ms: 388.5,
    },
  },
};

/** By operation id. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...DISPLAY_EXAMPLES,
  ...MOUSE,
  ...KEYBOARD,
  ...CLIPBOARD_EXAMPLES,
  ...ACCESSIBILITY_EXAMPLES,
  ...WINDOW_EXAMPLES,
  ...RECORDING_EXAMPLES,
  ...EDITOR,
  ...FILESYSTEM,
  ...BASH,
  ...KEYCHAIN,
  ...BROWSER_EXAMPLES,
  ...BATCH,
  ...AGENT_EXAMPLES,
  ...DESK_EXAMPLES,
  ...CONTROL_EXAMPLES,
  ...LINK_EXAMPLES,
  ...TRAIL_EXAMPLES,
  ...TRAJECTORY_EXAMPLES,
  ...SYSTEM,
};
