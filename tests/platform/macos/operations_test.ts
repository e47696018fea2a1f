/** Every operation on the screen of a Mac, through the whole service: the exact calls of the programs. */

import { expect } from "expect";
import { type Call, commandsOf, startMac, startMacService } from "../../support/mac.ts";

interface Case {
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Lines of cliclick, one list for each process. */
  readonly commands?: readonly (readonly string[])[];
  /** Lists of events for osascript. */
  readonly events?: readonly unknown[];
}

const at = { x: 10, y: 20 };

const CASES: readonly Case[] = [
  { path: "mouse/move", body: at, commands: [["m:10,20"]] },
  { path: "mouse/move", body: { x: 9_999, y: -5 }, commands: [["m:639,0"]] },
  { path: "mouse/left-click", body: {}, commands: [["c:."]] },
  { path: "mouse/left-click", body: at, commands: [["m:10,20", "c:10,20"]] },
  {
    path: "mouse/left-click",
    body: { ...at, modifiers: ["command", "shift"] },
    commands: [["kd:cmd", "kd:shift", "m:10,20", "c:10,20", "ku:shift", "ku:cmd"]],
  },
  { path: "mouse/right-click", body: at, commands: [["m:10,20", "rc:10,20"]] },
  { path: "mouse/double-click", body: at, commands: [["m:10,20", "dc:10,20"]] },
  { path: "mouse/triple-click", body: at, commands: [["m:10,20", "tc:10,20"]] },
  { path: "mouse/left-click", body: { click_count: 3 }, commands: [["tc:."]] },
  {
    path: "mouse/right-click",
    body: { click_count: 2 },
    events: [
      [1, 2].flatMap((press) =>
        [true, false].map((down) => ({ type: "button", button: 1, down, press }))
      ),
    ],
  },
  {
    path: "mouse/middle-click",
    body: at,
    commands: [["m:10,20"]],
    events: [[
      { type: "button", button: 2, down: true },
      { type: "button", button: 2, down: false },
    ]],
  },
  {
    path: "mouse/scroll",
    body: { ...at, clicks: -3, horizontal_clicks: 2 },
    commands: [["m:10,20"]],
    events: [[{ type: "wheel", up: -3, right: 2 }]],
  },
  { path: "mouse/scroll", body: { clicks: 0 } },
  {
    path: "mouse/scroll",
    body: { clicks: -30, unit: "pixels" },
    events: [[{ type: "wheel", up: -30, right: 0, unit: "pixel" }]],
  },
  { path: "keyboard/key", body: { key: "enter" }, commands: [["kp:return"]] },
  { path: "keyboard/key", body: { key: "a" }, commands: [["t:a"]] },
  { path: "keyboard/key", body: { key: "ctrl++" }, commands: [["kd:ctrl", "t:+", "ku:ctrl"]] },
  {
    path: "keyboard/key",
    body: { key: "ctrl+shift+t" },
    commands: [["kd:ctrl", "kd:shift", "t:t", "ku:shift", "ku:ctrl"]],
  },
  {
    path: "keyboard/hotkey",
    body: { keys: ["win", "alt", "F5"] },
    commands: [["kd:cmd", "kd:alt", "kp:f5", "ku:alt", "ku:cmd"]],
  },
  {
    path: "keyboard/key",
    body: { key: "f20" },
    events: [[{ type: "key", code: 90, down: true }, { type: "key", code: 90, down: false }]],
  },
  {
    path: "keyboard/hotkey",
    body: { keys: ["left", "up"] },
    commands: [["kp:arrow-up"]],
    events: [[{ type: "key", code: 123, down: true }], [{ type: "key", code: 123, down: false }]],
  },
  {
    path: "keyboard/type",
    body: { text: "ls -l  \ncd\t" },
    commands: [["t:ls -l", "kp:space", "kp:space", "kp:return", "t:cd", "kp:tab"]],
  },
  {
    path: "keyboard/type",
    body: { text: "ab", typing_delay: 100 },
    commands: [["t:a"], ["t:b"]],
  },
];

for (const { path, body, commands = [], events = [] } of CASES) {
  Deno.test(`${path} on a Mac: ${JSON.stringify(body)}`, async () => {
    await using mac = await startMac();
    await using service = await startMacService(mac);
    const { status } = await service.post(`/api/${path}`, body);
    expect(status).toBe(path.startsWith("mouse/") ? 204 : 200);
    const calls = mac.calls();
    expect(commandsOf(calls)).toEqual(commands);
    expect(eventsOf(calls)).toEqual(events);
    expect(argumentsOf(calls, "cliclick")).toEqual(commands.map(() => ["-f", "-"]));
    expect(mac.desktop.down).toEqual([]);
  });
}

Deno.test("mouse/drag on a Mac presses, drags in steps and releases with the left button", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  expect(await service.post("/api/mouse/drag", { x: 37, y: 38, duration_ms: 0 })).toMatchObject({
    status: 204,
  });
  const [position, steps, ...more] = commandsOf(mac.calls());
  expect(position).toEqual(["p:."]);
  expect(steps?.slice(0, 3)).toEqual(["dd:.", "dm:7,8", "dm:9,10"]);
  expect(steps?.slice(-2)).toEqual(["dm:37,38", "du:37,38"]);
  expect(steps?.length).toBe(18);
  expect(more).toEqual([]);
  expect(mac.desktop).toMatchObject({ cursor: [37, 38], down: [] });
});

Deno.test("mouse/move on a Mac along a line passes over points that are late", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/mouse/move", { x: 300, y: 200, duration_ms: 400 });
  const [position, ...steps] = commandsOf(mac.calls());
  expect(position).toEqual(["p:."]);
  expect(steps.length).toBeGreaterThan(1);
  expect(steps.every((lines) => lines.length === 1)).toBe(true);
  expect(steps.at(-1)).toEqual(["m:300,200"]);
});

Deno.test("mouse/drag on a Mac goes by events with another button", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/mouse/drag", { x: 37, y: 38, button: "right", duration_ms: 0 });
  const [steps] = eventsOf(mac.calls()) as { type: string }[][];
  expect(steps?.[0]).toEqual({ type: "button", button: 1, down: true });
  expect(steps?.at(-2)).toEqual({ type: "move", button: 1, x: 37, y: 38 });
  expect(steps?.at(-1)).toEqual({ type: "button", button: 1, down: false });
});

Deno.test("mouse/down and up, keyboard/hold and release on a Mac keep things down between requests", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post("/api/mouse/down", { button: "left" });
  await service.post("/api/mouse/down", { button: "back" });
  await service.post("/api/keyboard/hold", { key: "shift" });
  await service.post("/api/keyboard/hold", { key: "right" });
  expect(mac.desktop.down).toEqual(["button 3", "key 124", "left", "shift"]);
  await service.post("/api/mouse/up", { button: "left" });
  await service.post("/api/mouse/up", { button: "back" });
  await service.post("/api/keyboard/release", { key: "shift" });
  await service.post("/api/keyboard/release", { key: "right" });
  expect(mac.desktop.down).toEqual([]);
});

Deno.test("system/release-all on a Mac lets go of everything, whoever pressed it", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  for (const key of ["shift", "right"]) await service.post("/api/keyboard/hold", { key });
  for (const button of ["left", "middle"]) await service.post("/api/mouse/down", { button });
  mac.change((desktop) => desktop.down.push("cmd"));
  expect(await service.post("/api/system/release-all", {})).toMatchObject({ status: 204 });
  expect(mac.desktop.down).toEqual([]);
});

Deno.test("mouse/position on a Mac is that of cliclick", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const answer = await service.get("/api/mouse/position");
  expect(await answer.json()).toEqual({ x: 5, y: 6 });
  expect(commandsOf(mac.calls())).toEqual([["p:."]]);
});

Deno.test("the second display of a Mac has its own corner and pixels of its own", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const second = { display_num: 2 };
  await service.post("/api/mouse/left-click", { x: 21, y: 11, ...second });
  expect(commandsOf(mac.calls())).toEqual([["m:=-790,=-95", "c:=-790,=-95"]]);
  const position = await service.get("/api/mouse/position?display_num=2");
  expect(await position.json()).toEqual({ x: 20, y: 10 });
  const size = await service.get("/api/display/screen_size?display_num=2");
  expect(await size.json()).toEqual({ width: 1_600, height: 1_200 });
});

Deno.test("keyboard/key on a Mac refuses what cliclick cannot press or hold, and presses nothing", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  for (const key of ["é", "capslock", "ctrl+insert"]) {
    const answer = await service.post("/api/keyboard/key", { key });
    expect(answer).toMatchObject({ status: 501 });
    expect(JSON.stringify(answer.body)).toContain("cliclick has no such key");
  }
  const held = await service.post("/api/keyboard/hold", { key: "a" });
  expect(held).toMatchObject({ status: 501 });
  expect(JSON.stringify(held.body)).toContain("cliclick holds only");
  expect(await (await service.get("/api/keyboard/held")).json()).toEqual([]);
  const both = await service.post("/api/keyboard/hotkey", { keys: ["ctrl", "a", "b"] });
  expect(both).toMatchObject({ status: 501 });
  expect(mac.desktop).toMatchObject({ typed: "", down: [] });
});

function eventsOf(calls: readonly Call[]): unknown[] {
  return calls.filter(({ program, args }) => program === "osascript" && args.length > 4)
    .map(({ args }) => JSON.parse(args[4]!));
}

function argumentsOf(calls: readonly Call[], program: Call["program"]): (readonly string[])[] {
  return calls.filter((call) => call.program === program).map(({ args }) => args);
}
