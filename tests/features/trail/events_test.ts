/** The events: what is sent, who comes back, who does not read, and how many read at once. */

import { expect } from "expect";
import { Control } from "../../../src/features/control/control.ts";
import { Events } from "../../../src/features/trail/events.ts";
import { Session } from "../../../src/features/session.ts";
import { OperationLog } from "../../../src/features/trail/operation_log.ts";
import { available } from "../../../src/platform/capability.ts";
import { FakeWindows } from "../../support/fake_windows.ts";
import { serveApp, testApp } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

interface SeenEvent {
  readonly type: string;
  readonly id?: string;
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  readonly data: any;
}

/** Reads events as a browser does, from the text of the stream. */
class EventReader implements AsyncDisposable {
  readonly seen: SeenEvent[] = [];
  readonly ended: Promise<unknown>;
  readonly #reader: ReadableStreamDefaultReader<string>;

  constructor(readonly response: Response) {
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    this.ended = this.#read().catch((error) => error);
  }

  async #read(): Promise<void> {
    let text = "";
    for (let read = await this.#reader.read(); !read.done; read = await this.#reader.read()) {
      const blocks = (text + read.value).split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const lines = new Map(
      block.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]),
    );
    const [type, data, id] = ["event", "data", "id"].map((name) => lines.get(name));
    if (type !== undefined) {
      this.seen.push({ type, data: JSON.parse(data!), ...(id !== undefined && { id }) });
    }
  }

  of(type: string): SeenEvent[] {
    return this.seen.filter((event) => event.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
    await this.ended;
  }
}

async function openEvents(options?: Parameters<typeof testApp>[0]) {
  await using opening = new AsyncDisposableStack();
  const app = testApp(options);
  opening.defer(() => app.session[Symbol.asyncDispose]());
  const served = opening.use(serveApp(app));
  const running = opening.move();
  return {
    app,
    served,
    async read(query = "", headers: Record<string, string> = {}) {
      const response = await fetch(`${served.url}/api/events?${query}`, { headers });
      expect([response.status, response.headers.get("content-type")])
        .toEqual([200, "text/event-stream"]);
      return new EventReader(response);
    },
    move: async (x: number) => {
      await app.post("/api/mouse/move", { x, y: 1 });
      await app.session.use(OperationLog).flush();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

Deno.test("operations, control and help are events, in their order and with ids", async () => {
  await using events = await openEvents();
  const { app } = events;
  await using reader = await events.read();
  await events.move(3);
  const control = app.session.use(Control);
  const person = { id: "page-1", name: "Anna", kind: "person" } as const;
  const asked = app.post("/api/control/request-help", { reason: "a captcha", timeout_ms: 60_000 });
  await waitFor(() => reader.of("help").length === 1);
  await control.takeOver(person);
  await control.handBack(person);
  await asked;
  await waitFor(() => reader.of("help").length === 2 && reader.of("control").length >= 2);
  expect(reader.of("operation")[0]!.data).toMatchObject({
    operation: "mouse.move",
    outcome: "done",
  });
  expect(reader.of("help").map(({ data }) => [data.change, data.who, data.reason])).toEqual([
    ["asked", "anyone", "a captcha"],
    ["over", "anyone", undefined],
  ]);
  const modes = reader.of("control").map(({ data }) => [data.mode, data.who]);
  expect([modes[0], modes.at(-1)]).toEqual([["person", "Anna"], ["programs", null]]);
  const numbers = reader.seen.flatMap(({ id }) => id === undefined ? [] : Number(id.split("-")[1]));
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

Deno.test("the end of a lease of a desk that began before the first reader is an event", async () => {
  await using events = await openEvents();
  const { session } = events.app;
  session.desks.set("alice", { name: "alice", session, running: new Set() } as never);
  const control = session.use(Control);
  const program = { id: "program-1", name: "program", kind: "program" } as const;
  const { id } = control.lease(program, { seconds: 60 }, "alice");
  await using reader = await events.read("types=control");
  control.releaseLease(program, id, "alice");
  await waitFor(() => reader.of("control").length === 1);
  expect(reader.of("control")[0]!.data).toMatchObject({ mode: "programs", desk: "alice" });
  session.desks.delete("alice");
});

Deno.test("only the types that are asked for come", async () => {
  await using events = await openEvents();
  await using reader = await events.read("types=help,control");
  await using all = await events.read();
  await events.move(3);
  await waitFor(() => all.seen.length > 0);
  expect(reader.seen).toEqual([]);
  for (const types of ["", "clicks", "operation,", "operation,,help"]) {
    expect((await events.app.send("GET", `/api/events?types=${types}`)).status).toBe(422);
  }
});

Deno.test("windows that open and close are events, without what was typed", async () => {
  await using events = await openEvents();
  const { app } = events;
  const windows = new FakeWindows();
  app.platform.screen().windows = available(windows);
  windows.show({ id: "w0", title: "There before" });
  await using reader = await events.read("types=window");
  await app.post("/api/keyboard/type", { text: "marigold" });
  // what is open when the reading begins is no event
  await waitFor(async () => {
    windows.open({ id: "w1", title: "marigold - Editor", app: "Editor" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    windows.close("w1");
    await new Promise((resolve) => setTimeout(resolve, 60));
    return reader.seen.length >= 2;
  });
  const [opened, closed] = reader.seen;
  expect([opened!.data, closed!.data]).toMatchObject([
    { change: "opened", id: "w1", title: "… - Editor", app: "Editor", display_num: 1 },
    { change: "closed", id: "w1", title: "… - Editor" },
  ]);
  expect(JSON.stringify(reader.seen)).not.toContain("There before");
});

Deno.test("who comes back gets what was missed, and is told of what is lost", async () => {
  await using events = await openEvents();
  await using first = await events.read("types=operation");
  for (let x = 1; x <= 3; x++) await events.move(x);
  await waitFor(() => first.seen.length === 3);
  await first[Symbol.asyncDispose]();
  for (let x = 4; x <= 6; x++) await events.move(x);
  const [last] = first.seen.slice(-1);
  for (
    const again of [
      await events.read("types=operation", { "last-event-id": last!.id! }),
      await events.read(`types=operation&last_event_id=${last!.id}`),
    ]
  ) {
    await using reader = again;
    await waitFor(() => reader.seen.length === 3);
    expect(reader.seen.map(({ data }) => data.fields.x)).toEqual([4, 5, 6]);
  }
  await using other = await events.read("", { "last-event-id": "0badc0de-7" });
  await waitFor(() => other.of("operation").length === 6);
  expect(other.seen[0]).toEqual({ type: "lost", data: { count: null } });
  const [run] = last!.id!.split("-");
  for (let x = 0; x < 1_010; x++) await events.app.post("/api/mouse/move", { x, y: 1 });
  await events.app.session.use(OperationLog).flush();
  await waitFor(async () => {
    await using late = await events.read("types=operation", { "last-event-id": `${run}-2` });
    await waitFor(() => late.of("operation").length >= 1_000);
    return late.seen[0]!.type === "lost" && late.seen[0]!.data.count > 0;
  });
});

Deno.test("a reader of a desk gets nothing of an earlier one of its name", async () => {
  await using events = await openEvents();
  const { app } = events;
  const { session } = app;
  const actor = { id: "a", name: "a", kind: "program" } as const;
  const call = { id: "moveMouse", group: "mouse", method: "POST", readOnly: false } as const;
  await using all = await events.read("types=operation");
  const desks = ["earlier", "later"].map((id) => {
    const own = new Session(app.platform, session.limits, app.config, {
      name: id,
      service: session,
    });
    return {
      name: "alice",
      platform: app.platform,
      config: app.config,
      session: own,
      running: new Set<never>(),
    };
  });
  for (const [index, desk] of desks.entries()) {
    session.desks.set("alice", desk);
    const caller = { actor, desk: { name: "alice", session: desk.session } };
    session.noteCall!({ ...call, path: "/api/mouse/move" }, { x: index }, caller)!.end();
    await session.use(OperationLog).flush();
  }
  await waitFor(() => all.of("operation").length === 2);
  await using reader = await events.read("desk=alice&types=operation&last_event_id=0badc0de-7");
  await waitFor(() => reader.of("operation").length > 0);
  expect(reader.of("operation").map(({ data }) => data.fields.x)).toEqual([1]);
});

Deno.test("100 read at a time, one more is 503, and who leaves makes room", async () => {
  await using events = await openEvents();
  await using readers = new AsyncDisposableStack();
  const all = await Promise.all(Array.from({ length: 100 }, () => events.read()));
  for (const reader of all) readers.use(reader);
  expect((await events.app.send("GET", "/api/events")).status).toBe(503);
  await events.move(3);
  await waitFor(() => all.every((reader) => reader.of("operation").length === 1));
  await all[0]!.response.body; // it is read by the reader
  await all[0]![Symbol.asyncDispose]();
  await using _next = await waitFor(() => events.read().catch(() => undefined));
});

Deno.test("one that does not read is cut off, and the others get everything", async () => {
  await using events = await openEvents();
  const { session } = events.app;
  const actor = { id: "a", name: "a", kind: "program" } as const;
  const options = { actor, types: new Set(["operation"] as const), display: 1 };
  const stopped = session.use(Events).read(options).getReader();
  await using reader = await events.read("types=operation");
  const call = { id: "readFile", group: "filesystem", method: "POST", readOnly: true };
  const path = `/${"x".repeat(190)}`;
  for (let turn = 0; turn < 40; turn++) {
    for (let count = 0; count < 100; count++) {
      session.noteCall!({ ...call, path: "/api/filesystem/read" }, { path }, { actor })!.end();
    }
    await session.use(OperationLog).flush();
    await waitFor(() => reader.seen.length === (turn + 1) * 100, { everyMs: 0 });
  }
  await expect(stopped.read()).rejects.toThrow("does not read");
});

Deno.test("readers are ended when the service begins to stop", async () => {
  await using events = await openEvents();
  await using reader = await events.read();
  await events.move(3);
  await waitFor(() => reader.of("operation").length === 1);
  events.app.session.stopping.abort();
  expect(await reader.ended).toBeUndefined();
  expect(reader.of("operation").length).toBe(1);
  expect((await events.app.send("GET", "/api/events")).status).toBe(503);
});

Deno.test("nobody follows events by name, in a batch for example", async () => {
  await using events = await openEvents();
  const { json } = await events.app.post("/api/batch", { steps: [{ operation: "trail.events" }] });
  expect(json.results[0]).toMatchObject({ status: "failed", error: { code: "too_large" } });
});

Deno.test("HEAD is answered at once, and follows nothing", async () => {
  await using events = await openEvents();
  for (let count = 0; count < 101; count++) { // one more than may read
    const head = await fetch(`${events.served.url}/api/events`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  }
});
