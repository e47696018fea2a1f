/** What `replay` says of a recording before it performs anything. */

import { expect } from "expect";
import { join } from "node:path";
import { operationsByName, widestLimits } from "../../src/cli/call/call.ts";
import { readCommandLine, type ReplayRequest } from "../../src/cli/command_line.ts";
import { performStep } from "../../src/cli/replay/perform_step.ts";
import { awaitNews, runReplay } from "../../src/cli/replay/replay.ts";
import { ServiceCalls } from "../../src/cli/replay/service_calls.ts";
import type { Step } from "../../src/cli/replay/trajectory.ts";
import { thisHost } from "../../src/platform/host.ts";
import { testFolder } from "../support/folder.ts";

const SAVE = {
  role: "button",
  name: "Save",
  within: [],
  beside: "Changes",
  path: ["button 0"],
  alike: { named: 1, of: 1, index: 0 },
};
const WINDOW = { app: "editor", title: "Text" };

function step(number: number, rest: Record<string, unknown>): Record<string, unknown> {
  return {
    number,
    fields: {},
    omitted: [],
    pause_ms: 10,
    outcome: "done",
    surface: "desktop",
    targets: {},
    trees: {},
    ...rest,
  };
}

const CLICK = step(1, {
  operation: "mouse.left-click",
  fields: { x: 10, y: 20, modifiers: [], click_count: 1, effect: false, display_num: 1 },
  targets: {
    point: { point: { x: 10, y: 20 }, at: { x: 0.5, y: 0.5 }, locator: SAVE, window: WINDOW },
  },
});
const TYPE = step(2, {
  operation: "keyboard.type",
  fields: { text: { text_length: 5 }, ref: "e4" },
  omitted: ["text"],
  targets: { ref: { locator: { ...SAVE, role: "textbox", name: "Name" }, window: WINDOW } },
});
const DRAW = step(3, {
  operation: "mouse.left-click",
  fields: { x: 300, y: 200 },
  targets: { point: { point: { x: 300, y: 200 }, window: WINDOW } },
});

async function replay(
  steps: readonly unknown[],
  flags: readonly string[] = ["--dry-run"],
  files: Readonly<Record<string, string>> = {},
) {
  await using folder = await testFolder();
  const recording = {
    schema_version: "ATIF-v1.8",
    steps: [{ source: "system" }, ...steps.map((trail) => ({ extra: { trail } }))],
    extra: { trail: { format: 1 } },
  };
  await Deno.writeTextFile(join(folder.path, "trajectory.json"), JSON.stringify(recording));
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder.path, name), text);
  }
  const words = flags.map((flag) => flag.replace("FOLDER", folder.path));
  const request = readCommandLine(["replay", folder.path, "--state-dir", folder.path, ...words]);
  return await runReplay(request as ReplayRequest, thisHost());
}

Deno.test("replay takes one folder and its own flags", () => {
  const request = readCommandLine(["replay", "run", "--until", "4", "--pixels", "--port", "4300"]);
  expect(request).toMatchObject(
    { kind: "replay", path: "run", until: 4, pixels: true, dryRun: false, port: 4_300 },
  );
  for (
    const [words, why] of [
      ["", "needs the folder"],
      ["here there", "not also there"],
      ["here --until 0", "--until"],
      ["here --until", "--until needs a value"],
      ["here --host 0.0.0.0", "replay takes no flags"],
      ["here --url nonsense", "--url"],
    ] as const
  ) {
    const args = words.split(" ").filter((word) => word !== "");
    expect(() => readCommandLine(["replay", ...args])).toThrow(why);
  }
});

Deno.test("replay --dry-run says what each step looks for, and what it lacks", async () => {
  expect(await replay([CLICK, TYPE, DRAW])).toEqual({
    code: 1,
    lines: [
      '1  mouse.left-click button "Save" beside "Changes"',
      '2  keyboard.type textbox "Name" beside "Changes": cannot be performed: "text" was not ' +
      "recorded: give it by --values, or record with texts",
      "3  mouse.left-click at 300, 200: cannot be performed: it acts at the point 300, 200, and " +
      "no element was recorded there: give --pixels to use points",
    ],
  });
});

Deno.test("replay uses no ref or window of the recorded run where what it named was not recorded", async () => {
  const steps = [
    step(1, { operation: "keyboard.type", fields: { text: "a", ref: "e4" } }),
    step(2, { operation: "mouse.drag", fields: { from: { ref: "e5" }, ref: "e6" } }),
    step(3, { operation: "window.close", fields: { id: "w7" } }),
  ];
  expect(await replay(steps, ["--dry-run", "--pixels"])).toEqual({
    code: 1,
    lines: [
      '1  keyboard.type: cannot be performed: the element that "ref" named was not recorded',
      '2  mouse.drag: cannot be performed: the element that "ref" named was not recorded',
      "3  window.close: cannot be performed: the window that it acts on was not recorded",
    ],
  });
});

Deno.test("replay does not go beyond a step whose end is not known", async () => {
  const steps = [
    step(1, { operation: "keyboard.type", fields: { text: "a" }, outcome: "cancelled" }),
    step(2, { operation: "keyboard.type", fields: { text: "b" }, outcome: "running" }),
    step(3, { operation: "keyboard.type", fields: { text: "c" }, outcome: "timed_out" }),
  ];
  const { code, lines } = await replay(steps, ["--dry-run", "--pixels"]);
  expect([code, lines]).toEqual([1, [
    "1  keyboard.type: cannot be performed: its caller left before it ended",
    "2  keyboard.type: cannot be performed: it had not ended when this was exported",
    "3  keyboard.type",
  ]]);
});

Deno.test("replay uses no tab or process of the recorded run", async () => {
  const steps = [
    step(1, { operation: "browser.close", fields: { tab_id: "t3" } }),
    step(2, { operation: "bash.process", fields: { pid: 77 } }),
  ];
  const { lines } = await replay(steps, ["--dry-run", "--pixels"]);
  expect(lines).toEqual([
    "1  browser.close: cannot be performed: it acts on a tab of the recorded run",
    "2  bash.process: cannot be performed: it acts on a process of the recorded run",
  ]);
});

Deno.test("replay acts on the element that is now where each point of a step was", async () => {
  const field = { ...SAVE, role: "textbox", name: "Password", beside: undefined };
  const target = { point: { x: 10, y: 20 }, locator: field, window: WINDOW };
  const points: readonly (readonly [object, string, object])[] = [
    [{ x: 10, y: 20, click_count: 2 }, "point", { ref: "e9", click_count: 2 }],
    [{ from: { x: 10, y: 20 }, x: 5, y: 6 }, "from", { from: { ref: "e9" }, x: 5, y: 6 }],
    [
      { authElements: [{ type: "password", coordinates: { x: 10, y: 20 } }] },
      "authElements.0.coordinates",
      { authElements: [{ type: "password", ref: "e9" }] },
    ],
  ];
  for (const [fields, name, performed] of points) {
    const recorded = step(1, {
      operation: name.startsWith("auth") ? "keychain.authenticate" : "mouse.left-click",
      fields,
      targets: { [name]: target },
    }) as unknown as Step;
    let called: unknown;
    const answers: Readonly<Record<string, unknown>> = {
      "window.list": [{ id: "w1", ...WINDOW }],
      "accessibility.snapshot": {
        elements: [{ role: "textbox", name: "Password", states: [], ref: "e9" }],
        truncated: [],
      },
    };
    const call = (operation: string, given: unknown) => {
      if (operation === recorded.operation) called = JSON.parse(JSON.stringify(given));
      return Promise.resolve(answers[operation]);
    };
    const context = {
      service: { call } as ServiceCalls,
      recording: { folder: "/nonexistent", steps: [] },
      pixels: false,
    };
    expect(await performStep(recorded, structuredClone(recorded.fields), context)).toBe("done");
    expect(called).toEqual(performed);
  }
});

Deno.test("replay --pixels moves a point as its element or its window has moved, or leaves it", async () => {
  const bounds = { x: 100, y: 100, width: 400, height: 300 };
  const slider = { ...SAVE, role: "slider", name: "Volume", beside: undefined };
  const now = { x: 200, y: 50, width: 80, height: 20 };
  const answers: Readonly<Record<string, unknown>> = {
    "window.list": [{ id: "w1", ...WINDOW, bounds: { ...bounds, x: 130, y: 90 } }],
    "accessibility.snapshot": {
      elements: [{ role: "slider", name: "Volume", states: [], ref: "e9", bounds: now }],
      truncated: [],
    },
  };
  const targets: readonly (readonly [target: object, point: object])[] = [
    [{ locator: slider, at: { x: 0.5, y: 0.25 }, window: WINDOW }, { x: 240, y: 55 }],
    [{ window: { ...WINDOW, bounds } }, { x: 40, y: 10 }],
    [{}, { x: 10, y: 20 }],
  ];
  for (const [target, point] of targets) {
    const recorded = step(1, {
      operation: "mouse.left-click",
      fields: { x: 10, y: 20 },
      targets: { point: { point: { x: 10, y: 20 }, ...target } },
    }) as unknown as Step;
    let called: unknown;
    const call = (operation: string, given: unknown) => {
      if (operation === recorded.operation) called = given;
      return Promise.resolve(answers[operation]);
    };
    const recording = { folder: "/nonexistent", steps: [] };
    const context = { service: { call } as ServiceCalls, recording };
    const perform = (pixels: boolean) =>
      performStep(recorded, structuredClone(recorded.fields), { ...context, pixels });
    await expect(perform(false)).rejects.toThrow("it acts at a point");
    expect(called).toBeUndefined();
    expect(await perform(true)).toBe("done");
    expect(called).toEqual(point);
  }
});

Deno.test("replay goes on when what a step has changed has changed again, and stops where it does not", async () => {
  await using folder = await testFolder();
  const tree = (name: string) => [{
    ...{ role: "window", name: "Text", states: [] },
    children: [{ role: "button", name, states: [] }],
  }];
  const recorded = await Promise.all(["Next", "Finish"].map(async (name, index) => {
    await Deno.writeTextFile(join(folder.path, `${index}.json`), JSON.stringify(tree(name)));
    const targets = { point: { window: WINDOW } };
    const rest = { operation: "mouse.left-click", targets, trees: { before: `${index}.json` } };
    return step(index + 1, rest) as unknown as Step;
  }));
  const awaitIn = async (shown: () => string) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      "window.list": () => [{ id: "w1", ...WINDOW }],
      "accessibility.snapshot": () => ({ elements: tree(shown()), truncated: [] }),
    };
    const call = (operation: string) => Promise.resolve(answers[operation]!());
    const recording = { folder: folder.path, steps: [] };
    await awaitNews({ service: { call } as ServiceCalls, recording }, recorded[0]!, recorded[1]!);
  };
  let looks = 0;
  await awaitIn(() => ++looks < 3 ? "Next" : "Finish");
  expect(looks).toBe(3);
  await expect(awaitIn(() => "Next"))
    .rejects.toThrow('Step 1 has not had the effect that it had: looked for button "Finish"');
});

Deno.test("replay looks and acts on the desk of the recording, or on the one that is given", async () => {
  await using service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const desks = new Set<unknown>();
  async function answer(request: Request) {
    const { pathname, searchParams } = new URL(request.url);
    const isQuery = request.method === "GET";
    desks.add(isQuery ? searchParams.get("desk") : (await request.json()).desk ?? null);
    if (pathname === "/api/window/list") return Response.json([{ id: "w1", ...WINDOW }]);
    if (pathname !== "/api/accessibility/snapshot") return new Response(null, { status: 204 });
    const elements = [{ role: "button", name: "Save", states: [], ref: "e9" }];
    return Response.json({ elements, truncated: [] });
  }
  const { port } = service.addr;
  const onAlice = { ...CLICK, fields: { ...CLICK.fields as object, desk: "alice" } };
  const runs: readonly (readonly [unknown, readonly string[], string | null])[] = [
    [CLICK, [], null],
    [CLICK, ["--desk", "bob"], "bob"],
    [onAlice, [], "alice"],
    [onAlice, ["--desk", "bob"], "bob"],
  ];
  for (const [recorded, flags, desk] of runs) {
    desks.clear();
    const { code } = await replay([recorded], ["--url", `http://127.0.0.1:${port}`, ...flags]);
    expect({ code, desks: [...desks] }).toEqual({ code: 0, desks: [desk] });
  }
});

Deno.test("replay waits for no desk that is not there", async () => {
  const asked: string[] = [];
  const detail = 'There is no desk "bob": see desk/list';
  const answer = (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === "/api/desk/list") return Response.json([{ name: "alice" }]);
    return Response.json({ detail, code: "not_found", request_id: "1" }, { status: 404 });
  };
  await using service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const flags = ["--url", `http://127.0.0.1:${service.addr.port}`, "--desk", "bob"];
  expect(await replay([CLICK], flags)).toEqual({
    code: 1,
    errors: [`Stopped at step 1  mouse.left-click button "Save" beside "Changes": ${detail}`],
  });
  expect(asked).toEqual(["/api/window/list", "/api/desk/list"]);
});

Deno.test("replay asks once whether a desk is there, however often something is missing on it", async () => {
  const asked: string[] = [];
  const answer = (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === "/api/desk/list") return Response.json([{ name: "alice" }]);
    return Response.json({ detail: "Gone", code: "not_found", request_id: "1" }, { status: 404 });
  };
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const base = new URL(`http://127.0.0.1:${server.addr.port}`);
  const all = new ServiceCalls(await operationsByName(widestLimits()), { base, token: undefined });
  const service = all.onDesk("alice");
  for (const _ of [1, 2]) {
    await expect(service.call("window.list")).rejects.toMatchObject({ code: "not_found" });
  }
  expect(asked).toEqual(["/api/window/list", "/api/desk/list", "/api/window/list"]);
});

Deno.test("replay takes values for what was not recorded, points and an end", async () => {
  const files = { "values.json": '{"2": {"text": "Hello"}}' };
  const values = ["--dry-run", "--values", "FOLDER/values.json"];
  expect(await replay([CLICK, TYPE, DRAW], [...values, "--pixels"], files))
    .toMatchObject({ code: 0, lines: { length: 3 } });
  expect(await replay([CLICK, TYPE, DRAW], [...values, "--until", "2"], files))
    .toMatchObject({ code: 0, lines: { length: 2 } });
  expect(await replay([CLICK, TYPE, DRAW], ["--dry-run", "--until", "1"]))
    .toMatchObject({ code: 0, lines: { length: 1 } });
});

Deno.test("replay refuses what it cannot understand before it does anything", async () => {
  const attempts: readonly (readonly [steps: unknown[], why: string, flags?: string[]])[] = [
    [[{ ...CLICK, operation: "mouse.nonsense" }], 'there is no operation "mouse.nonsense"'],
    [[{ ...CLICK, operation: "batch.batch" }], "there is no operation"],
    [[{ ...CLICK, fields: { x: 10, y: 20, clicks: 2 } }], "Step 1, mouse.left-click: clicks"],
    [[{ ...CLICK, fields: { x: "ten", y: 20 } }], "Step 1, mouse.left-click: x"],
    [[{ ...CLICK, pause_ms: -1 }], "is damaged"],
    [[{ ...CLICK, targets: { point: { locator: { role: "button" } } } }], "is damaged"],
    [[CLICK], "--until 9: the recording has 1 steps", ["--until", "9"]],
    [[CLICK], "Cannot read", ["--values", "FOLDER/nothing.json"]],
    [[CLICK], "there is no step 2", ["--values", "FOLDER/values.json"]],
    [[CLICK, { ...TYPE, omitted: [] }], 'lacks nothing, not "text"', [
      "--values",
      "FOLDER/values.json",
    ]],
    [[CLICK], "is not valid JSON", ["--values", "FOLDER/broken.json"]],
    [[CLICK], "fields by step", ["--values", "FOLDER/list.json"]],
  ];
  const files = { "values.json": '{"2": {"text": "a"}}', "broken.json": "{", "list.json": "[1]" };
  for (const [steps, why, flags = []] of attempts) {
    await expect(replay(steps, flags, files)).rejects.toThrow(why);
  }
  for (const path of ["/nonexistent", import.meta.filename!]) {
    const request = readCommandLine(["replay", path]) as ReplayRequest;
    await expect(runReplay(request, thisHost())).rejects.toThrow(path);
  }
});

Deno.test("replay says that no service is running", async () => {
  const { code, errors } = await replay([CLICK], []);
  expect({ code, errors }).toMatchObject({
    code: 3,
    errors: [expect.stringContaining("No service is running")],
  });
});
