/** copy never makes a program run with the rights of another owner, and keeps holes. */

import { expect } from "expect";
import { asNobody, MAY_SWITCH } from "./as_user.ts";
import { namesIn, openFilesApp } from "./files_app.ts";
import { cannotReadKernelLog, KERNEL_LOG } from "../../support/kernel_log.ts";
import { unless } from "../../support/test_if.ts";
import { Files } from "../../../src/features/filesystem/files.ts";

const OTHER = 12_345;
const ignore = unless(MAY_SWITCH, "only root can act as another user");
const GIB = 1024 ** 3;

function modeOf(path: string): string {
  return (Deno.statSync(path).mode! & 0o7777).toString(8);
}

Deno.test({
  name: "copy as root of another user's setuid program gives one without these rights",
  ignore,
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("folder/tool", "#!/bin/sh\n");
    await Deno.chown(path, OTHER, OTHER);
    await Deno.chmod(path, 0o6755);
    await app.call("filesystem/copy", { source: "folder", destination: "copy" });
    await app.call("filesystem/copy", { source: "folder/tool", destination: "tool" });
    for (const copy of ["copy/tool", "tool"]) {
      expect([copy, (await Deno.stat(app.at(copy))).uid]).toEqual([copy, 0]);
      expect([copy, modeOf(app.at(copy))]).toEqual([copy, "755"]);
    }
  },
});

Deno.test({
  name: "copy of one's own setuid program keeps its rights, as the owner stays the same",
  ignore,
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("tool", "#!/bin/sh\n");
    await Deno.chmod(path, 0o4750);
    await app.call("filesystem/copy", { source: "tool", destination: "copy" });
    expect(modeOf(app.at("copy"))).toBe("4750");
  },
});

Deno.test({
  name: "copy as a user without rights of root's setuid program gives one without these rights",
  ignore,
  async fn() {
    await using app = await openFilesApp();
    const path = await app.put("tool", "#!/bin/sh\n");
    await Deno.chmod(path, 0o4755);
    await Deno.mkdir(app.at("free"));
    await Deno.chmod(app.at("free"), 0o1777);
    await app.app.session.use(Files).writing(); // the journal is opened while the folder is private
    for (const path of [app.stateDir, `${app.stateDir}/journal`]) await Deno.chmod(path, 0o777);
    await Deno.chmod(`${app.home}/..`, 0o755);
    await Deno.chmod(app.home, 0o755);
    await asNobody(() => app.call("filesystem/copy", { source: "tool", destination: "free/tool" }));
    expect(modeOf(app.at("free/tool"))).toBe("755");
  },
});

for (const [where, folder] of [["the same", undefined], ["another", "/dev/shm"]] as const) {
  Deno.test(`copy to ${where} file system keeps holes`, async () => {
    await using app = await openFilesApp();
    await using to = await openFilesApp(folder === undefined ? {} : { folder });
    const path = await app.put("sparse", "begin");
    {
      using file = await Deno.open(path, { write: true });
      await file.seek(GIB, Deno.SeekMode.Start);
      await file.write(new TextEncoder().encode("middle"));
      await file.truncate(4 * GIB); // a hole at the end
    }
    await app.call("filesystem/copy", { source: "sparse", destination: to.at("copy") });
    const { size, blocks } = await Deno.stat(to.at("copy"));
    expect(size).toBe(4 * GIB);
    expect(blocks! * 512).toBeLessThan(1024 * 1024);
    using copy = await Deno.open(to.at("copy"));
    for (const [at, text] of [[0, "begin\0"], [GIB - 1, "\0middle\0"]] as const) {
      await copy.seek(at, Deno.SeekMode.Start);
      const bytes = new Uint8Array(text.length);
      await copy.read(bytes);
      expect(new TextDecoder().decode(bytes)).toBe(text);
    }
  });
}

Deno.test("copy gives exactly the bytes, of files of every size, to the same and to another file system", async () => {
  await using app = await openFilesApp();
  await using other = await openFilesApp({ folder: "/dev/shm" });
  for (const size of [0, 1, 4_095, 4_096, 1_048_577, 40_000_001]) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 977) bytes[at] = at % 251 + 1;
    await app.put("x", bytes);
    for (const destination of [app.at("copy"), other.at("copy")]) {
      await app.call("filesystem/copy", { source: "x", destination, overwrite: true });
      const copy = await Deno.readFile(destination);
      expect([size, copy.length, copy.every((byte, at) => byte === bytes[at])])
        .toEqual([size, size, true]);
    }
  }
  expect(namesIn(app.home)).toEqual(["copy", "x"]);
});

Deno.test("copy of what the kernel makes up gives its bytes", async () => {
  await using app = await openFilesApp();
  await app.call("filesystem/copy", { source: "/proc/version", destination: "version" });
  expect(await Deno.readTextFile(app.at("version"))).toBe(await Deno.readTextFile("/proc/version"));
});

Deno.test({
  name: "copy refuses a stream without end",
  ignore: cannotReadKernelLog(),
  async fn() {
    await using app = await openFilesApp();
    const stream = { source: KERNEL_LOG, destination: "log" };
    expect(await app.refused(400, "filesystem/copy", stream)).toContain("stream");
    expect(namesIn(app.home)).toEqual([]);
  },
});
