/** The clipboard of GNOME by the calls of a session, as that answers them when it is busy. */

import { expect } from "expect";
import { BusError } from "../../../../src/platform/linux/bus/types.ts";
import { BusClipboard } from "../../../../src/platform/linux/wayland/clipboards.ts";
import { messageSocketLibrary } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { writeAndClose } from "../../../../src/platform/linux/sockets/pipe.ts";
import { testIf } from "../../../support/test_if.ts";

const test = testIf(Deno.build.os === "linux", "needs Linux");
const TEXT = "text/plain;charset=utf-8";
const READING = { maxBytes: 1_000, idleMs: 10_000 };
const BUSY = new BusError(
  "org.freedesktop.DBus.Error.LimitsExceeded",
  "Tried to read in parallel",
  {
    destination: "org.gnome.Mutter.RemoteDesktop",
  },
);
const content = (text: string) => new Map([[TEXT, [new TextEncoder().encode(text)]]]);

test("a read that comes before the desktop is done with the last one is tried again", async () => {
  const desktop = await openDesktop();
  desktop.tellOwner([TEXT], false);
  desktop.busyReads = 3;
  const read = await desktop.clipboard.readType(TEXT, READING);
  expect(read?.parts.map((part) => new TextDecoder().decode(part))).toEqual(["theirs"]);
  desktop.busyReads = Infinity;
  await expect(desktop.clipboard.readType(TEXT, { ...READING, idleMs: 20 })).rejects.toMatchObject({
    code: "timed_out",
  });
});

test("a program that copies while a type is asked for: the new content counts", async () => {
  const desktop = await openDesktop();
  desktop.tellOwner([TEXT], false);
  desktop.busyReads = 1;
  desktop.onRead = () => desktop.tellOwner(["image/png"], false);
  expect(await desktop.clipboard.readType(TEXT, READING)).toBeUndefined();
});

test("what a program has copied before an offer does not replace it, but what comes after does", async () => {
  const desktop = await openDesktop();
  const first = await desktop.clipboard.offer(content("first"));
  desktop.onSet = () => desktop.tellOwner(["text/html"], false);
  const second = await desktop.clipboard.offer(content("second"));
  expect([first.isReplaced, second.isReplaced]).toEqual([true, false]);
  desktop.afterSet = () => desktop.tellOwner(["image/png"], false); // beside the answer
  const third = await desktop.clipboard.offer(content("third"));
  expect(third.isReplaced).toBe(true);
  expect(await desktop.clipboard.types()).toEqual(["image/png"]);
});

test("an offer that comes while another one waits for the desktop replaces that, and is replaced by none", async () => {
  const desktop = await openDesktop();
  const answers = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const asked: (readonly string[])[] = [];
  desktop.onSet = (types) => {
    asked.push(types);
    return answers[asked.length - 1]?.promise;
  };
  const pasting = desktop.clipboard.offer(content("pasted"));
  const setting = desktop.clipboard.offer(new Map([["text/html", []]]));
  for (const { resolve } of answers) resolve();
  const [pasted, set] = await Promise.all([pasting, setting]);
  expect(asked).toEqual([[TEXT], ["text/html"]]);
  expect([pasted.isReplaced, set.isReplaced]).toEqual([true, false]);
  expect(await desktop.clipboard.types()).toEqual(["text/html"]);
});

async function openDesktop() {
  let owner: (types: readonly string[], isOurs: boolean) => void = () => {};
  const desktop = {
    busyReads: 0,
    tellOwner: (types: readonly string[], isOurs: boolean) => owner(types, isOurs),
    onRead: () => {},
    onSet: (_types: readonly string[]): Promise<void> | void => {},
    afterSet: () => {},
  };
  const clipboard = await BusClipboard.open({
    isOpen: () => true,
    async set(types) {
      await desktop.onSet(types);
      owner(types, types.length > 0);
      desktop.afterSet();
    },
    read() {
      desktop.onRead();
      if (desktop.busyReads-- > 0) return Promise.reject(BUSY);
      return Promise.resolve(pipeWith("theirs"));
    },
    write: () => Promise.reject(BUSY),
    writeDone() {},
    onTransfer: () => Promise.resolve(),
    onOwner(listener) {
      owner = listener;
      return Promise.resolve();
    },
  });
  return Object.assign(desktop, { clipboard });
}

/** The end for reading of a pipe that gives a text. */
function pipeWith(text: string): number {
  const ends = new Int32Array(2);
  messageSocketLibrary().pipe2(new Uint8Array(ends.buffer), 0);
  void writeAndClose(ends[1]!, [new TextEncoder().encode(text)], { idleMs: 1_000 });
  return ends[0]!;
}
