/** Commands on systems with less: without `setsid`, without `/proc`, with programs that get killed. */

import { expect } from "expect";
import { PosixProcesses } from "../../../src/platform/posix/processes.ts";
import type { Command } from "../../../src/platform/types.ts";
import { childrenOf, isRunning, membersOf } from "../../support/processes.ts";
import { waitFor } from "../../support/wait.ts";

/** As macOS is: its own process group by Deno, and nobody tells who is in it. */
function openBare(): PosixProcesses {
  const env = Deno.env.toObject();
  return new PosixProcesses({
    ...{ home: "/", shell: "/bin/sh", env: () => env, setsid: undefined, table: undefined },
  });
}

async function readAll(command: Command): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await command.read(); bytes !== undefined; bytes = await command.read()) {
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

Deno.test("without setsid and a process table a command still has a group of its own", async () => {
  await using processes = openBare();
  const command = processes.start({ command: "sleep 1000 & echo hi", input: false });
  expect(await command.ended).toBe(0);
  expect(await command.isAlive()).toBe(true);
  expect(membersOf(command.pid).length).toBe(1);
  await command.signal("SIGTERM");
  await command.gone();
  expect(await command.isAlive()).toBe(false);
  expect(await readAll(command)).toBe("hi\n");
  await command.close();
});

Deno.test("without setsid and a process table the end of the service ends the group", async () => {
  const processes = openBare();
  const { pid } = processes.start({ command: "sleep 1000 & sleep 1000", input: false });
  await waitFor(() => membersOf(pid).length === 3, { what: "the group" });
  await processes[Symbol.asyncDispose]();
  expect(membersOf(pid)).toEqual([]);
});

Deno.test("a watcher and a spare shell that somebody killed are made anew", async () => {
  const env = Deno.env.toObject();
  const processes = new PosixProcesses({
    ...{ home: "/", shell: "/bin/sh", env: () => env, setsid: "setsid", table: undefined },
  });
  const run = async () => {
    const command = processes.start({ command: "echo hi", input: false });
    const text = await readAll(command);
    await command.ended;
    await command.close();
    return text;
  };
  await run();
  const children = childrenOf(Deno.pid);
  expect(children.length).toBe(2);
  for (const pid of children) Deno.kill(pid, "SIGKILL");
  await waitFor(() => !children.some(isRunning), { what: "their end" });
  expect(await waitFor(async () => (await run()) || false)).toBe("hi\n");

  const { pid } = processes.start({ command: "sleep 1000", input: false });
  await processes[Symbol.asyncDispose](); // the new watcher ends it
  expect(isRunning(pid)).toBe(false);
});
