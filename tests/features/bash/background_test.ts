/** Commands that outlive their answer, and what they leave running. */

import { expect } from "expect";
import { countOpenFiles, isRunning, membersOf } from "../../support/processes.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("a command that takes longer than its timeout goes on in the background", async () => {
  await using shell = startShell();
  const go = await Deno.makeTempFile();
  const command = `echo first; while [ -s ${go} ] || ! [ -e ${go}.2 ]; do
    [ -e ${go}.1 ] && { echo second; rm ${go}.1; }; sleep 0.02; done; echo last; exit 4`;
  await shell.run("true"); // from now on there is a spare shell, which needs no time to start
  const started = await shell.run(command, { timeout: 0.3 });
  const pid = started.process_id!;
  expect(started).toEqual({
    ...{ output: "first\n", status: "background", exit_code: null, truncated: false },
    process_id: expect.any(Number),
  });
  expect(await shell.output(pid)).toEqual({ ...started, next_offset: 6 });

  await Deno.writeTextFile(`${go}.1`, "");
  const grown = await shell.output(pid, "?offset=6&wait_ms=20000");
  expect(grown).toMatchObject({ output: "second\n", status: "background", next_offset: 13 });

  await Deno.writeTextFile(`${go}.2`, "");
  const ended = await shell.completed(pid);
  expect(ended).toEqual({
    ...{ output: "first\nsecond\nlast\n", status: "completed", process_id: pid },
    ...{ exit_code: 4, truncated: false, next_offset: 18 },
  });
  for (let round = 0; round < 3; round++) expect(await shell.output(pid)).toEqual(ended);
  expect(await shell.output(pid, "?offset=13")).toMatchObject({ output: "last\n" });
  expect(await shell.output(pid, "?offset=99")).toMatchObject({ output: "", next_offset: 18 });
});

Deno.test("timeout 0 is background at once", async () => {
  await using shell = startShell();
  const started = await shell.run("sleep 1000", { timeout: 0 });
  expect(started).toMatchObject({ output: "", status: "background", exit_code: null });
  const members = () => membersOf(started.process_id!);
  await waitFor(() => members().length > 0, { what: "the process in the list of the system" });
  expect(members()).toEqual([started.process_id]);
});

Deno.test("what a command leaves running does not hold up its answer, and is listed", async () => {
  await using shell = startShell();
  for (const command of ["sleep 1000 & echo hi", "set -m; sleep 1000 & echo hi"]) {
    expect(await shell.run(command, { timeout: 3600 })).toEqual({
      ...{ output: "hi\n", status: "completed", exit_code: 0, process_id: null, truncated: false },
    });
    const [listed] = await shell.list();
    expect(listed).toMatchObject({ command, status: "running", output: "hi\n", exit_code: null });
    const { pid } = listed!;
    const members = membersOf(pid);
    expect(members.length).toBe(1);
    expect(members).not.toContain(pid); // the shell itself has ended
    expect((await shell.terminate(pid)).status).toBe(204);
    expect(membersOf(pid)).toEqual([]);
    expect(await shell.output(pid)).toMatchObject({ status: "completed", exit_code: 0 });
    expect(await shell.list()).toEqual([]);
  }
});

Deno.test("what is left running is drained to its end", async () => {
  await using shell = startShell();
  const go = await Deno.makeTempFile();
  await shell.run(`(while [ -e ${go} ]; do sleep 0.02; done; echo later) & echo now`);
  const [listed] = await shell.list();
  await Deno.remove(go);
  expect(await shell.completed(listed!.pid)).toMatchObject({ output: "now\nlater\n" });
});

Deno.test("what is left running without the pipe is managed, too", async () => {
  await using shell = startShell();
  expect((await shell.run("sleep 1000 >/dev/null 2>&1 & echo hi")).output).toBe("hi\n");
  const [listed] = await shell.list();
  expect(listed).toMatchObject({ status: "running" });
  const [sleep] = membersOf(listed!.pid);
  Deno.kill(sleep!, "SIGKILL"); // nobody tells us: it is noticed
  await waitFor(async () => (await shell.list()).length === 0, { what: "the end to be noticed" });
});

Deno.test("a process that left for a session of its own holds nothing up", async () => {
  await using shell = startShell();
  await shell.run("true"); // opens what stays open: the spare shell and the watcher
  const filesBefore = countOpenFiles(Deno.pid);
  const command = "setsid sleep 1000 & until [ $(ps -o sid= -p $!) = $! ]; do sleep 0.01; done; " +
    "echo $!";
  const { output, status } = await shell.run(command, { timeout: 3600 });
  const escaped = Number(output);
  try {
    expect(status).toBe("completed");
    expect(isRunning(escaped)).toBe(true);
    expect(await shell.list("?all=true")).toEqual([]);
    await waitFor(() => countOpenFiles(Deno.pid) <= filesBefore, { what: "the pipe to be closed" });
  } finally {
    Deno.kill(escaped, "SIGKILL");
  }
});

Deno.test("a member that makes a session of its own is a member no more", async () => {
  await using shell = startShell();
  const command = "(read -t 1 <> <(:); exec setsid sleep 1000) & echo $!";
  const { output } = await shell.run(command, { timeout: 3600 });
  const escaped = Number(output);
  try {
    await waitFor(async () => (await shell.list()).length === 0, { what: "the end of the group" });
    expect(isRunning(escaped)).toBe(true);
  } finally {
    Deno.kill(escaped, "SIGKILL");
  }
});

Deno.test("a command ends after max_runtime", async () => {
  await using shell = startShell();
  const { status, exit_code } = await shell.run("sleep 1000", { max_runtime: 0.2 });
  expect({ status, exit_code }).toEqual({ status: "completed", exit_code: 143 });
  const pid = await shell.start("sleep 1000 & exec sleep 1000", { max_runtime: 0.2 });
  expect(await shell.completed(pid)).toMatchObject({ exit_code: 143 });
  expect(membersOf(pid)).toEqual([]);
});

Deno.test("max_runtime also ends what a command has left running", async () => {
  await using shell = startShell();
  await shell.run("sleep 1000 & echo hi", { max_runtime: 0.5 });
  await waitFor(async () => (await shell.list()).length === 0, { what: "the end of the group" });
});

Deno.test("a long poll answers with the end of the process", async () => {
  await using shell = startShell();
  const pid = await shell.start("read line; exit 7", { stdin_open: true });
  const poll = shell.output(pid, "?wait_ms=60000");
  const written = await shell.app.post(`/api/bash/process/${pid}/input`, { text: "x\n" });
  expect(written.status).toBe(204);
  expect(await poll).toMatchObject({ status: "completed", exit_code: 7 });
});

Deno.test("a long poll answers as it is when its time is over", async () => {
  await using shell = startShell();
  const pid = await shell.start("sleep 1000");
  expect(await shell.output(pid, "?wait_ms=50")).toMatchObject({
    output: "",
    status: "background",
  });
});
