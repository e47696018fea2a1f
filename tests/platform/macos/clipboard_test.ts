/** The clipboard operations on a Mac of recorders, and the script on a stand-in for the bridge to macOS. */

import { expect } from "expect";
import { CLIPBOARD_SCRIPT } from "../../../src/platform/macos/clipboard.ts";
import { startMac, startMacService } from "../../support/mac.ts";

const GET = "/api/clipboard/get";
const SET = "/api/clipboard/set";
const FORMATS = ["text", "html", "png", "files"];
const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

Deno.test("macOS: clipboard/set and get pass every format, and nothing of it by arguments", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  const content = {
    ...{ text: "Grüße\n漢字 😀", html: "<b>é</b>", png: PIXEL_PNG },
    files: [mac.path],
  };
  expect((await service.post(SET, content)).status).toBe(204);
  const { body } = await service.post(GET, { formats: FORMATS });
  expect(body).toMatchObject(content);
  const args = mac.calls().flatMap((call) => call.args).join("\n");
  expect(args).not.toContain("Grüße");
  expect((await service.post("/api/clipboard/clear", {})).status).toBe(204);
  expect((await service.post(GET, {})).body).toEqual({ available: [], types: [] });
});

Deno.test("macOS: a program that does not respond is 504, too much 413, a script that fails 503", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post(SET, { text: "x" });
  mac.change(({ faults }) => faults.osascript = { hang: true, times: 1 });
  expect(await service.post(GET, { timeout_ms: 300 })).toMatchObject({ status: 504 });
  mac.change(({ faults }) => faults.osascript = { code: 1, times: 1 });
  expect(await service.post(GET, {})).toMatchObject({ status: 503 });
  mac.change(({ clipboard }) => clipboard.formats["html"] = btoa("x".repeat(70_000_000)));
  expect(await service.post(GET, { formats: ["html"], timeout_ms: 30_000 })).toMatchObject({
    status: 413,
  });
});

Deno.test("macOS: a text is typed by pasting, kept out of histories, and what was there is put back", async () => {
  await using mac = await startMac();
  await using service = await startMacService(mac);
  await service.post(SET, { text: "before", html: "<i>before</i>" });
  mac.calls();
  const typed = await service.post("/api/keyboard/type", { text: "pasted é", method: "paste" });
  expect(typed.status).toBe(200);
  const writes = mac.calls().filter(({ args }) => args.includes("write"));
  expect(writes.map(({ args }) => args.at(-1))).toEqual(["true", "false"]);
  const { body } = await service.post(GET, { formats: FORMATS });
  expect(body).toMatchObject({ text: "before", html: "<i>before</i>" });
});

/** A bridge on which data are arrays of bytes and texts are strings. */
function bridge(board: Record<string, unknown>, input: number[] = []) {
  const written: number[] = [];
  const put: [string, number[]][] = [];
  const bytesOf = (text: string) => [...new TextEncoder().encode(text)];
  const data = (bytes: number[]) => ({
    length: bytes.length,
    bytes,
    subdataWithRange: ([from, size]: [number, number]) => data(bytes.slice(from, from + size)),
  });
  const text = (value: string) => ({ dataUsingEncoding: () => data(bytesOf(value)) });
  const $ = {
    NSString: {
      stringWithString: text,
      alloc: {
        initWithDataEncoding: ({ bytes }: { bytes: number[] }) =>
          new TextDecoder().decode(Uint8Array.from(bytes)),
      },
    },
    NSMakeRange: (from: number, size: number) => [from, size],
    NSFileHandle: {
      fileHandleWithStandardInput: { readDataToEndOfFile: data(input) },
      fileHandleWithStandardOutput: {
        writeData: ({ bytes }: { bytes: number[] }) => void written.push(...bytes),
      },
    },
    NSPasteboardItem: {
      alloc: {
        init: {
          setDataForType: ({ bytes }: { bytes: number[] }, type: string) =>
            void put.push([type, bytes]),
        },
      },
    },
    NSMutableArray: { array: { count: 1, addObject: () => {} } },
    NSPasteboard: {
      generalPasteboard: {
        changeCount: 7,
        types: Object.keys(board),
        stringForType: (type: string) => text(board[type] as string),
        dataForType: (type: string) => board[type] && data(board[type] as number[]),
        clearContents: undefined,
        writeObjects: () => true,
      },
    },
  };
  const objC = { import: () => {}, deepUnwrap: (x: unknown) => x, unwrap: (x: unknown) => x };
  const script = (...args: string[]) => {
    new Function("ObjC", "$", `${CLIPBOARD_SCRIPT}\nreturn run;`)(objC, $)(args);
    return new TextDecoder().decode(Uint8Array.from(written));
  };
  return { script, put };
}

Deno.test("the clipboard script prints what there is, and the bytes behind it", () => {
  const board = { "public.utf8-plain-text": "é漢", "public.html": [60, 98, 62] };
  const printed = bridge(board).script("read", JSON.stringify(["text", "html", "png"]), "100");
  expect(printed).toBe(
    JSON.stringify({
      types: Object.keys(board),
      available: ["text", "html"],
      sizes: { text: 5, html: 3 },
      version: 7,
    }) + "\né漢<b>",
  );
  expect(bridge(board).script("read", `["text"]`, "4")).toBe(`{"tooLarge":"text"}\n`);
});

Deno.test("the clipboard script writes what it is given, and marks what is there in passing", () => {
  const line = JSON.stringify({ sizes: { text: 3, html: 2 }, files: [] });
  const input = `${String(line.length).padStart(10, "0")}${line}abcde`;
  const { script, put } = bridge({}, [...new TextEncoder().encode(input)]);
  expect(script("write", "true")).toBe(`{"version":7}\n`);
  expect(put).toEqual([
    ["public.utf8-plain-text", [97, 98, 99]],
    ["public.html", [100, 101]],
    ["org.nspasteboard.ConcealedType", [49]],
  ]);
});
