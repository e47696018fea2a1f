/** display/wait for the end of processes: of one's own, of others, of nobody, and of ids that are used again. */

import { expect } from "expect";
import { backoffAfter } from "../../../src/features/waiting/wait.ts";
import { openProcessTable } from "../../../src/platform/linux/process/process_table.ts";
import {
  exists,
  openProcessTable as openPosixProcessTable,
} from "../../../src/platform/posix/process_table.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { startWorld } from "./waiting_elsewhere.ts";
import { copyProgram, writeProgram } from "../../support/written_program.ts";

Deno.test("wait for a process answers when it has ended, also one that nobody asks about", async () => {
  await using world = await startWorld();
  const child = new Deno.Command("sleep", { args: ["600"] }).spawn();
  const waiting = world.wait({ process: { pid: child.pid } });
  expect(await world.isOpen(waiting)).toBe(true);
  child.kill("SIGKILL");
  expect((await waiting).status).toBe("ended");
  await child.status;
  expect((await world.wait({ process: { pid: child.pid } })).status).toBe("ended");
  expect((await world.wait({ process: { pid: 4_194_305 } })).status).toBe("ended");

  // a zombie: its parent never asks for its exit code
  const parent = new Deno.Command("sh", {
    args: ["-c", "sleep 0.1 & echo $!; exec sleep 600"],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  const pid = Number(new TextDecoder().decode((await reader.read()).value));
  expect((await world.wait({ process: { pid } })).status).toBe("ended");
  expect(exists(pid)).toBe(true);
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
});

Deno.test({
  name: "wait for a program answers when it runs, and with gone when it has ended",
  ignore: unless(Deno.build.os === "linux", "scripts have names of their own on Linux"),
  fn: async () => {
    await using world = await startWorld();
    const name = "a (very) long name of a program";
    const program = world.path(name);
    await writeProgram(program, "#!/bin/sh\nread line\n");
    const until = { process: { name } };
    const gone = { gone: until };
    expect((await world.wait(until, 0)).status).toBe("timeout");
    expect((await world.wait(gone, 0)).status).toBe("gone");
    const coming = world.wait(until);
    expect(await world.isOpen(coming)).toBe(true);
    const child = new Deno.Command(program, { stdin: "piped" }).spawn();
    expect(await coming).toMatchObject({ status: "found", pid: child.pid });
    expect((await world.wait(until, 0)).status).toBe("found");
    expect((await world.wait({ process: { name: name.slice(0, 15) } }, 0)).status).toBe("timeout");
    const ending = world.wait(gone);
    expect(await world.isOpen(ending)).toBe(true);
    await child.stdin.close();
    expect((await ending).status).toBe("gone");
    await child.status;
    for (const process of [{}, { pid: 1, name }]) {
      expect(await world.refused(422, { process }))
        .toContain("exactly one of the fields 'pid' or 'name'");
    }
    expect(await world.refused(422, { process: { name: "" } })).toContain('"process","name"');
  },
});

Deno.test({
  name:
    "a process that has ended has no name, also while its parent does not ask for its exit code",
  ignore: unless(Deno.build.os === "linux", "reads /proc"),
  fn: async () => {
    await using folder = await testFolder();
    const program = `${folder.path}/has-ended`;
    await writeProgram(program, "#!/bin/sh\nread line\n");
    const parent = new Deno.Command("sh", {
      args: ["-c", `exec 3<&0; "${program}" <&3 & echo $!; exec sleep 600`],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = parent.stdout.getReader();
    const pid = Number(new TextDecoder().decode((await reader.read()).value));
    const tables = [openProcessTable(), openPosixProcessTable()];
    await waitFor(async () => await tables[0]!.find("has-ended") === pid);
    expect(await tables[1]!.find("has-ended")).toBe(pid);
    await parent.stdin.close();
    await waitFor(() => Deno.readTextFileSync(`/proc/${pid}/stat`).includes(") Z"));
    for (const table of tables) {
      expect(await table.find("has-ended")).toBeUndefined();
      expect(await table.find("deno")).toBeGreaterThan(0);
    }
    parent.kill("SIGKILL");
    await parent.status;
    await reader.cancel();
  },
});

Deno.test({
  name: "a program is found by its file, also when it has renamed itself or is a script of env",
  ignore: unless(Deno.build.os === "linux", "programs can rename themselves on Linux"),
  fn: async () => {
    await using folder = await testFolder();
    const path = (name: string) => `${folder.path}/${name}`;
    await copyProgram("/bin/sh", path("file-name"));
    await writeProgram(path("of-env"), "#!/usr/bin/env sh\nread line\n");
    const rename = "printf renamed >/proc/$$/comm; read line";
    const stdin = "piped";
    await using renamed = new Deno.Command(path("file-name"), { args: ["-c", rename], stdin })
      .spawn();
    await using script = new Deno.Command("./of-env", { cwd: folder.path, stdin }).spawn();
    const reader = new Deno.Command("tail", { args: ["-f", path("of-env")], stdout: "null" });
    await using reading = reader.spawn(); // only reads the script
    const table = openProcessTable();
    await waitFor(async () => await table.find("renamed") === renamed.pid);
    expect(await table.find("file-name")).toBe(renamed.pid);
    await waitFor(() => commandLine(script.pid).startsWith("sh\0"), { what: "env to end" });
    await waitFor(() => commandLine(reading.pid).includes("tail\0-f"), { what: "tail" });
    expect(await table.find("of-env")).toBe(script.pid);
    for (const { stdin } of [renamed, script]) await stdin.close();
    for (const { status } of [renamed, script]) await status;
    for (const name of ["renamed", "file-name", "of-env"]) {
      expect(await table.find(name)).toBeUndefined();
    }
  },
});

function commandLine(pid: number): string {
  return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
}

Deno.test("after a slow look for a name the next one comes all the same", () => {
  expect([1, 50, 60_000].map(backoffAfter)).toEqual([100, 450, 1_000]);
});

Deno.test({
  name: "wait for a process follows one of another user",
  ignore: unless(Deno.uid() === 0, "only root can start a program of another user"),
  fn: async () => {
    await using world = await startWorld();
    const child = new Deno.Command("sleep", { args: ["600"], uid: 65_534, gid: 65_534 }).spawn();
    const waiting = world.wait({ process: { pid: child.pid } });
    expect(await world.isOpen(waiting)).toBe(true);
    child.kill("SIGKILL");
    expect((await waiting).status).toBe("ended");
    await child.status;
  },
});

Deno.test({
  name: "a followed process is not alive once another one has its id",
  ignore: unless(
    Deno.uid() === 0 && Deno.build.os === "linux",
    "only root on Linux may choose the next id",
  ),
  fn: async () => {
    const first = new Deno.Command("sleep", { args: ["600"] }).spawn();
    using followed = openProcessTable().follow(first.pid);
    expect(followed?.isAlive()).toBe(true);
    const since = uptime(); // start times are told in hundredths of a second
    await waitFor(() => uptime() > since + 0.02, { what: "the clock to go on" });
    first.kill("SIGKILL");
    await first.status;
    await using _second = await startWithId(first.pid);
    expect(exists(first.pid)).toBe(true);
    expect(followed?.isAlive()).toBe(false);
    using again = openProcessTable().follow(first.pid);
    expect(again?.isAlive()).toBe(true);
  },
});

/** In seconds. */
function uptime(): number {
  return Number(Deno.readTextFileSync("/proc/uptime").split(" ")[0]);
}

/** Others can take the id first, or the next one: it then tries again. */
async function startWithId(pid: number): Promise<AsyncDisposable> {
  return await waitFor(async () => {
    await Deno.writeTextFile("/proc/sys/kernel/ns_last_pid", `${pid - 1}`);
    const child = new Deno.Command("sleep", { args: ["600"] }).spawn();
    const end = async () => {
      child.kill("SIGKILL");
      await child.status;
    };
    if (child.pid === pid) return { [Symbol.asyncDispose]: end };
    await end();
    return undefined;
  }, { what: `the process id ${pid}` });
}
