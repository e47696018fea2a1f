/** Pipes that other programs write to. */

import { expect } from "expect";
import { ERRNO, type MessageSocketLibrary, PIPE_FLAGS } from "../../../../ffi/linux/sockets.ts";
import { messageSocketLibrary } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { Pipe } from "../../../../src/platform/linux/sockets/pipe.ts";
import { testIf } from "../../../support/test_if.ts";

const test = testIf(Deno.build.os === "linux", "needs Linux");

function write(file: number, bytes: Uint8Array<ArrayBuffer>): number {
  return Number(messageSocketLibrary().write(file, bytes, BigInt(bytes.length)));
}

test("read() fills the buffer with what comes in parts", async () => {
  using pipe = Pipe.open();
  const bytes = new Uint8Array(3_000_000);
  const sent = bytes.map((_, i) => i * 7 & 0xff);
  const reading = pipe.read(bytes, { idleMs: 5_000 });
  let turns = 0;
  for (let done = 0; done < sent.length;) {
    done += Math.max(0, write(pipe.writing, sent.subarray(done, done + 100_000)));
    await new Promise((resolve) => setTimeout(resolve));
    turns++;
  }
  expect(await reading).toBe(bytes.length);
  expect(turns).toBeGreaterThan(3);
  expect(bytes).toEqual(sent);
});

test("read() returns how much came before the other side ended", async () => {
  using pipe = Pipe.open();
  write(pipe.writing, new Uint8Array([1, 2, 3]));
  pipe.closeWriting();
  const bytes = new Uint8Array(10);
  expect(await pipe.read(bytes, { idleMs: 5_000 })).toBe(3);
  expect([...bytes.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
});

test("read() gives up when nothing comes, and at once when it is stopped", async () => {
  using pipe = Pipe.open();
  const bytes = new Uint8Array(10);
  await expect(pipe.read(bytes, { idleMs: 1 })).rejects.toMatchObject({ code: "timed_out" });
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(pipe.read(bytes, { idleMs: 60_000, signal })).rejects.toThrow("stopped");
});

test("a pipe leaves no descriptor open", async () => {
  const open = async () => (await Array.fromAsync(Deno.readDir("/proc/self/fd"))).length;
  const before = await open();
  for (let i = 0; i < 50; i++) {
    using pipe = Pipe.open();
    pipe.closeWriting();
    pipe.closeWriting();
  }
  expect(await open()).toBe(before);
});

test("read() tells an error of the system from the end of the pipe", async () => {
  const libc = messageSocketLibrary();
  const ends = new Int32Array(2);
  expect(libc.pipe2(new Uint8Array(ends.buffer), PIPE_FLAGS)).toBe(0);
  libc.close(ends[0]!);
  using pipe = Pipe.adopt(ends[1]!); // the end for writing: it cannot be read
  const failure = { code: "unavailable", message: expect.stringContaining("Cannot read a pipe") };
  await expect(pipe.read(new Uint8Array(1), { idleMs: 5_000 })).rejects.toMatchObject(failure);
});

test("read() goes on after a signal has interrupted it", async () => {
  const libc = messageSocketLibrary();
  let interrupted = false;
  const errno = new Int32Array([ERRNO.EINTR]);
  const once = {
    ...libc,
    read: (...args: Parameters<typeof libc.read>) => interrupted ? libc.read(...args) : -1n,
    __errno_location: () => {
      interrupted = true;
      return Deno.UnsafePointer.of(errno);
    },
  } as unknown as MessageSocketLibrary;
  using pipe = Pipe.open(once);
  libc.write(pipe.writing, new Uint8Array([7]), 1n);
  const bytes = new Uint8Array(1);
  expect(await pipe.read(bytes, { idleMs: 5_000 })).toBe(1);
  expect([...bytes]).toEqual([7]);
});
