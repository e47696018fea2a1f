/** Whatever is edited, viewed, read or written: other requests are answered meanwhile. */

import { expect } from "expect";
import { pick } from "../../support/extent.ts";
import { cannotReadKernelLog, KERNEL_LOG } from "../../support/kernel_log.ts";
import { holdingUpNobody } from "../../support/turns.ts";
import { openFilesApp } from "../filesystem/files_app.ts";

const MIB = 1024 * 1024;
const HALF = "x".repeat(100_000);
/** Of the largest files. */
const SIZE = pick({ short: 20, full: 100 }) * MIB;

/** What is there, what is asked for, and with which answer. */
const HEAVY: Readonly<
  Record<string, {
    readonly content: () => string | Uint8Array;
    readonly operation: string;
    readonly body: object;
    readonly status: number;
  }>
> = {
  "a text that nearly occurs everywhere": {
    content: () => "x".repeat(SIZE),
    ...{ operation: "editor/str-replace", status: 422 },
    body: { old_str: `${HALF}y${HALF}`, new_str: "" },
  },
  "a text that occurs three million times": {
    content: () => "ab".repeat(3_000_000),
    ...{ operation: "editor/str-replace", status: 204 },
    body: { old_str: "a", new_str: "cc" },
  },
  "ten thousand lines that nearly occur in millions of the same": {
    content: () => new Uint8Array(SIZE / 5).fill(10),
    ...{ operation: "editor/apply-patch", status: 422 },
    body: { diff: "@@\n" + " \n".repeat(10_000) + "-x\n" },
  },
  "a line among many million letters": {
    content: () => "x".repeat(SIZE) + "\na\n",
    ...{ operation: "editor/apply-patch", status: 204 },
    body: { diff: "@@\n-a\n+b\n" },
  },
  "a million characters of added lines": {
    content: () => "a\n",
    ...{ operation: "editor/apply-patch", status: 204 },
    body: { diff: "@@\n a\n" + "+x\n".repeat(300_000) },
  },
  "a line at the end of many million line breaks": {
    content: () => new Uint8Array(SIZE).fill(10),
    ...{ operation: "editor/insert", status: 204 },
    body: { text: "new", insert_line: SIZE },
  },
  "the last of many million lines": {
    content: () => new Uint8Array(SIZE).fill(10),
    ...{ operation: "editor/view", status: 200 },
    body: { view_range: [SIZE, -1] },
  },
};

for (const [what, { content, operation, body, status }] of Object.entries(HEAVY)) {
  Deno.test(`${operation} of ${what} holds up no other request`, async () => {
    await using app = await openFilesApp({ folder: "/dev/shm" });
    await app.call("editor/view", { path: await app.put("first", "a") }); // loads the editor
    const path = await app.put("x", content());
    const post = () => app.app.post(`/api/${operation}`, { path, ...body });
    expect((await holdingUpNobody(post)).status).toBe(status);
  });
}

Deno.test({
  name: "editor operations on a stream of the kernel are refused and do not wait for its next line",
  ignore: cannotReadKernelLog(),
  async fn() {
    await using app = await openFilesApp();
    for (
      const [operation, body] of [
        ["editor/view", {}],
        ["editor/str-replace", { old_str: "a", new_str: "b" }],
        ["editor/insert", { text: "a" }],
      ] as const
    ) {
      expect(await app.refused(400, operation, { path: KERNEL_LOG, ...body })).toContain("stream");
    }
  },
});
