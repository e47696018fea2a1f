/** Ending processes: the whole group, only ours, and nothing that is not. */

import { expect } from "expect";
import { isRunning, membersOf } from "../../support/processes.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("DELETE ends the whole group and keeps its output", async () => {
  await using shell = startShell();
  const pid = await shell.start("echo before; sleep 1000 & sleep 1000 | sleep 1000");
  await waitFor(() => membersOf(pid).length === 4, { what: "the whole group" });
  expect((await shell.terminate(pid)).status).toBe(204);
  expect(membersOf(pid)).toEqual([]);
  expect(await shell.output(pid)).toMatchObject({
    ...{ output: expect.stringMatching(/^before\n/), status: "completed", exit_code: 143 },
  });
  expect((await shell.terminate(pid)).status).toBe(204); // an ended one
});

Deno.test("DELETE kills what does not obey", async () => {
  await using shell = startShell({ limits: { killAfterMs: 200 } });
  const pid = await shell.start('trap "" TERM; echo ready; while :; do sleep 1000; done');
  await shell.output(pid, "?wait_ms=20000");
  expect((await shell.terminate(pid)).status).toBe(204);
  expect(membersOf(pid)).toEqual([]);
  expect(await shell.output(pid)).toMatchObject({ status: "completed", exit_code: 137 });
});

Deno.test("DELETE ends a stopped process", async () => {
  await using shell = startShell({ limits: { killAfterMs: 60_000 } });
  const pid = await shell.start("kill -STOP $$; echo never");
  await waitFor(() => isStopped(pid), { what: "the shell to be stopped" });
  expect((await shell.terminate(pid)).status).toBe(204);
  expect(await shell.output(pid)).toMatchObject({ output: "", exit_code: 143 });
});

Deno.test("DELETE ends jobs in groups of their own", async () => {
  await using shell = startShell({ limits: { killAfterMs: 60_000 } });
  const pid = await shell.start("set -m; sleep 1000 & sleep 1000 & echo ready; wait");
  await shell.output(pid, "?wait_ms=20000");
  expect((await shell.terminate(pid)).status).toBe(204);
  expect(membersOf(pid)).toEqual([]);
});

Deno.test("the end of the session ends every command and starts no other", async () => {
  await using shell = startShell();
  const pid = await shell.start("sleep 1000 & sleep 1000");
  await shell.app.session[Symbol.asyncDispose]();
  expect(membersOf(pid)).toEqual([]);
  const { status } = await shell.app.post("/api/bash/command", { command: "true" });
  expect(status).toBe(503);
});

Deno.test("DELETE ends a command that somebody still waits for", async () => {
  await using shell = startShell();
  const answer = shell.run("sleep 1000", { timeout: 3600 });
  const [listed] = await waitFor(async () => {
    const list = await shell.list();
    return list.length === 1 && list;
  });
  expect((await shell.terminate(listed!.pid)).status).toBe(204);
  expect(await answer).toMatchObject({ status: "completed", exit_code: 143, process_id: null });
  expect(await shell.output(listed!.pid)).toMatchObject({ status: "completed", exit_code: 143 });
});

Deno.test("a process that is not ours is unknown, and is never signalled", async () => {
  await using shell = startShell();
  const stranger = new Deno.Command("setsid", { args: ["sleep", "1000"] }).spawn();
  try {
    for (const pid of [stranger.pid, 1, Deno.pid, Deno.ppid, 2 ** 32 - 1]) {
      const detail = `There is no process ${pid} of this service`;
      const path = `/api/bash/process/${pid}`;
      const answers = [
        await shell.terminate(pid),
        await shell.app.send("GET", `${path}/output`),
        await shell.app.post(`${path}/input`, { text: "x" }),
      ];
      for (const { status, json } of answers) {
        expect({ status, json }).toMatchObject({ status: 404, json: { detail } });
      }
    }
    expect(isRunning(stranger.pid)).toBe(true);
  } finally {
    stranger.kill("SIGKILL");
    await stranger.status;
  }
});

Deno.test("a number that is none is 422", async () => {
  await using shell = startShell();
  const cases = [
    ["0", "greater_than_equal"],
    ["-1", "greater_than_equal"],
    ["1.5", "int_parsing"],
    ["all", "int_parsing"],
    ["99999999999", "less_than_equal"],
  ] as const;
  for (const [pid, type] of cases) {
    const { status, json } = await shell.app.send("DELETE", `/api/bash/process/${pid}`);
    expect({ status, detail: json.detail }).toEqual({
      ...{ status: 422, detail: [{ loc: ["path", "pid"], msg: expect.any(String), type }] },
    });
  }
});

Deno.test("restart ends everything, drops who waits, and forgets it", async () => {
  await using shell = startShell({ limits: { maxCommands: 2 } });
  const ended = await shell.start("true");
  await shell.completed(ended);
  const running = await shell.start("sleep 1000 & sleep 1000");
  const awaited = shell.run("sleep 1000", { timeout: 3600 });
  await waitFor(async () => (await shell.list()).length === 2);
  const waiting = shell.app.post("/api/bash/command", { command: "echo never" });
  expect((await shell.restart()).status).toBe(204);
  expect((await waiting).status).toBe(409);
  expect(await awaited).toMatchObject({ status: "completed", exit_code: 143 });
  expect(membersOf(running)).toEqual([]);
  expect(await shell.list("?all=true")).toEqual([]);
  for (const pid of [ended, running]) {
    expect((await shell.app.send("GET", `/api/bash/process/${pid}/output`)).status).toBe(404);
  }
  expect((await shell.run("echo again")).output).toBe("again\n");
});

function isStopped(pid: number): boolean {
  return Deno.readTextFileSync(`/proc/${pid}/stat`).includes(") T ");
}
