/** What commands read. */

import { expect } from "expect";
import { countOpenFiles } from "../../support/processes.ts";
import { startShell } from "../../support/shell.ts";
import { waitFor } from "../../support/wait.ts";

Deno.test("a command without stdin finds the end of its input at once", async () => {
  await using shell = startShell();
  expect(await shell.run("cat", { timeout: 3600 })).toMatchObject({ output: "", exit_code: 0 });
  expect(await shell.run("cat", { timeout: 3600, stdin: "" })).toMatchObject({ exit_code: 0 });
  const pid = await shell.start("cat");
  expect(await shell.completed(pid)).toMatchObject({ exit_code: 0 });
});

Deno.test("stdin is read to its end", async () => {
  await using shell = startShell();
  expect((await shell.run("cat", { stdin: "Grüße 🙂\n" })).output).toBe("Grüße 🙂\n");
  const stdin = "0123456789abcde\n".repeat(10 * 65_536);
  expect((await shell.run("wc -c", { stdin })).output.trim()).toBe(String(10 * 2 ** 20));
});

Deno.test("a command that does not read all of its stdin ends all the same", async () => {
  await using shell = startShell();
  const stdin = "x\n".repeat(2 ** 20);
  expect(await shell.run("head -n 1", { stdin, timeout: 3600 })).toMatchObject({ output: "x\n" });
});

Deno.test("input is written to a process in the background, until eof", async () => {
  await using shell = startShell();
  const pid = await shell.start("cat; echo end", { stdin: "one\n", stdin_open: true });
  const write = (body: unknown) => shell.app.post(`/api/bash/process/${pid}/input`, body);
  expect((await write({ text: "zwölf\n" })).status).toBe(204);
  const both = "one\nzwölf\n";
  await waitFor(async () => (await shell.output(pid)).output === both);
  expect((await write({ text: "", eof: true })).status).toBe(204);
  expect(await shell.completed(pid)).toMatchObject({ output: `${both}end\n`, exit_code: 0 });
  const late = await write({ text: "late" });
  expect([late.status, late.json.detail]).toEqual([
    409,
    `Cannot write to process ${pid}: it has ended`,
  ]);
});

Deno.test("the input is closed after stdin, unless stdin_open says otherwise", async () => {
  await using shell = startShell();
  const closed = await shell.start("wc -c", { stdin: "abc" });
  expect((await shell.completed(closed)).output.trim()).toBe("3");

  const { process_id: open } = await shell.run("read a; read b; echo $a-$b", {
    ...{ stdin: "x\n", stdin_open: true, timeout: 0.2 },
  });
  const written = await shell.app.post(`/api/bash/process/${open}/input`, { text: "y\n" });
  expect(written.status).toBe(204);
  expect((await shell.completed(open!)).output).toBe("x-y\n");
});

Deno.test("a process without an input refuses it", async () => {
  await using shell = startShell();
  const pid = await shell.start("sleep 1000");
  const { status, json } = await shell.app.post(`/api/bash/process/${pid}/input`, { text: "x" });
  expect(status).toBe(409);
  expect(json.detail).toContain("it has no input");
});

Deno.test("a process that does not read holds up nobody, and not without bound", async () => {
  await using shell = startShell({ limits: { maxBodyBytes: 100_000 } });
  const pid = await shell.start("sleep 1000", { stdin_open: true });
  const text = "x".repeat(60_000);
  const statuses: number[] = [];
  await waitFor(async () => {
    statuses.push((await shell.app.post(`/api/bash/process/${pid}/input`, { text })).status);
    return statuses.at(-1) !== 204;
  }, { what: "the input to be refused" });
  expect(statuses.at(-1)).toBe(503);
});

Deno.test("a process that closed its input refuses it", async () => {
  await using shell = startShell();
  const pid = await shell.start("exec <&-; echo closed; sleep 1000", { stdin_open: true });
  await shell.output(pid, "?wait_ms=20000");
  await waitFor(async () => {
    const { status } = await shell.app.post(`/api/bash/process/${pid}/input`, { text: "x" });
    return status === 409;
  }, { what: "the input to be refused" });
});

Deno.test("a process that reads can be written to without end", async () => {
  await using shell = startShell({ limits: { maxBodyBytes: 100_000 } });
  const pid = await shell.start("cat >/dev/null; echo done", { stdin_open: true });
  const text = "x".repeat(60_000);
  for (let round = 0; round < 5; round++) {
    await waitFor(async () => {
      const { status } = await shell.app.post(`/api/bash/process/${pid}/input`, { text });
      return status === 204;
    }, { what: "the input to be taken" });
  }
});

Deno.test("what an escaped program never reads is let go of with the command", async () => {
  await using shell = startShell();
  await shell.run("cat", { stdin: "x" });
  const folder = await Deno.makeTempDir();
  const before = await settledFiles();
  const pids: number[] = [];
  try {
    for (let round = 0; round < 5; round++) {
      // by a descriptor of its own, because a shell gives an empty input to what it runs with "&"
      const command =
        `exec 3<&0; setsid sh -c 'echo $$ >${folder}/pid; exec sleep 1000' <&3 3<&- & ` +
        `until [ -s ${folder}/pid ]; do sleep 0.01; done; cat ${folder}/pid; rm ${folder}/pid`;
      const stdin = "x".repeat(2 ** 20);
      const { output } = await shell.run(command, { stdin, timeout: 3600 });
      expect(output).toMatch(/^\d+\n$/);
      pids.push(Number(output));
    }
    await waitFor(async () => (await settledFiles()) <= before, {
      what: "the inputs to be closed",
    });
  } finally {
    for (const pid of pids) Deno.kill(pid, "SIGKILL");
    await Deno.remove(folder, { recursive: true });
  }
});

/** The spare shell of the next command takes a moment. */
async function settledFiles(): Promise<number> {
  let count = countOpenFiles(Deno.pid);
  for (let same = 0; same < 10; same++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = countOpenFiles(Deno.pid);
    if (now !== count) same = 0;
    count = now;
  }
  return count;
}
