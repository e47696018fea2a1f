/** Pasting where the desktop, the owner of the clipboard or the focused program is slow. */

import { expect } from "expect";
import { LinuxClipboard } from "../../../../src/platform/linux/clipboard/linux_clipboard.ts";
import { ClipboardPasting, LatePages } from "../../../../src/platform/linux/clipboard/pasting.ts";
import {
  HINT_TYPE,
  Offered,
  SOURCE_TYPE,
  type TypedClipboard,
  type TypedContent,
} from "../../../../src/platform/linux/clipboard/typed_clipboard.ts";
import { BusClipboard } from "../../../../src/platform/linux/wayland/clipboards.ts";
import { messageSocketLibrary } from "../../../../src/platform/linux/sockets/message_socket.ts";
import { testIf } from "../../../support/test_if.ts";
import { waitFor } from "../../../support/wait.ts";

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

Deno.test("a clipboard manager that reads whether to keep a text hides no busy page", async () => {
  const types = [TEXT, "UTF8_STRING", SOURCE_TYPE, HINT_TYPE];
  const offered = new Offered(new Map(types.map((type) => [type, []])));
  for (const type of [TEXT, SOURCE_TYPE, HINT_TYPE]) await offered.give(type, isTaken);
  expect(offered.awaitsPage).toBe(true);
  await offered.give(TEXT, isTaken);
  expect(offered.awaitsPage).toBe(false);
});

Deno.test("a program that reads all types, the source last, is no page that is awaited", async () => {
  const types = [TEXT, "UTF8_STRING", HINT_TYPE, SOURCE_TYPE];
  const offered = new Offered(new Map(types.map((type) => [type, []])));
  for (const type of types) await offered.give(type, isTaken);
  expect(offered.awaitsPage).toBe(false);
});

Deno.test("a page has its own time to read after Chromium was slow to", async () => {
  const clipboard = slowClipboard(new Map(), 0);
  let busyMs = 3_000;
  let page: Promise<void> | undefined;
  const readTwice = async () => {
    await sleep(busyMs);
    await clipboard.readByChromium();
    await sleep(busyMs);
    await clipboard.readByProgram();
  };
  await using pasting = new ClipboardPasting(() => Promise.resolve(clipboard), () => {
    page = readTwice();
    return Promise.resolve();
  });
  await pasting.paste("é").finally(() => page);
  busyMs = 0;
  await pasting.paste("ü"); // an error where the page was late for the first text
});

Deno.test("a late read by somebody else is not taken for that of the page", async () => {
  const clipboard = slowClipboard(new Map(), 0);
  const pasted: string[] = [];
  let page: Promise<void> | undefined;
  let isDesktopLate = false;
  const read = async () => {
    if (isDesktopLate) await clipboard.readByProgram();
    await clipboard.readByProgram(); // as soon as the keys come
    await sleep(100);
    pasted.push(clipboard.text());
    await clipboard.readByPage();
  };
  await using pasting = new ClipboardPasting(() => Promise.resolve(clipboard), () => {
    page = read();
    return Promise.resolve();
  });
  for (const text of ["é", "ü", "ö"]) {
    await pasting.paste(text);
    isDesktopLate = true;
  }
  await page;
  expect(pasted).toEqual(["é", "ü", "ö"]);
});

Deno.test("a text that Chromium has read, but no page yet, stays until a page reads it", async () => {
  const clipboard = slowClipboard(new Map([[TEXT, bytes("before")]]), 0);
  const latePages = new LatePages();
  const paste = async (text: string) => {
    const open = () => Promise.resolve(clipboard);
    await using pasting = new ClipboardPasting(open, () => clipboard.readByChromium(), latePages);
    await pasting.paste(text);
  };
  await paste("é");
  expect(clipboard.text()).toBe("é");
  await clipboard.readByProgram();
  await waitFor(() => clipboard.text() === "before", { what: "the earlier content" });

  await paste("é");
  await paste("ü"); // the program has no page
  expect(clipboard.text()).toBe("ü");
  await latePages.close();
  expect(clipboard.text()).toBe("before");
});

Deno.test("a late page that takes its time between two reads of one paste has the text twice", async () => {
  const clipboard = slowClipboard(new Map([[TEXT, bytes("before")]]), 0);
  const latePages = new LatePages();
  {
    const open = () => Promise.resolve(clipboard);
    await using pasting = new ClipboardPasting(open, () => clipboard.readByChromium(), latePages);
    await pasting.paste("é");
  }
  for (let read = 0; read < 3; read++) {
    expect(clipboard.text()).toBe("é");
    await clipboard.readByProgram();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await waitFor(() => clipboard.text() === "before", { what: "the earlier content" });
});

Deno.test("a page that was late for one text and reads the next in its place is an error", async () => {
  const clipboard = slowClipboard(new Map([[TEXT, bytes("before")]]), 0);
  let isBusy = true;
  {
    await using pasting = new ClipboardPasting(() => Promise.resolve(clipboard), async () => {
      await clipboard.readByChromium();
      if (!isBusy) await clipboard.readByProgram();
    });
    await pasting.paste("é");
    isBusy = false;
    await expect(pasting.paste("ü")).rejects.toMatchObject({ code: "conflict" });
  }
  expect(clipboard.text()).toBe("before");
});

/** Keys that were pressed are in the queue of the program: they paste what is there when it wakes. */
Deno.test("a text that a busy program has not read stays, whatever ended the paste, and is read once", async () => {
  const clipboard = slowClipboard(new Map([[TEXT, bytes("before")]]), 0);
  const latePages = new LatePages();
  const open = () => Promise.resolve(clipboard);
  const left = new AbortController();
  for (const signal of [undefined, left.signal]) {
    {
      await using pasting = new ClipboardPasting(open, () => {
        if (signal !== undefined) left.abort(new Error("the client left"));
        return Promise.resolve();
      }, latePages);
      await expect(pasting.paste("é", signal)).rejects.toThrow(
        signal ? "the client left" : "did not take it",
      );
    }
    expect(clipboard.text()).toBe("é");
    await clipboard.readByProgram();
    await waitFor(() => clipboard.text() === "before", { what: "the earlier content" });
  }
});

Deno.test("a text that was left brings nothing back over what is pasted or set next", async () => {
  const clipboard = slowClipboard(new Map([[TEXT, bytes("before")]]), 0);
  const linux = new LinuxClipboard(() => Promise.resolve(clipboard));
  const leave = async () => {
    await using pasting = linux.beginPasting(() => clipboard.readByChromium());
    await pasting.paste("é");
  };
  await leave();
  await clipboard.readByProgram(); // the page has read: what was there comes back in a moment
  await linux.write({ text: bytes("set") }, new AbortController().signal);
  expect(await restingText(clipboard)).toBe("set");

  await leave();
  await clipboard.readByProgram();
  let pasted: string | undefined;
  {
    await using pasting = linux.beginPasting(async () => {
      pasted = await restingText(clipboard);
      await clipboard.readByProgram();
    });
    await pasting.paste("ü");
  }
  expect({ pasted, after: clipboard.text() }).toEqual({ pasted: "ü", after: "set" });
});

Deno.test("a reader that fails midway leaves those waiting who wait for one that reads all", async () => {
  const offered = new Offered(new Map([[TEXT, bytes("é")]]));
  const read = offered.nextRead();
  const gone = offered.give(TEXT, () => Promise.reject(new Error("it has gone")));
  await expect(gone).rejects.toThrow("it has gone");
  await offered.give(TEXT, isTaken);
  await read;
});

testIf(Deno.build.os === "linux", "needs Linux")(
  "the read of a desktop that is late to take what it has asked for is not that of the program",
  async () => {
    const log: string[] = [];
    const pressed = Promise.withResolvers<void>();
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
        if (request === KEPT) await pressed.promise;
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
        pressed.resolve();
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

/** What is there after what was to come back has had its time: 200 ms after the read. */
async function restingText(clipboard: ReturnType<typeof slowClipboard>): Promise<string> {
  await sleep(400);
  return clipboard.text();
}

const isTaken = () => Promise.resolve(true);

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
    offer(content) {
      offered.isReplaced = true;
      return Promise.resolve(offered = new Offered(content));
    },
    close: () => Promise.resolve(),
  };
  return Object.assign(clipboard, {
    content: () => offered.content,
    text: () => new TextDecoder().decode(offered.content.get(TEXT)?.[0]),
    readByProgram: async () => void await offered.give(TEXT, isTaken),
    async readByChromium() {
      await offered.give(TEXT, isTaken);
      await offered.give(SOURCE_TYPE, isTaken);
    },
    /** What follows when its page pastes. */
    async readByPage() {
      await offered.give(SOURCE_TYPE, isTaken);
      await offered.give(TEXT, isTaken);
    },
  });
}

/** The end for writing of a pipe whose other end this process keeps. */
function pipeEnd(): number {
  const ends = new Int32Array(2);
  messageSocketLibrary().pipe2(new Uint8Array(ends.buffer), 0);
  return ends[1]!;
}
