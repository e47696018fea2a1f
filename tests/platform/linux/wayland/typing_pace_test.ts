/** How fast a text is sent, by what programs have not read. */

import { expect } from "expect";
import {
  TypingPace,
  UnreadBytesReader,
} from "../../../../src/platform/linux/wayland/unread_bytes.ts";
import { testFolder } from "../../../support/folder.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";

const MUCH = 150 * 1024;
/** In the kernel's count; a compositor joins several strokes in one. */
const SMALLEST_MESSAGE = 768;
const STUCK_MS = 30;
/** What a connection takes, in the kernel's count. */
const CONNECTION_BYTES = 208 * 1024;
/** Down, up, and the answer to the program's text input, each as a message of its own. */
const STROKE_BYTES = 3 * 768;

const confirm = () => Promise.resolve();

const testOnLinux = testIf(Deno.build.os === "linux", "needs Linux");

testOnLinux(
  "the kernel tells what a program or its compositor has not read, for the sockets of one name",
  async () => {
    await using folder = await testFolder();
    const path = `${folder.path}/wayland-9`;
    using server = Deno.listen({ transport: "unix", path });
    const reader = new UnreadBytesReader("wayland-9");
    expect(unread(reader)).toBe(0);
    using program = await Deno.connect({ transport: "unix", path });
    using compositor = await server.accept();
    const sent = await compositor.write(new Uint8Array(MUCH));
    expect(unread(reader)).toBeGreaterThanOrEqual(sent);
    expect(unread(new UnreadBytesReader("wayland-99"))).toBe(0);
    expect(unread(new UnreadBytesReader(path))).toBeGreaterThanOrEqual(sent);
    await using others = await testFolder();
    using other = Deno.listen({ transport: "unix", path: `${others.path}/wayland-9` });
    using _same = await Deno.connect({ transport: "unix", path: `${others.path}/wayland-9` });
    using _idle = await other.accept();
    expect(unread(new UnreadBytesReader(`${others.path}/wayland-9`))).toBe(0);
    for (let left = sent; left > 0;) left -= (await program.read(new Uint8Array(MUCH)))!;
    await waitFor(() => unread(reader) === 0, { what: "nothing to be unread" });
    const answered = await program.write(new Uint8Array(MUCH));
    expect(unread(reader)).toBe(answered);
    for (let left = answered; left > 0;) left -= (await compositor.read(new Uint8Array(MUCH)))!;
    await waitFor(() => unread(reader) === 0, { what: "nothing to be unread" });
  },
);

Deno.test("a text waits until programs have read, to the last byte", async () => {
  let queue = 0;
  let looks = 0;
  const read = () => {
    looks++;
    return new Map([[1, queue]]);
  };
  const pace = new TypingPace({ read }, { confirm, stuckMs: 60_000 });
  await send(pace, 120);
  queue = SMALLEST_MESSAGE;
  let isAllowed = false;
  const before = looks;
  const allowed = pace.allow().then(() => isAllowed = true);
  await waitFor(() => looks > before + 3, { what: "some looks" });
  expect(isAllowed).toBe(false);
  queue = 0;
  await allowed;
});

Deno.test("a program that has a message unread when a text begins is waited for like any other", async () => {
  let queue = SMALLEST_MESSAGE;
  let looks = 0;
  const read = () => {
    looks++;
    return new Map([[1, queue]]);
  };
  const pace = new TypingPace({ read }, { confirm, stuckMs: 60_000 });
  await send(pace, await pace.allow()); // it reads the first message, and now has that of the strokes
  let isAllowed = false;
  const before = looks;
  const allowed = pace.allow().then(() => isAllowed = true);
  await waitFor(() => looks > before + 3, { what: "some looks" });
  expect(isAllowed).toBe(false);
  queue = 0;
  await allowed;
  queue = SMALLEST_MESSAGE;
  await send(pace, await pace.allow());
  const later = pace.allow().then(() => "allowed");
  const end = looks + 3;
  await waitFor(() => looks > end, { what: "more looks" });
  expect(await Promise.race([later, Promise.resolve("waits")])).toBe("waits");
  queue = 0;
  await later;
});

Deno.test("half of the connection stays free, however little the program reads", async () => {
  let queue = 0;
  let most = 0;
  let looks = 0;
  const read = () => {
    if (++looks % 5 === 0) queue = Math.max(0, queue - 10 * STROKE_BYTES);
    return new Map([[1, queue]]);
  };
  const pace = new TypingPace({ read }, { confirm, stuckMs: 60_000 });
  for (let left = 200; left > 0;) {
    const sent = Math.min(left, await pace.allow());
    pace.note(sent);
    left -= sent;
    queue += sent * STROKE_BYTES;
    most = Math.max(most, queue);
  }
  expect(most).toBeLessThan(CONNECTION_BYTES / 2);
});

Deno.test("a program that reads nothing ends the text, unless it did not before either", async () => {
  const queues = new Map([[1, 0]]);
  const pace = new TypingPace({ read: () => queues }, { confirm, stuckMs: STUCK_MS });
  await send(pace, 100);
  queues.set(1, MUCH);
  await expect(send(pace, 100)).rejects.toThrow("does not respond");
  const next = new TypingPace({ read: () => queues }, { confirm, stuckMs: STUCK_MS });
  await send(next, 1_000);
});

Deno.test("a text that waits ends when the compositor has gone, which leaves its programs unread", async () => {
  const queues = new Map([[1, 0]]);
  let isGone = false;
  const there = async () => {
    await Promise.resolve();
    if (isGone) throw new Error("the compositor has gone");
  };
  const pace = new TypingPace({ read: () => queues }, { confirm: there, stuckMs: 2_000 });
  await send(pace, 100);
  queues.set(1, MUCH);
  isGone = true;
  await expect(send(pace, 100)).rejects.toThrow("the compositor has gone");
});

Deno.test("a text that waits for programs can be stopped", async () => {
  const queues = new Map([[1, 0]]);
  const pace = new TypingPace({ read: () => queues }, { confirm, stuckMs: 60_000 });
  await send(pace, 100);
  queues.set(1, MUCH);
  const controller = new AbortController();
  const allowed = pace.allow(controller.signal);
  controller.abort(new Error("stopped"));
  await expect(allowed).rejects.toThrow("stopped");
});

async function send(pace: TypingPace, strokes: number): Promise<void> {
  for (let left = strokes; left > 0;) {
    const sent = Math.min(left, await pace.allow());
    pace.note(sent);
    left -= sent;
  }
}

function unread(reader: UnreadBytesReader): number {
  return [...reader.read().values()].reduce((sum, bytes) => sum + bytes, 0);
}
