/** Each operation on a platform of which each call to a port fails once: see `failing_calls.ts`. */

import { expect } from "expect";
import { failEachCall, type Failure } from "./failing_calls.ts";

const AT = { x: 120, y: 115 };
const WINDOW = { id: "w1" };

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
  ["browser/find", { query: "Send" }],
  ["browser/text", {}],
  ["browser/wait", { text: "Send" }],
  ["browser/fill", { ref: "City", value: "Bern" }],
  ["browser/click", { ref: "Send" }],
  ["browser/pointer", { action: "down", x: 1, y: 1 }],
  ["browser/type", { ref: "City", text: "Bern" }],
  ["browser/key", { key: "enter" }],
  ["browser/evaluate", { expression: "1" }],
  ["browser/console", {}],
  ["bash/command", { command: "echo" }],
  ["bash/command", { command: "sleep", timeout: 1 }],
  ["window/list"],
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
  ["keychain/set-item", { service: "site", item: { password: "a value" } }],
  ["keychain/list-services"],
  ["keychain/delete-item", { service: "site" }],
  ["system/release-all", {}],
  ["batch", {
    steps: [
      { operation: "keyboard.hold", input: { key: "ctrl" } },
      { operation: "mouse.click", input: AT },
      { operation: "window.list", input: {} },
    ],
  }],
];
const FAILURES: readonly Failure[] = [
  { kind: "refused", isDone: false },
  { kind: "refused", isDone: true },
  { kind: "broken", isDone: false },
  { kind: "broken", isDone: true },
];

for (const [path, body] of CALLS) {
  Deno.test(`${path} ${JSON.stringify(body) ?? ""} with each call to a port a failure`, async () => {
    for (const failure of FAILURES) {
      expect(await failEachCall(path, body, failure)).toBeGreaterThan(0);
    }
  });
}
