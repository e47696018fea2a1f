/** display/wait for the end of processes: of one's own, of others, of nobody, and of ids that are used again. */

import { expect } from "expect";
import { openProcessTable } from "../../../src/platform/linux/process_table.ts";
import { exists } from "../../../src/platform/posix/process_table.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { startWorld } from "./waiting_elsewhere.ts";

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
