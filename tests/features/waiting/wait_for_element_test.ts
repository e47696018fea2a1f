/** display/wait for elements and texts that programs show, on fake programs. */

import { expect } from "expect";
import { available } from "../../../src/platform/capability.ts";
import type { Group } from "../../../src/core/groups.ts";
import { testApp, type TestAppOptions } from "../../support/client.ts";
import { FakeAccessibility, type FakeElement } from "../../support/fake_accessibility.ts";
import { waitFor } from "../../support/wait.ts";

const LONG_MS = 30_000;

function setUp(options: TestAppOptions = {}) {
  const app = testApp(options);
  const programs = new FakeAccessibility();
  const list: FakeElement = { id: "list", role: "list", name: "Files", children: [] };
  programs.roots = [{ id: "w", role: "frame", name: "Editor", window: "0x1", children: [list] }];
  app.platform.screen().accessibility = available(programs);
  const wait = (until: unknown, timeout_ms = LONG_MS) =>
    app.post("/api/display/wait", { until, timeout_ms });
  return {
    app,
    programs,
    wait,
    /** Shows an element, and sends the event of that. */
    show(element: FakeElement) {
      list.children!.push(element);
      programs.waiters.notify();
    },
    /** Resolves when a wait has looked in vain. */
    looked: (readings = 1) => waitFor(() => programs.readings >= readings),
  };
}

const SAVE: FakeElement = {
  id: "save",
  role: "button",
  name: "Save as...",
  states: ["focusable"],
  abilities: ["click"],
  bounds: { x: 10, y: 20, width: 30, height: 10 },
};

Deno.test("waits for an element by role, name, text and states, and gives its ref", async () => {
  const { app, wait, show, looked, programs } = setUp();
  const waiting = wait({ element: { role: "button", name: "save", states: ["focusable"] } });
  await looked();
  show({ ...SAVE, id: "other", name: "Open" });
  await looked(2);
  show(SAVE);
  const { status, json } = await waiting;
  expect([status, json]).toEqual([200, {
    status: "found",
    elapsed_ms: expect.any(Number),
    element: expect.objectContaining({ ref: "e1", role: "button", name: "Save as..." }),
  }]);
  const click = await app.post("/api/mouse/left-click", { ref: json.element.ref });
  expect([click.status, app.platform.screen().fake.sent]).toEqual([
    204,
    ["move 25,25", "press left", "release left"],
  ]);
  const { readings } = programs;
  expect((await wait({ element: { text: "Save AS" } }, 0)).json.status).toBe("found");
  expect(programs.readings).toBe(readings + 1);
  expect((await wait({ element: { name: "Save", exact: true } }, 0)).json.status).toBe("timeout");
});

Deno.test("waits for a text anywhere, and until it is gone", async () => {
  const { wait, show, looked, programs } = setUp();
  const shown = wait({ text: "42 files" });
  await looked();
  show({ id: "status", role: "statusbar", value: "About 42 files copied" });
  expect((await shown).json).toMatchObject({ status: "found", element: { role: "statusbar" } });
  const before = programs.readings;
  const gone = wait({ gone: { text: "42 files" } });
  await looked(before + 1);
  programs.remove("status");
  programs.waiters.notify();
  expect((await gone).json).toEqual({ status: "gone", elapsed_ms: expect.any(Number) });
});

Deno.test("what comes is looked for without waiting for pages, and nothing is gone before they are there", async () => {
  const { app, wait, programs } = setUp();
  await wait({ text: "42 files" }, 0);
  expect(programs.pageWaits.splice(0)).toEqual([0]);
  await wait({ gone: { text: "42 files" } }, 0);
  expect(programs.pageWaits.splice(0)).toEqual([2_000]);
  await app.post("/api/accessibility/find", { name: "Nothing" });
  expect(programs.pageWaits).toEqual([undefined, 0]);
});

Deno.test("waits for a change of the very element of a ref, and until that is gone", async () => {
  const { wait, show, programs } = setUp();
  show({ ...SAVE, states: ["disabled"] });
  const { ref } = (await wait({ element: { name: "Save" } })).json.element;
  const enabled = wait({ gone: { element: { ref, states: ["disabled"] } } });
  const focused = wait({ element: { ref, states: ["focused"] } });
  expect((await wait({ element: { ref, states: ["focused"] } }, 0)).json.status).toBe("timeout");
  programs.get("save").states = ["focused"];
  programs.waiters.notify();
  expect((await enabled).json.status).toBe("gone");
  expect((await focused).json).toMatchObject({ status: "found", element: { ref } });
  const gone = wait({ gone: { element: { ref } } });
  const never = wait({ element: { ref, states: ["checked"] } });
  expect((await wait({ gone: { element: { ref } } }, 0)).json.status).toBe("timeout");
  programs.remove("save");
  programs.waiters.notify();
  expect((await gone).json.status).toBe("gone");
  expect((await never).status).toBe(409);
  expect((await wait({ gone: { element: { ref: "e99" } } })).status).toBe(409);
});

Deno.test("looks again without an event, as not every program sends one", async () => {
  const { wait, looked, programs } = setUp();
  const waiting = wait({ element: { name: "Save" } });
  await looked();
  programs.roots[0]!.children!.push(SAVE);
  expect((await waiting).json.status).toBe("found");
});

Deno.test("nothing is gone while not everything was read, or a program has become silent", async () => {
  const { wait, looked, programs } = setUp();
  programs.silent = ["asleep"];
  expect((await wait({ gone: { text: "x" } }, 0)).json.status).toBe("gone");
  programs.roots.push({ id: "t", role: "frame", name: "xterm" });
  const gone = wait({ gone: { text: "xterm" } });
  const before = programs.readings;
  await looked(before + 1);
  programs.remove("t");
  programs.silent = ["asleep", "xterm"];
  programs.waiters.notify();
  await looked(before + 3);
  expect(await Promise.race([gone, Promise.resolve("open")])).toBe("open");
  programs.silent = [];
  programs.waiters.notify();
  expect((await gone).json.status).toBe("gone");
});

Deno.test("twenty waits for the same elements share what is read", async () => {
  const { wait, show, looked, programs } = setUp();
  programs.readMs = 50;
  const waiting = Array.from({ length: 20 }, (_, i) => wait({ element: { name: `file ${i}.` } }));
  await looked();
  for (let i = 0; i < 20; i++) {
    programs.roots[0]!.children![0]!.children!.push({
      id: `f${i}`,
      role: "row",
      name: `file ${i}.`,
    });
  }
  show(SAVE);
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ json }) => json.element.ref)).size).toBe(20);
  expect(programs.readings).toBeLessThan(10);
});

Deno.test("the wait ends with its client, and leaves nobody who listens", async () => {
  const { app, programs, looked } = setUp();
  const client = new AbortController();
  const waiting = (async () =>
    await app.fetch(
      new Request("http://localhost/api/display/wait", {
        method: "POST",
        headers: { host: "localhost", "content-type": "application/json" },
        body: JSON.stringify({ until: { text: "x" }, timeout_ms: LONG_MS }),
        signal: client.signal,
      }),
    ))();
  await looked();
  await waitFor(() => programs.listeners === 1, { what: "one who listens" });
  client.abort();
  await waiting.catch(() => {});
  await waitFor(() => programs.listeners === 0);
});

Deno.test("conditions of what is switched off, missing or faulty are refused", async () => {
  const disabled = new Set<Group>(["accessibility"]);
  const off = setUp({ config: { disabled } });
  expect((await off.wait({ text: "x" })).status).toBe(403);
  const { app, wait } = setUp();
  app.platform.screen().accessibility = { ready: false, reason: "No bus here" };
  const { status, json } = await wait({ element: { name: "x" } });
  expect([status, json.detail]).toEqual([501, "No bus here"]);
  for (
    const [until, loc] of [
      [{ element: {} }, ["element"]],
      [{ element: { exact: true } }, ["element"]],
      [{ element: { states: ["broken"] } }, ["element", "states", 0]],
      [{ gone: { element: {} } }, ["gone", "element"]],
      [{ text: "" }, ["text"]],
      [{ text: "x", element: { name: "x" } }, []],
    ] as const
  ) {
    const { json } = await wait(until);
    expect([until, json.detail.map(({ loc }: { loc: unknown }) => loc)])
      .toEqual([until, [["body", "until", ...loc]]]);
  }
});
