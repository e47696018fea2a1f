/** Pasting where the desktop, the owner of the clipboard or the focused program is slow. */

import { expect } from "expect";
import { Offered } from "../../../../src/platform/linux/clipboard/offered.ts";
import { ClipboardPasting } from "../../../../src/platform/linux/clipboard/pasting.ts";
import type {
  TypedClipboard,
  TypedContent,
} from "../../../../src/platform/linux/clipboard/typed_clipboard.ts";
import { BusClipboard } from "../../../../src/platform/linux/wayland/bus_clipboard.ts";
import { messageSocketLibrary } from "../../../../src/platform/linux/wayland/wire/library.ts";
import { testIf } from "../../../support/test_if.ts";

const TEXT = "text/plain;charset=utf-8";
/** Serials of the reads by the desktop, which keeps every text, and by the focused program. */
const KEPT = 1;
const PROGRAMS = 2;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const bytes = (text: string) => [new TextEncoder().encode(text)];

Deno.test("everything that a slow owner has is put back, in its order", async () => {
  const types = ["chromium/x-source-url", "STRING", "TEXT", "image/png", "UTF8_STRING", TEXT];
  const clipboard = slowClipboard(new Map(types.map((type) => [type, bytes(type)])), 300);
  {
    await using pasting = new ClipboardPasting(
      () => Promise.resolve(clipboard),
      () => clipboard.readByProgram(),
    );
    await pasting.paste("é");
  }
  expect([...clipboard.content()]).toEqual(types.map((type) => [type, bytes(type)]));
});

Deno.test("a program that is busy for seconds when the keys come gets the text", async () => {
  const clipboard = slowClipboard(new Map(), 0);
  let reading: Promise<void> | undefined;
  await using pasting = new ClipboardPasting(() => Promise.resolve(clipboard), () => {
    reading = sleep(2_500).then(() => clipboard.readByProgram());
    return Promise.resolve();
  });
  await pasting.paste("é");
  await reading;
});

testIf(Deno.build.os === "linux", "needs Linux")(
  "the read of a desktop that is late to take what it has asked for is not that of the program",
  async () => {
    const log: string[] = [];
    let transfer: (type: string, serial: number) => void = () => {};
    let owner: (types: readonly string[], isOurs: boolean) => void = () => {};
    const clipboard = await BusClipboard.open({
      isOpen: () => true,
      set(types) {
        owner(types, types.length > 0);
        if (types.includes(TEXT)) transfer(TEXT, KEPT);
        return Promise.resolve();
      },
      read: () => Promise.reject(new Error("nothing is there")),
      async write(request) {
        if (request === KEPT) await sleep(2_100);
        return pipeEnd();
      },
      writeDone: (request) => log.push(request === KEPT ? "kept" : "read"),
      onTransfer: (listener) => (transfer = listener, Promise.resolve()),
      onOwner: (listener) => (owner = listener, Promise.resolve()),
    });
    let reading: Promise<void> | undefined;
    {
      await using pasting = new ClipboardPasting(() => Promise.resolve(clipboard), () => {
        log.push("pressed");
        reading = sleep(1_500).then(() => transfer(TEXT, PROGRAMS));
        return Promise.resolve();
      });
      await pasting.paste("é");
      log.push("pasted");
    }
    await reading;
    expect(log.slice(0, 4)).toEqual(["pressed", "kept", "read", "pasted"]);
  },
);

/** A clipboard whose owner needs so long for each type. */
function slowClipboard(before: TypedContent, delayMs: number) {
  let offered = new Offered(before);
  const clipboard: TypedClipboard = {
    connected: true,
    isKeptByDesktop: false,
    types: () => Promise.resolve([...offered.content.keys()]),
    async readType(type, { idleMs }) {
      await sleep(Math.min(delayMs, idleMs));
      const parts = delayMs < idleMs ? offered.content.get(type) : undefined;
      return parts && { type, parts };
    },
    offer: (content) => Promise.resolve(offered = new Offered(content)),
    close: () => Promise.resolve(),
  };
  return Object.assign(clipboard, {
    content: () => offered.content,
    readByProgram: async () => void await offered.give(TEXT, () => Promise.resolve(true)),
  });
}

/** The end for writing of a pipe whose other end this process keeps. */
function pipeEnd(): number {
  const ends = new Int32Array(2);
  messageSocketLibrary().pipe2(new Uint8Array(ends.buffer), 0);
  return ends[1]!;
}
