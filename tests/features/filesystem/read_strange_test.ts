/** read and view of what has no end, no size, or fewer bytes than the offset; and what errors of the system become. */

import { expect } from "expect";
import { fromDenoError } from "../../../src/features/filesystem/file_errors.ts";
import { openFilesApp } from "./files_app.ts";
import { cannotReadKernelLog, KERNEL_LOG } from "../../support/kernel_log.ts";
import { unless } from "../../support/test_if.ts";

const IS_LINUX = Deno.build.os === "linux";

for (const content of ["abc", ""]) {
  Deno.test(`read far beyond the end of ${JSON.stringify(content)} gives nothing`, async () => {
    await using app = await openFilesApp();
    await app.put("f", content);
    for (const offset of [4, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(await app.call("filesystem/read", { path: "f", offset })).toMatchObject({
        content: "",
        size: content.length,
        next_offset: content.length,
      });
    }
  });
}

Deno.test({
  name: "read of what the kernel makes up goes on where it stopped",
  ignore: unless(IS_LINUX, "needs Linux"),
  async fn() {
    await using app = await openFilesApp();
    const path = "/proc/version";
    const whole = (await app.call("filesystem/read", { path })).content;
    expect(whole.length).toBeGreaterThan(30);
    const part = await app.call("filesystem/read", { path, offset: 10, length: 10 });
    expect(part).toMatchObject({ content: whole.slice(10, 20), next_offset: 20 });
    expect(await app.call("editor/view", { path })).toBe(whole);
  },
});

Deno.test({
  name: "read and view refuse the kernel's log, which never ends",
  ignore: cannotReadKernelLog(),
  async fn() {
    await using app = await openFilesApp();
    for (const operation of ["filesystem/read", "editor/view"]) {
      const { status, text } = await app.app.post(`/api/${operation}`, { path: KERNEL_LOG });
      expect([operation, status, text]).toEqual([
        operation,
        400,
        expect.stringContaining("stream"),
      ]);
    }
  },
});

for (
  const [code, expected] of [
    ["EINVAL", "unsupported"],
    ["ENOMEM", "unavailable"],
    ["ETIMEDOUT", "timed_out"],
    ["ENOTCONN", "unavailable"],
  ] as const
) {
  Deno.test(`fromDenoError() knows ${code}`, () => {
    const error = Object.assign(new Error("os error"), { code });
    const tried = { action: "Cannot read", path: "/x", field: "path" };
    expect(fromDenoError(error, tried)).toMatchObject({ code: expected });
  });
}
