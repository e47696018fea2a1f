/** Each operation on a platform of which each call to a port fails once: see `failing_calls.ts`. */

import { expect } from "expect";
import { failEachCall, type Failure } from "./failing_calls.ts";

const AT = { x: 120, y: 115 };
const WINDOW = { id: "w1" };
const PASSWORD = { type: "password", coordinates: { x: 120, y: 155 } };

const CALLS: readonly (readonly [path: string, body?: object])[] = [
  ["mouse/move", AT],
  ["mouse/move", { ...AT, duration_ms: 40 }],
  ["mouse/click", AT],
  ["mouse/click", { ...AT, click_count: 2, modifiers: ["ctrl", "shift"], effect: true }],
  ["mouse/down", AT],
  ["mouse/up", {}],
  ["mouse/scroll", { clicks: 3 }],
  ["mouse/drag", { ...AT, from: { x: 1, y: 1 }, modifiers: ["alt"] }],
  ["mouse/position"],
  ["mouse/left-click", AT],
  ["mouse/right-click", { ...AT, effect: true }],
  ["mouse/middle-click", AT],
  ["mouse/double-click", AT],
  ["mouse/triple-click", { ...AT, modifiers: ["shift"] }],
  ["keyboard/key", { key: "ctrl+s", duration_ms: 20, repeat: 2 }],
  ["keyboard/hotkey", { keys: ["ctrl", "s"] }],
  ["keyboard/hold", { key: "shift" }],
  ["keyboard/release", { key: "shift" }],
  ["keyboard/type", { text: "a text", typing_delay: 5 }],
  ["keyboard/type", { text: "a text", effect: true }],
  ["keyboard/type", { secret: { service: "shop", field: "password" } }],
  ["keyboard/held"],
  ["clipboard/get", {}],
  ["clipboard/set", { text: "a text" }],
  ["clipboard/clear", {}],
  ["accessibility/snapshot", {}],
  ["accessibility/find", { name: "Save" }],
  ["accessibility/value", { ref: "Name" }],
  ["accessibility/act", { ref: "Save", action: "click" }],
  ["accessibility/act", { ref: "Save", action: "click", method: "input" }],
  ["accessibility/act", { ref: "Name", action: "set_value", value: "new" }],
  ["accessibility/act", { ref: "Name", action: "set_value", value: "new", method: "input" }],
  ["accessibility/act", { ref: "Name", action: "focus" }],
  ["mouse/click", { ref: "Save" }],
  ["keyboard/type", { ref: "Name", text: "new", clear: true }],
  ["mouse/click", { ref: "Send", effect: true }],
  ["keyboard/type", { ref: "City", text: "Bern", clear: true }],
  ["keyboard/type", { ref: "City", secret: { service: "shop", field: "password" } }],
  ["browser/tabs"],
  ["browser/open", { url: "http://form.test/" }],
  ["browser/navigate", { url: "http://form.test/" }],
  ["browser/close", { tab_id: "t1" }],
  ["browser/activate", { tab_id: "t1" }],
  ["browser/snapshot", {}],
  ["browser/find", { query: "Send" }],
  ["browser/text", {}],
  ["browser/wait", { text: "Send" }],
  ["browser/fill", { ref: "City", value: "Bern" }],
  ["browser/click", { ref: "Send" }],
  ["browser/pointer", { action: "down", x: 1, y: 1 }],
  ["browser/type", { ref: "City", text: "Bern" }],
  ["browser/key", { key: "enter" }],
  ["browser/drag", { path: [AT, { x: 1, y: 1 }] }],
  ["browser/scroll", { ref: "Send", clicks: -3 }],
  ["browser/upload", { ref: "City", paths: [import.meta.filename] }],
  ["browser/screenshot", {}],
  ["browser/network", {}],
  ["browser/dialogs"],
  ["browser/dialog", { accept: true }],
  ["browser/downloads"],
  ["browser/evaluate", { expression: "1" }],
  ["browser/console", {}],
  ["bash/command", { command: "echo" }],
  ["bash/command", { command: "sleep", timeout: 1 }],
  ["window/list"],
  ["window/open", { program: "xterm", timeout_ms: 100 }],
  ["window/active"],
  ["window/focus", WINDOW],
  ["window/move", { ...WINDOW, x: 3, y: 4 }],
  ["window/resize", { ...WINDOW, width: 300, height: 200 }],
  ["window/minimize", WINDOW],
  ["window/maximize", WINDOW],
  ["window/restore", WINDOW],
  ["window/screenshot?id=w1"],
  ["display/pixel_color", AT],
  ["display/screen_size"],
  ["display/list"],
  ["display/wait", { until: { window: { title: "Editor" } }, timeout_ms: 100 }],
  ["keychain/authenticate", { service: "shop", authElements: [PASSWORD] }],
  ["keychain/set-item", { service: "site", item: { password: "a value" } }],
  ["keychain/list-services"],
  ["keychain/delete-item", { service: "site" }],
  ["system/release-all", {}],
  ["agents/anthropic", {
    content: [{
      ...{ type: "tool_use", id: "toolu_1", name: "left_click", toolset_name: "computer" },
      input: { coordinate: [40, 40] },
    }],
    tools: [{ type: "computer_toolset_20260801" }],
    then_screenshot: false,
  }],
  ["agents/gemini", {
    parts: [{ functionCall: { id: "call_1", name: "click", args: { x: 500, y: 500 } } }],
    then_screenshot: false,
  }],
  ["agents/openai", {
    output: [{
      ...{ type: "computer_call", id: "cu_1", call_id: "call_1", status: "completed" },
      actions: [{ type: "click", button: "left", x: 40, y: 40 }],
    }],
    then_screenshot: false,
  }],
  ["agents/qwen", {
    message: {
      role: "assistant",
      tool_calls: [{
        ...{ id: "call_1", type: "function" },
        function: {
          name: "computer_use",
          arguments: '{"action": "left_click", "coordinate": [500, 500]}',
        },
      }],
    },
    then_screenshot: false,
  }],
  ["agents/ui-tars", {
    text: "Thought: I click.\nAction: click(start_box='(500,500)')",
    then_screenshot: false,
  }],
  ["batch", {
    steps: [
      { operation: "keyboard.hold", input: { key: "ctrl" } },
      { operation: "mouse.click", input: AT },
      { operation: "window.list", input: {} },
    ],
  }],
];
/** Operations that are not in the list, and why. */
const LEFT: Readonly<Record<string, string>> = {
  "bash/process/": "they need a command that runs on",
  "bash/processes/": "it calls no port",
  "browser/state/": "files and the keychain fail in the tests of the browser's logins",
  "bash/restart": "it calls no port",
  "control/": "it calls no port, but to release what is pressed, as system/release-all does",
  "desk/": "its display, buses and programs are real ones in tests/features/desks",
  "display/locate": "the search runs in a worker",
  "display/screenshot": "the picture is made in a worker",
  "editor/": "the disk fails in failing_disk_test.ts",
  "filesystem/": "the disk fails in failing_disk_test.ts",
  "recording/":
    "what writes them fails in recording_world.ts, and the disk in failing_files_test.ts",
  "events": "windows are read beside the answer, and tests/features/trail has what fails there",
  "trail": "it calls no port",
  "system/info": "it calls no port that can fail",
  "window/close": "it cannot be repeated",
};
const FAILURES: readonly Failure[] = [
  { kind: "refused", isDone: false },
  { kind: "refused", isDone: true },
  { kind: "broken", isDone: false },
  { kind: "broken", isDone: true },
];

/** The name of a port, or of what a call to one gives -> how many calls to it have failed. */
const injected = new Map<string, number>();

for (const [path, body] of CALLS) {
  Deno.test(`${path} ${JSON.stringify(body) ?? ""} with each call to a port a failure`, async () => {
    for (const failure of FAILURES) {
      const failed = await failEachCall(path, body, failure);
      expect(failed.length).toBeGreaterThan(0);
      for (const name of failed) {
        const port = name.slice(0, name.lastIndexOf("."));
        injected.set(port, (injected.get(port) ?? 0) + 1);
      }
    }
  });
}

Deno.test("each operation is in this list, or it is said why not", async () => {
  const document = await Deno.readTextFile(new URL("../../openapi.json", import.meta.url));
  const { paths } = JSON.parse(document) as { readonly paths: object };
  const tried = new Set(CALLS.map(([path]) => path.split("?")[0]));
  const missing = Object.keys(paths).map((path) => path.replace("/api/", "")).filter((path) =>
    !path.startsWith("/") && !tried.has(path) &&
    !Object.keys(LEFT).some((beginning) => path.startsWith(beginning))
  );
  expect(missing).toEqual([]);
  const counts = [...injected].sort(([, one], [, other]) => other - one);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  for (const [port, count] of counts) console.log(`${count} calls to ${port} have failed`);
  console.log(`${all} calls to ports have failed`);
  expect(all).toBeGreaterThan(1_000); // where all of this file runs
});
