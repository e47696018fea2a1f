/** The socket of the console: who may open it, what may be sent over it, and how it ends. */

import { expect } from "expect";
import { ServiceError } from "../../src/core/errors.ts";
import { Control } from "../../src/features/control/control.ts";
import {
  closing,
  consoleModules,
  openPage,
  openSocket,
  pageKey,
  serveConsole,
  takeTicket,
  testSockets as test,
} from "../support/console.ts";
import { testApp, type TestAppOptions } from "../support/client.ts";
import { waitFor } from "../support/wait.ts";

function startConsole(options: TestAppOptions = {}) {
  const app = testApp(options);
  const served = serveConsole(app);
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(served.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    app,
    post,
    url: served.url,
    async [Symbol.asyncDispose]() {
      await app.session[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

const MOVE = { x: 3, y: 4 };

test("the page and its files are there, with a strict policy, also below the name", async () => {
  const app = testApp({ config: { name: "desk-1" } });
  for (
    const path of ["/console", "/desk-1/console", "/console/console.js", "/console/console.css"]
  ) {
    const { status, headers, text } = await app.send("GET", path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text.length).toBeGreaterThan(100);
  }
  expect((await app.send("GET", "/console/nothing.js")).status).toBe(404);
  expect((await app.send("POST", "/console")).status).toBe(405);
});

test("a page is told who it is, who has control, and what is done", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  expect(await page.message("hello")).toMatchObject({ watch_only: false, scopes: null });
  expect(await page.message("state")).toMatchObject({ mode: "programs", by: null });
  await service.post("/api/mouse/move", MOVE);
  const { entries } = await page.message("activity", ({ entries }) => entries.length > 0);
  expect(entries[0]).toMatchObject({ operation: "mouse.move", who: "anyone" });
});

test("while a person has control programs are refused, and the person's requests are not", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  expect((await service.post("/api/mouse/move", MOVE)).status).toBe(423);
  expect((await service.post("/api/mouse/move", MOVE, page.headers)).status).toBe(204);
  page.send({ t: "hand_back" });
  await page.message("state", ({ mode }) => mode === "programs", page.received.length);
  expect((await service.post("/api/mouse/move", MOVE)).status).toBe(204);
});

test("a person's input is sent in its order, and released when the page lets go", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  const input = service.app.platform.screen(1).fake;
  const before = input.sent.length;
  page.send({ t: "input", op: "mouse.move", fields: MOVE });
  page.send({ t: "input", op: "mouse.down", fields: {} });
  page.send({ t: "input", op: "keyboard.hold", fields: { key: "ControlLeft" } });
  await waitFor(() => input.keyboard.down.size === 1 && input.mouse.down.size === 1);
  expect(
    input.sent.slice(before).filter((line) => /^(move|press)/.test(line)).map((line) =>
      line.split(" ")[0]
    ),
  ).toEqual(["move", "press", "press"]);
  page.send({ t: "release" });
  await waitFor(() => input.keyboard.down.size === 0 && input.mouse.down.size === 0);
});

test("what a page holds is released when it is closed", async () => {
  await using service = startConsole();
  const input = service.app.platform.screen(1).fake;
  {
    await using page = await openPage(service.url);
    page.send({ t: "take" });
    await page.message("state", ({ mode }) => mode === "person");
    page.send({ t: "input", op: "keyboard.hold", fields: { key: "a" } });
    await waitFor(() => input.keyboard.down.size === 1);
  }
  await waitFor(() => input.keyboard.down.size === 0);
});

test("control ends soon once the person's page is closed, and goes on where it comes back", async () => {
  await using service = startConsole();
  const control = service.app.session.use(Control);
  /** How long it lasts if nothing happens, in minutes: one, or the ten of who does nothing. */
  const minutes = () => Math.ceil((Date.parse(control.state.until!) - Date.now()) / 60_000);
  const key = pageKey();
  {
    await using page = await openPage(service.url, { key });
    page.send({ t: "take" });
    await page.message("state", ({ mode }) => mode === "person");
    expect(minutes()).toBe(10);
  }
  await waitFor(() => minutes() === 1);
  await using _again = await openPage(service.url, { key });
  expect(minutes()).toBe(10);
});

test("without control there is no input, and other operations are none", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  page.send({ t: "input", op: "mouse.move", fields: MOVE });
  expect(await page.message("error")).toMatchObject({ to: "input", code: "conflict" });
  page.send({ t: "input", op: "bash.command", fields: { command: "true" } });
  expect((await page.closed).code).toBe(1008);
});

test("two people: the second takes over, and the first is told", async () => {
  await using service = startConsole();
  await using one = await openPage(service.url);
  await using other = await openPage(service.url);
  one.send({ t: "take" });
  const { by } = await other.message("state", ({ mode }) => mode === "person");
  other.send({ t: "take" });
  const taken = await one.message("state", (state) => state.by !== null && state.by.id !== by.id);
  expect(taken.mode).toBe("person");
  expect((await service.post("/api/mouse/move", MOVE, one.headers)).status).toBe(423);
  await waitFor(async () =>
    (await service.post("/api/mouse/move", MOVE, other.headers)).status === 204
  );
});

const garbage: [string, string | Uint8Array<ArrayBuffer>, number?][] = [
  ["no JSON", "{"],
  ["an unknown message", '{"t":"nonsense"}'],
  ["an unknown field", '{"t":"take","more":1}'],
  ["a list", "[]"],
  ["bytes", new Uint8Array(10)],
  ["a long text", JSON.stringify({ t: "hand_back", reason: "x".repeat(100_000) }), 1009],
  ["a display that cannot be", '{"t":"watch","display":-1}'],
];

for (const [name, sent, code = 1008] of garbage) {
  test(`${name} closes the socket`, async () => {
    await using service = startConsole();
    await using page = await openPage(service.url);
    page.socket.send(sent);
    expect((await page.closed).code).toBe(code);
  });
}

for (const t of ["take", "hand_back", "release"]) {
  test(`a page that sends "${t}" without end is closed`, async () => {
    await using service = startConsole();
    await using page = await openPage(service.url);
    for (let count = 0; count < 5_000; count++) page.send({ t });
    expect((await page.closed).code).toBe(1008);
    expect(page.received.length).toBeLessThan(5_000);
  });
}

test("one picture is begun at a time, and of those wanted meanwhile the last one", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  const opening = Promise.withResolvers<never>();
  const opened: number[] = [];
  const open = (display: number) => {
    opened.push(display);
    return opening.promise;
  };
  Object.assign(service.app.platform, { open });
  for (let display = 1; display <= 200; display++) page.send({ t: "watch", display });
  page.send({ t: "take" }); // all before it has been read then
  await page.message("state", ({ mode }) => mode === "person");
  expect(opened).toEqual([1]);
  opening.reject(new ServiceError("unavailable", "It is gone"));
  expect(await page.message("error")).toMatchObject({ to: "watch", detail: "It is gone" });
  expect(opened).toEqual([1, 200]);
  expect(page.received.filter(({ t }) => t === "error")).toHaveLength(1);
});

test("a ticket opens one socket, of our own page, and no other one", async () => {
  await using service = startConsole();
  const ticket = async () => (await (await takeTicket(service.url)).json()).ticket as string;
  const isOpened = async (text: string, origin?: string) => {
    const socket = openSocket(service.url, text, origin);
    const closed = closing(socket);
    const isOpen = await Promise.race([
      new Promise((resolve) => socket.onopen = () => resolve(true)),
      closed.then(() => false),
    ]);
    if (isOpen) socket.close();
    await closed;
    return isOpen;
  };
  const used = await ticket();
  expect(await isOpened(used)).toBe(true);
  expect(await isOpened(used)).toBe(false);
  expect(await isOpened("made-up")).toBe(false);
  expect(await isOpened(await ticket(), "http://elsewhere.example")).toBe(false);
});

test("only our own page gets a ticket", async () => {
  await using service = startConsole();
  const foreign = await takeTicket(service.url, {
    headers: { origin: "http://elsewhere.example" },
  });
  expect([foreign.status, await foreign.text()]).toMatchObject([403, expect.anything()]);
  const wrong = await takeTicket(service.url, { key: "short" });
  expect([wrong.status, await wrong.text()]).toMatchObject([422, expect.anything()]);
  const answer = await service.post("/console/ticket", { page: "x".repeat(20) });
  expect(answer.status).toBe(403); // no Origin
});

test("the key of a page that is not open makes nobody a person", async () => {
  await using service = startConsole();
  await using page = await openPage(service.url);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  const made = { "x-console-page": "0".repeat(32) };
  expect((await service.post("/api/mouse/move", MOVE, made)).status).toBe(403);
});

test("with the display disabled there is no live picture", async () => {
  await using service = startConsole({ config: { disabled: new Set(["display"]) } });
  await using page = await openPage(service.url);
  page.send({ t: "watch", display: 1 });
  expect(await page.message("error")).toMatchObject({ to: "watch", code: "forbidden" });
});

test("with --read-only a person's hands do nothing either", async () => {
  await using service = startConsole({ config: { readOnly: true } });
  await using page = await openPage(service.url);
  page.send({ t: "take" });
  await page.message("state", ({ mode }) => mode === "person");
  page.send({ t: "input", op: "mouse.move", fields: MOVE });
  expect(await page.message("error")).toMatchObject({ to: "mouse.move", code: "forbidden" });
});

test("the hundred and first page is refused", async () => {
  await using service = startConsole();
  await using pages = new AsyncDisposableStack();
  for (let count = 0; count < 100; count++) pages.use(await openPage(service.url));
  const answer = await takeTicket(service.url);
  expect([answer.status, await answer.text()]).toMatchObject([503, expect.anything()]);
});

test("when the service ends, all pages are told", async () => {
  const ending = new AbortController();
  await using service = startConsole({ consoleModules: consoleModules(ending.signal) });
  await using page = await openPage(service.url);
  ending.abort();
  expect((await page.closed).code).toBe(1001);
  const answer = await takeTicket(service.url);
  expect([answer.status, await answer.text()]).toMatchObject([503, expect.anything()]);
});
