/** One open page whose socket and picture a test has in its hands: what waits to be sent is bounded. */

import { expect } from "expect";
import { ANYONE } from "../../src/features/actor.ts";
import { Control } from "../../src/features/control/control.ts";
import { Activity } from "../../src/console/activity.ts";
import { ConsoleConnection, type PageSocket } from "../../src/console/connection.ts";
import type { LiveMessage } from "../../src/features/live/message.ts";
import { testApp } from "../support/client.ts";
import { waitFor } from "../support/wait.ts";

const MIB = 1024 * 1024;

/** A socket of a page that reads what a test says. */
class FakeSocket implements PageSocket {
  unsent = 0;
  readonly sent: (string | ArrayBuffer)[] = [];
  closed: number | undefined;
  readonly #reading = Promise.withResolvers<void>();
  readonly written = this.#reading.promise;
  #events: Parameters<PageSocket["start"]>[0] | undefined;

  start(events: Parameters<PageSocket["start"]>[0]): void {
    this.#events = events;
  }

  send(message: string | ArrayBuffer): void {
    this.sent.push(message);
  }

  close(code: number): void {
    if (this.closed !== undefined) throw new Error("It is closed already");
    this.closed = code;
    this.#events?.onClose();
  }

  receive(message: unknown): void {
    this.#events?.onMessage(JSON.stringify(message));
  }

  /** The page reads all. */
  read(): void {
    this.unsent = 0;
    this.#reading.resolve();
  }
}

function openConnection({ isCrowded = false } = {}) {
  const app = testApp();
  const { session, callables: calls } = app;
  const control = session.use(Control);
  const viewers: { display: number; send: (message: LiveMessage) => void; isLeft: boolean }[] = [];
  const live = {
    watch(options: { display_num: number }, send: (message: LiveMessage) => void) {
      const viewer = { display: options.display_num, send, isLeft: false };
      viewers.push(viewer);
      const leave = () => void (viewer.isLeft = true);
      return Promise.resolve({ acknowledge() {}, [Symbol.dispose]: leave });
    },
  };
  const socket = new FakeSocket();
  const activity = new Activity({ session });
  const connection = new ConsoleConnection(socket, {
    actor: { ...ANYONE, id: "page-1", kind: "person" },
    calls,
    activity,
    control,
    live,
    desk: () => ({ live, running: new Set() }),
    computer: null,
    isCrowded: () => isCrowded,
  });
  return {
    session,
    socket,
    control,
    connection,
    viewers,
    async [Symbol.asyncDispose]() {
      activity[Symbol.dispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}

/** Something that all pages are told. */
async function change({ control }: { readonly control: Control }): Promise<void> {
  await control.pause(ANYONE);
  control.resume(ANYONE);
}

Deno.test("a page that does not read is closed, and what it had ends at once", async () => {
  await using page = openConnection();
  const { socket } = page;
  socket.receive({ t: "watch", display: 1 });
  await waitFor(() => page.viewers.length === 1);
  socket.unsent = 8 * MIB;
  await change(page);
  expect(socket.closed).toBeUndefined();
  socket.unsent++;
  const before = socket.sent.length;
  await change(page);
  expect([socket.closed, socket.sent.length]).toEqual([1013, before]);
  expect(page.viewers[0]!.isLeft).toBe(true);
  await page.connection.closed;
});

Deno.test("two pictures that are on their way do not count", async () => {
  await using page = openConnection();
  const { socket } = page;
  socket.receive({ t: "watch", display: 1 });
  await waitFor(() => page.viewers.length === 1);
  const picture = new ArrayBuffer(12 * MIB);
  page.viewers[0]!.send(picture);
  page.viewers[0]!.send(picture);
  socket.unsent = 24 * MIB;
  await change(page);
  expect([socket.closed, socket.sent.filter((each) => each === picture).length])
    .toEqual([undefined, 2]);
  socket.unsent = 32 * MIB + 1;
  await change(page);
  expect(socket.closed).toBe(1013);
});

Deno.test("where memory is short, a page is closed that has not read a mebibyte", async () => {
  await using page = openConnection({ isCrowded: true });
  const { socket } = page;
  socket.unsent = MIB;
  await change(page);
  expect(socket.closed).toBeUndefined();
  socket.unsent++;
  await change(page);
  expect(socket.closed).toBe(1013);
});

Deno.test("no other picture is begun before the page has read what it was sent", async () => {
  await using page = openConnection();
  const { socket, viewers } = page;
  socket.unsent = MIB + 1;
  for (let display = 1; display <= 9; display++) {
    socket.receive({ t: "watch", display });
    for (let turn = 0; turn < 100; turn++) await Promise.resolve(); // whatever needs no reading is done
  }
  expect(viewers).toHaveLength(0);
  socket.read();
  await waitFor(() => viewers.length > 0);
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(viewers.map(({ display, isLeft }) => [display, isLeft])).toEqual([[9, false]]);
});

Deno.test("who takes over again and again is closed", async () => {
  await using page = openConnection();
  for (let count = 0; count < 10; count++) {
    page.socket.receive({ t: count % 2 === 0 ? "take" : "hand_back" });
  }
  expect(page.socket.closed).toBeUndefined();
  page.socket.receive({ t: "take" });
  expect(page.socket.closed).toBe(1008);
});

Deno.test("a page acts on the desk that it shows, whose pause and lease it is told", async () => {
  await using page = openConnection();
  const { socket, control, session } = page;
  session.desks.set("alice", { name: "alice", session, running: new Set() } as never);
  control.lease({ ...ANYONE, id: "program-1", name: "program" }, { seconds: 60 }, "alice");
  const told = () =>
    socket.sent.filter((each) => typeof each === "string").map((each) => JSON.parse(each));
  const states = () => told().filter(({ t }) => t === "state");
  expect(states().at(-1)).toMatchObject({ mode: "programs" });
  socket.receive({ t: "watch", display: 1, desk: "alice" });
  expect(states().at(-1)).toMatchObject({ mode: "leased", desk: "alice" });
  socket.receive({ t: "take" });
  await waitFor(() => states().at(-1)!.mode === "person");
  const input = (desk?: string) =>
    socket.receive({ t: "input", op: "keyboard.key", fields: { key: "a", ...desk && { desk } } });
  for (const desk of [undefined, "bob"]) input(desk);
  await waitFor(() => told().filter(({ t }) => t === "error").length === 2);
  for (const error of told().filter(({ t }) => t === "error")) {
    expect(error).toMatchObject({ code: "conflict", detail: "The page does not show that desk" });
  }
});
