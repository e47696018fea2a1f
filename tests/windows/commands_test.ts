/** Commands of the service on Windows, asked for over HTTP from this system. */

import { expect } from "expect";
import { waitFor } from "../support/wait.ts";
import { openWine, type Wine, wineTest } from "../support/wine.ts";
import {
  countRunning,
  startWineService,
  waitUntilNoneRuns,
  type WineService,
} from "../support/wine_service.ts";

/** Says something, then waits for ever. */
const ENDLESS = "echo before& ping -n 100000 127.0.0.1 >nul";

wineTest("commands of the service on Windows", async () => {
  await using wine = await openWine();
  await using service = await startWineService(wine);
  await testResults(service);
  await testBackground(wine, service);
  await testMany(service);
});

/** Output, exit code, folder, environment and input. */
async function testResults(service: WineService): Promise<void> {
  const run = (command: string, more = {}) =>
    service.call("/api/bash/command", { command, ...more });

  expect(await run("echo é 漢字 😀& echo problem 1>&2& exit 3")).toEqual({
    ...{ output: "é 漢字 😀\r\nproblem \r\n", status: "completed", process_id: null },
    ...{ exit_code: 3, truncated: false },
  });
  expect((await run("cd& echo %A%", { cwd: "C:\\windows", env: { a: "ü" } })).output)
    .toBe("C:\\windows\r\nü\r\n");
  expect((await run("cd", { cwd: "~\\Documents" })).output).toMatch(/\\Documents\r\n$/);
  expect((await run("set /p x=& call echo got %^x%", { stdin: "ü 漢\r\n" })).output)
    .toBe("got ü 漢\r\n");
  expect((await run("exit -1")).exit_code).toBe(0xffff_ffff);
  expect(await service.refused(422, "/api/bash/command", { command: "a\nb" })).toContain(
    "one line",
  );
  const long = { command: "x".repeat(9_000) };
  expect(await service.refused(413, "/api/bash/command", long)).toContain("8191");
}

/** What goes on, is read, ended, and left running by its shell. */
async function testBackground(wine: Wine, service: WineService): Promise<void> {
  const run = (command: string, more = {}) =>
    service.call("/api/bash/command", { command, ...more });
  const { process_id: pid, status } = await run(ENDLESS, { timeout: 0.2 });
  expect(status).toBe("background");
  const output = (query: string) => service.call(`/api/bash/process/${pid}/output?${query}`);
  const first = await waitFor(async () => {
    const now = await output("wait_ms=1000");
    return now.next_offset >= 8 && now; // cmd writes a line break by itself
  }, { what: "the first output" });
  // the program that goes on may have said something, too
  expect(first.status).toBe("background");
  expect(first.output).toMatch(/^before\r\n/);
  expect((await output("offset=3")).output).toMatch(/^ore\r\n/);
  expect((await service.send(`/api/bash/process/${pid}`, undefined, { method: "DELETE" })).status)
    .toBe(204);
  expect(await output("")).toMatchObject({ status: "completed", exit_code: 143 });
  await waitUntilNoneRuns(wine, "cmd");
  await waitUntilNoneRuns(wine, "ping");

  const left = await run('echo shell& start /b cmd /d /c "set /p x="', { stdin_open: true });
  expect(left).toMatchObject({ output: "shell\r\n", status: "completed", exit_code: 0 });
  const [outlives] = await service.call("/api/bash/processes/managed");
  expect(outlives).toMatchObject({ status: "running" });
  await service.call("/api/bash/restart", {});
  expect(await service.call("/api/bash/processes/managed?all=true")).toEqual([]);
  await waitUntilNoneRuns(wine, "cmd");
}

/** 64 run at once, and files can be read meanwhile. */
async function testMany(service: WineService): Promise<void> {
  const start = async () => {
    const started = { command: "set /p x=& echo end", stdin_open: true, timeout: 0 };
    return (await service.call("/api/bash/command", started)).process_id as number;
  };
  const pids = await Promise.all(Array.from({ length: 64 }, start));
  expect(new Set(pids).size).toBe(64);
  const files = await service.call("/api/filesystem/list", { path: "C:\\" });
  expect(files.map(({ name }: { name: string }) => name)).toContain("windows");
  await Promise.all(
    pids.map((pid) =>
      service.call(`/api/bash/process/${pid}/input`, { text: "go\r\n", eof: true })
    ),
  );
  for (const pid of pids) {
    expect(await ended(service, pid)).toMatchObject({ output: "end\r\n", exit_code: 0 });
  }
}

wineTest("no command outlives the service on Windows, stopped or killed", async () => {
  await using wine = await openWine();
  for (const way of ["stop", "kill"] as const) {
    await using service = await startWineService(wine);
    const command = `start /b cmd /d /c "${ENDLESS}"& ${ENDLESS}`;
    await service.call("/api/bash/command", { command, timeout: 0 });
    await waitFor(() => countRunning(wine, "ping") === 2, { what: "two that ping" });
    await service[way]();
    await waitUntilNoneRuns(wine, "ping");
    await waitUntilNoneRuns(wine, "cmd");
  }
});

function ended(service: WineService, pid: number) {
  return waitFor(async () => {
    const now = await service.call(`/api/bash/process/${pid}/output?wait_ms=1000`);
    return now.status === "completed" && now;
  }, { what: `the end of process ${pid}` });
}
