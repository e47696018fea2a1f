/** Sessions that a seed determines, exported as Harbor's trajectories: what callers may ever do and programs show. */

import { join } from "node:path";
import { available } from "../../../../../src/platform/capability.ts";
import { testApp } from "../../../../support/client.ts";
import { FakeAccessibility } from "../../../../support/fake_accessibility.ts";
import { FakeWindows } from "../../../../support/fake_windows.ts";
import { testFolder } from "../../../../support/folder.ts";
import { randomFrom } from "../../../../support/live_viewer.ts";
import { modernMessage } from "../../../../support/mcp.ts";

/** Stored, shown by programs and typed: it must be in no export. */
export const SECRET = "s3cretCanary";

/** How much of what was in the sessions. */
export interface Counts {
  steps: number;
  failed: number;
  pictures: number;
  trees: number;
  redacted: number;
  empty: number;
}

const TEXTS = [
  ...["", "é日本🙂", "a\nb\tc", '"</script>', "x".repeat(3_000), "\u202e\ufffd\u0000", "null"],
  ...["\ud83d", `my ${SECRET}!`, "0", "{}", "../..", "\u{1f469}\u200d\u{1f680}"],
];
const DISPLAYS = [1, 2, 7];
const SIZE = { width: 96, height: 64 };
/** Sessions at a time: each ends with half a second in which programs may draw. */
const AT_ONCE = 8;

interface Dice {
  readonly chance: (probability: number) => boolean;
  readonly number: (below: number) => number;
  readonly any: <T>(values: readonly T[]) => T;
}

type App = ReturnType<typeof testApp>;

/** Each into a folder of its own, named by its seed. */
export async function exportSessions(
  folder: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Counts> {
  const seen: Counts = { steps: 0, failed: 0, pictures: 0, trees: 0, redacted: 0, empty: 0 };
  const seeds = Array.from({ length: count }, (_, index) => seed + index);
  const worker = async () => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
      const path = join(folder, `${next}`);
      await exportSession(path, diceOf(next));
      await addTo(seen, path);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return seen;
}

function diceOf(seed: number): Dice {
  const random = randomFrom(seed);
  const number = (below: number) => Math.floor(random() * below);
  return {
    chance: (probability) => random() < probability,
    number,
    any: (values) => values[number(values.length)]!,
  };
}

async function exportSession(path: string, dice: Dice): Promise<void> {
  const { chance, number, any } = dice;
  await using state = await testFolder();
  const app = testApp({
    platform: { size: SIZE, displays: DISPLAYS },
    config: { stateDir: state.path },
  });
  try {
    for (const display of DISPLAYS) if (chance(0.7)) showProgram(app, display, dice);
    await expectDone(app, "keychain/set-item", { service: "shop", item: { password: SECRET } });
    const options = { texts: chance(0.5), pictures: chance(0.3), trees: chance(0.5) };
    const { id } = await expectDone(app, "trail/start", { ...options, display_num: any(DISPLAYS) });
    const all = [...CALLS, viaMcp];
    for (let left = number(12); left > 0; left--) {
      const call = any(all);
      const doing = call(app, dice);
      if (chance(0.9)) await doing; // else the next one comes meanwhile
      else void doing;
    }
    if (chance(0.5)) await expectDone(app, "trail/stop", { id });
    await expectDone(app, "trail/export", { id, format: "atif", path });
  } finally {
    await app.session[Symbol.asyncDispose]();
  }
}

/** A program whose window and elements have any names and states. */
function showProgram(app: App, display: number, { any, number }: Dice): void {
  const [accessibility, windows] = [new FakeAccessibility(), new FakeWindows()];
  const screen = app.platform.screen(display);
  screen.accessibility = available(accessibility);
  screen.windows = available(windows);
  const bounds = { x: 2, y: 3, width: 80, height: 50 };
  const title = any(TEXTS);
  windows.show({ id: "w1", title, app: any([null, "Forms", any(TEXTS)]), pid: 7, bounds });
  accessibility.roots = [{
    ...{ id: "top", role: "window", name: title, window: "w1", pid: 7, bounds },
    children: Array.from({ length: number(6) }, (_, index) => ({
      id: `c${index}`,
      role: any(["textbox", "button", "cell", "checkbox", "text", "combobox"]),
      name: any(TEXTS),
      value: any(TEXTS),
      description: any(TEXTS),
      states: any([[], ["focused", "focusable"], ["editable"], ["disabled"]]),
      pid: 7,
      bounds: { x: 5 + 12 * index, y: 10, width: 11, height: 20 },
    })),
  }];
}

type Call = (app: App, dice: Dice) => Promise<unknown>;

function posting(describe: (dice: Dice) => readonly [path: string, body: object]): Call {
  return (app, dice) => {
    const [path, body] = describe(dice);
    return app.post(`/api/${path}`, body);
  };
}

const CALLS: readonly Call[] = [
  ({ chance, number }: Dice) =>
    ["mouse/move", { x: number(120), y: number(80), effect: chance(0.5) }] as const,
  ({ chance, number, any }: Dice) =>
    ["mouse/left-click", {
      ...{ x: number(96), y: number(64), effect: chance(0.3), display_num: any(DISPLAYS) },
      modifiers: any([[], ["ctrl"], ["shift", "alt"]]),
    }] as const,
  ({ number }: Dice) => ["mouse/left-click", { ref: `e${number(9)}` }] as const,
  ({ number }: Dice) =>
    ["mouse/drag", {
      ...{ from: { x: 1, y: 2 }, x: number(90), y: 5, path: [{ x: 3, y: 4 }], duration_ms: 0 },
    }] as const,
  ({ number }: Dice) => ["mouse/scroll", { clicks: number(9) - 4 }] as const,
  ({ any }: Dice) => ["keyboard/type", { text: any(TEXTS), typing_delay: 0 }] as const,
  () => ["keyboard/type", { secret: { service: "shop", field: "password" } }] as const,
  ({ any }: Dice) => ["keyboard/key", { key: any(["a", "enter", "ctrl+s", "nonsense"]) }] as const,
  ({ any }: Dice) => ["clipboard/set", { text: any(TEXTS) }] as const,
  ({ any }: Dice) => ["window/focus", { id: any(["w1", any(TEXTS)]) }] as const,
  () => ["accessibility/act", { ref: "e1", action: "click" }] as const,
  ({ any }: Dice) =>
    ["accessibility/act", { ref: "e2", action: "set_value", value: any(TEXTS) }] as const,
  () => ["accessibility/snapshot", { window: "focused", format: "json" }] as const,
  ({ any }: Dice) =>
    ["browser/fill", { ref: "e1", value: any<unknown>([...TEXTS, 3.5, true, ["a"]]) }] as const,
  ({ any }: Dice) =>
    ["filesystem/write", { path: `/nowhere/${any(TEXTS).slice(0, 50)}`, content: "x" }] as const,
  () => ["bash/command", { command: `echo ${SECRET}`, env: { A: "b" } }] as const,
  ({ any }: Dice) =>
    ["display/wait", {
      until: any<unknown>(["stable", { text: any(TEXTS) }]),
      timeout_ms: 1,
    }] as const,
  ({ number, any }: Dice) =>
    ["batch", {
      steps: Array.from({ length: 1 + number(3) }, () => ({
        operation: any(["mouse.move", "mouse.left-click", "nothing.there"]),
        input: { x: number(96), y: number(64) },
      })),
      on_error: any(["stop", "continue"]),
    }] as const,
  ({ chance }: Dice) =>
    ["keychain/authenticate", {
      service: chance(0.7) ? "shop" : "nowhere",
      authElements: [{ type: "password", coordinates: { x: 30, y: 20 } }],
    }] as const,
  ({ any }: Dice) => ["nonsense", { text: any(TEXTS) }] as const,
].map(posting);

const viaMcp: Call = (app, { any, number }) => {
  const tools = [
    ["left_click", { coordinate: [number(96), number(64)] }],
    ["type", { text: any(TEXTS) }],
    ["key", { text: "ctrl+a" }],
    ["find_elements", { role: "button" }],
    ["nonsense", {}],
  ] as const;
  const [name, args] = any<readonly [string, object]>(tools);
  const { headers, body } = modernMessage("tools/call", { name, arguments: args });
  return app.send("POST", "/mcp", { headers, body: JSON.stringify(body) });
};

// deno-lint-ignore no-explicit-any -- each caller knows the shape it expects
async function expectDone(app: App, operation: string, body: object): Promise<any> {
  const { status, text, json } = await app.post(`/api/${operation}`, body);
  if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`);
  return json;
}

async function addTo(seen: Counts, path: string): Promise<void> {
  const text = await Deno.readTextFile(join(path, "trajectory.json"));
  const [, ...steps] = JSON.parse(text).steps;
  seen.steps += steps.length;
  seen.empty += steps.length === 0 ? 1 : 0;
  seen.redacted += text.split("[redacted:shop/password]").length - 1;
  for (const { extra: { trail } } of steps) {
    seen.failed += trail.outcome === "done" ? 0 : 1;
    seen.pictures += Object.keys(trail.pictures).length;
    seen.trees += Object.keys(trail.trees).length;
  }
}
