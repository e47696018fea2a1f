/** Long texts are sent piece by piece: exactly the same JSON, and other requests are answered meanwhile. */

import { expect } from "expect";
import { serveApp } from "../../support/client.ts";
import { openFilesApp } from "./files_app.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Characters of one to four bytes, quotes, control characters and bytes that are no UTF-8, at every offset of a piece. */
function bytesOf(size: number, shift: number): Uint8Array<ArrayBuffer> {
  const part = new TextEncoder().encode('a"é\\日\n🙂\u0000\u2028');
  const bytes = new Uint8Array(size).fill(97);
  for (let at = shift; at + part.length < size; at += part.length + 1) bytes.set(part, at);
  bytes.set([0xff, 0xf0, 0x9f], size - 3);
  return bytes;
}

Deno.test("long answers of view and read are the text of the file", async () => {
  await using app = await openFilesApp();
  for (const shift of [0, 1, 2, 3]) {
    const bytes = bytesOf(700_001 + shift, shift);
    const path = await app.put("x", bytes);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    expect(await app.call("editor/view", { path }) === text).toBe(true);
    const length = 1024 * 1024;
    const read = await app.call("filesystem/read", { path, length });
    expect(read.content === text).toBe(true);
    expect({ ...read, content: "" }).toEqual({
      ...{ content: "", encoding: "text", size: bytes.length, next_offset: bytes.length },
    });
    const raw = await app.call("filesystem/read", { path, length, encoding: "base64" });
    expect(raw.content === bytes.toBase64()).toBe(true);
    expect(raw.encoding).toBe("base64");
  }
});

Deno.test("a client that leaves in the middle of a long answer ends it", async () => {
  await using app = await openFilesApp();
  const path = await app.put("x", bytesOf(8_000_000, 0));
  await using served = serveApp(app.app);
  const client = new AbortController();
  const body = JSON.stringify({ path });
  const options = { method: "POST", headers: JSON_TYPE, body, signal: client.signal };
  const response = await fetch(`${served.url}/api/editor/view`, options);
  await response.body!.getReader().read();
  client.abort();
  expect((await fetch(`${served.url}/healthz`).then((answer) => answer.json())).status).toBe("ok");
});

Deno.test("a pattern whose braces stand for too many is an error of its field", async () => {
  await using app = await openFilesApp();
  const pattern = "{a,b}".repeat(20);
  for (const [operation, root] of [["list", "path"], ["search", "root_path"], ["tree", "path"]]) {
    const [error] = await app.refused(422, `filesystem/${operation}`, { [root!]: "~", pattern });
    expect(error).toMatchObject({ loc: ["body", "pattern"], type: "value_error" });
  }
});
