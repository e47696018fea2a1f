/** Many commands: how many run, in which order, and that nothing is left of them. */

import { expect } from "expect";
import { countOpenFiles, zombiesOf } from "../../support/processes.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("500 commands at once are all answered, 64 at a time, in order, and leave nothing", async () => {
  await using shell = startShell();
  await shell.run("true"); // opens what stays open: the spare shell and the watcher
  await waitFor(() => zombiesOf(Deno.pid).length === 0);
  const filesBefore = countOpenFiles(Deno.pid);
  const folder = await Deno.makeTempDir();

  let most = 0;
  const commands = Array.from({ length: 500 }, async (_, index) => {
    const command = `mkdir ${folder}/${index}; sleep 0.05; echo ${index}; rmdir ${folder}/${index}`;
    const { output, exit_code } = await shell.run(command, { timeout: 600 });
    expect({ output, exit_code }).toEqual({ output: `${index}\n`, exit_code: 0 });
    most = Math.max(most, countEntries(folder));
  });
  const seen: string[] = [];
  let answered = false;
  const watching = (async () => {
    while (!answered) {
      for (const { command, started_at } of await shell.list()) {
        expect(started_at).toMatch(/Z$/);
        const index = command.match(/echo (\d+)/)![1]!;
        if (!seen.includes(index)) seen.push(index);
      }
      expect((await shell.list()).length).toBeLessThanOrEqual(64);
      await new Promise((resolve) => setTimeout(resolve));
    }
  })();
  await Promise.all(commands);
  answered = true;
  await watching;
  expect(seen.length).toBeGreaterThan(64);
  expect(most).toBeLessThanOrEqual(64);
  expect(seen).toEqual(seen.toSorted((a, b) => Number(a) - Number(b)));
  await waitFor(() => zombiesOf(Deno.pid).length === 0, { what: "zombies to be collected" });
  await waitFor(() => countOpenFiles(Deno.pid) <= filesBefore, { what: "files to be closed" });
});

Deno.test("too many waiting commands are refused", async () => {
  await using shell = startShell({ limits: { maxCommands: 1, maxWaitingCommands: 1 } });
  const pid = await shell.start("sleep 1000");
  const waiting = shell.run("echo waited");
  const refused = await shell.app.post("/api/bash/command", { command: "true" });
  expect([refused.status, refused.json, refused.headers.get("retry-after")]).toMatchObject([
    ...[503, { detail: "Cannot queue the command: 1 are already queued" }, "1"],
  ]);
  await shell.terminate(pid);
  expect((await waiting).output).toBe("waited\n");
});

Deno.test("a command does not wait for its start without end", async () => {
  await using shell = startShell({ limits: { maxCommands: 1, commandWaitMs: 50 } });
  await shell.start("sleep 1000");
  const { status, json } = await shell.app.post("/api/bash/command", { command: "true" });
  expect(status).toBe(503);
  expect(json.detail).toContain("1 are running and none has ended for 0.05 s");
});

Deno.test("what a command leaves running keeps its place", async () => {
  await using shell = startShell({ limits: { maxCommands: 1, commandWaitMs: 50 } });
  await shell.run("sleep 1000 & echo hi");
  const { status } = await shell.app.post("/api/bash/command", { command: "true" });
  expect(status).toBe(503);
});

Deno.test("ended processes are forgotten after the bound and not before", async () => {
  await using shell = startShell({ limits: { maxEndedProcesses: 2 } });
  const pids: number[] = [];
  for (let index = 0; index < 3; index++) {
    const pid = await shell.start(`echo ${index}`);
    await shell.completed(pid);
    pids.push(pid);
  }
  const listed = await shell.list("?all=true");
  expect(listed.map(({ pid, output }) => [pid, output])).toEqual([
    ...[[pids[1], "1\n"], [pids[2], "2\n"]],
  ]);
  const { status } = await shell.app.send("GET", `/api/bash/process/${pids[0]}/output`);
  expect(status).toBe(404);
  await shell.run("true"); // one that nobody knows by number takes no room
  expect(await shell.list("?all=true")).toEqual(listed);
  expect(await shell.list()).toEqual([]);
});

Deno.test("when ended processes take too much memory the oldest lose their output, then are forgotten", async () => {
  await using shell = startShell({ limits: { maxEndedBytes: 25_000 } });
  const end = async (command: string) => {
    const pid = await shell.start(command);
    await shell.completed(pid);
    return pid;
  };
  const write = (count: number, code: number) => `head -c ${count} /dev/zero; exit ${code}`;
  const [first, second] = [await end(write(10_000, 1)), await end(write(10_000, 2))];
  expect((await shell.output(first)).output.length).toBe(10_000);
  const third = await end(write(10_000, 3));
  expect(await shell.output(first, "?offset=3")).toMatchObject({
    ...{ output: "", truncated: true, exit_code: 1, status: "completed", next_offset: 10_000 },
  });
  for (const pid of [second, third]) expect((await shell.output(pid)).output.length).toBe(10_000);
  const listed = await shell.list("?all=true");
  expect(listed.map((each) => [each.pid, each.output.length, each.output_bytes, each.truncated]))
    .toEqual([[first, 0, 10_000, true], [second, 10_000, 10_000, false], [
      ...[third, 10_000, 10_000, false],
    ]]);

  const long = await end(`true ${"#".repeat(12_490)}`); // a command is a text of its own
  expect((await shell.list("?all=true")).map(({ pid }) => pid)).toEqual([long]);
});

Deno.test("a long list shows less of each process", async () => {
  await using shell = startShell();
  const pids: number[] = [];
  for (let index = 0; index < 80; index++) {
    pids.push(await shell.start(`head -c 20000 /dev/zero | tr '\\0' x; : ${"🙂".repeat(2_000)}`));
  }
  for (const pid of pids) await shell.completed(pid);
  const listed = await shell.list("?all=true");
  expect(listed.length).toBe(80);
  for (const { output, truncated, command } of listed) {
    expect([output.length, truncated]).toEqual([Math.floor(2 ** 20 / 80), true]);
    expect(command).toMatch(/^head .*…$/u);
    expect([command.length <= 1_024, command.isWellFormed()]).toEqual([true, true]);
  }
});

Deno.test("an ended process is forgotten when its time is over", async () => {
  await using shell = startShell({ limits: { keepEndedMs: 100 } });
  const pid = await shell.start("true");
  await waitFor(async () => {
    const { status } = await shell.app.send("GET", `/api/bash/process/${pid}/output`);
    return status === 404;
  }, { what: "the process to be forgotten" });
});

Deno.test("the list tells the end of the output, its size and the start", async () => {
  await using shell = startShell();
  const before = new Date().toISOString();
  const pid = await shell.start("head -c 100000 /dev/zero | tr '\\0' x; echo end; exit 6");
  await shell.completed(pid);
  const [listed] = await shell.list("?all=true");
  expect(listed).toMatchObject({
    ...{ pid, status: "completed", exit_code: 6, output_bytes: 100_004, truncated: true },
  });
  expect(listed!.output).toBe("x".repeat(16 * 1024 - 4) + "end\n");
  expect(listed!.started_at >= before && listed!.started_at <= new Date().toISOString()).toBe(true);
});

function countEntries(folder: string): number {
  return [...Deno.readDirSync(folder)].length;
}
