/** Virtual displays of several instances: each has a number of its own, and what a killed one has left is ended. */

import { expect } from "expect";
import { createLog } from "../../../../src/core/log.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { readIdentity } from "../../../../src/platform/linux/process/process_identity.ts";
import {
  startVirtualDisplay,
  startXvfb,
} from "../../../../src/platform/linux/virtual/x_display.ts";
import { testFolder } from "../../../support/folder.ts";
import { lineReader } from "../../../support/lines.ts";
import { childrenOf, isRunning, serverPid } from "../../../support/processes.ts";
import { waitFor } from "../../../support/wait.ts";

const size = { width: 320, height: 240 };
const log = createLog(() => {});

function start(stateDir: string) {
  return startVirtualDisplay(thisHost(), { size, stateDir, log });
}

function recordOf(folder: string, display: string): string {
  return `${folder}/displays/${display.slice(1)}.json`;
}

Deno.test("startVirtualDisplay() records who has the display, for its user alone", async () => {
  await using folder = await testFolder();
  const virtual = await start(folder.path);
  const path = recordOf(folder.path, virtual.display);
  const { display, cookie, service, server } = JSON.parse(await Deno.readTextFile(path));
  expect({ display, service, server }).toEqual({
    display: virtual.display,
    service: readIdentity(Deno.pid),
    server: readIdentity(serverPid(virtual.display)),
  });
  expect(cookie).toMatch(/^[0-9a-f]{32}$/);
  expect((await Deno.stat(path)).mode! & 0o777).toBe(0o600);
  await virtual[Symbol.asyncDispose]();
  await expect(Deno.stat(path)).rejects.toThrow(Deno.errors.NotFound);
});

Deno.test("startVirtualDisplay() never gives a number twice, to ten at once from several folders", async () => {
  await using one = await testFolder();
  await using two = await testFolder();
  const folders = Array.from({ length: 10 }, (_, index) => index % 2 === 0 ? one.path : two.path);
  const all = await Promise.all(folders.map(start));
  expect(new Set(all.map(({ display }) => display)).size).toBe(all.length);
  expect(new Set(all.map(({ display }) => serverPid(display))).size).toBe(all.length);
  await Promise.all(all.map((virtual) => virtual[Symbol.asyncDispose]()));
});

Deno.test("startVirtualDisplay() ends the server that a killed instance has left", async () => {
  await using folder = await testFolder();
  const left = await leftBehind(folder.path);
  expect(isRunning(left.server)).toBe(true);
  await using _next = await start(folder.path);
  await waitFor(() => !isRunning(left.server), { what: "the end of the server" });
  await expect(Deno.stat(`${folder.path}/displays/4999.json`)).rejects.toThrow();
});

Deno.test("startVirtualDisplay() takes the number of an instance that was killed with its server", async () => {
  await using folder = await testFolder();
  const left = await leftBehind(folder.path);
  Deno.kill(left.server, "SIGKILL");
  await waitFor(() => !isRunning(left.server), { what: "the end of the server" });
  const before = JSON.parse(await Deno.readTextFile(recordOf(folder.path, left.display)));
  await using next = await start(folder.path);
  const after = JSON.parse(await Deno.readTextFile(recordOf(folder.path, next.display)));
  expect(after.service).not.toEqual(before.service);
  const entries = await Array.fromAsync(Deno.readDir(`${folder.path}/displays`));
  expect(entries.map(({ name }) => name).sort()).toEqual([`${next.display.slice(1)}.json`]);
});

Deno.test("startVirtualDisplay() harms no process that has got the number of a dead one", async () => {
  await using folder = await testFolder();
  await Deno.mkdir(`${folder.path}/displays`, { mode: 0o700 });
  const reused = new Deno.Command("sleep", { args: ["1000"] }).spawn();
  const stale = { pid: reused.pid, startedAt: "1 another start of the system" };
  const path = recordOf(folder.path, ":4999");
  const record = { display: ":4999", cookie: "", service: stale, server: stale };
  await Deno.writeTextFile(path, JSON.stringify(record));
  const broken = recordOf(folder.path, ":4998");
  await Deno.writeTextFile(broken, "{half a rec");
  {
    await using _virtual = await start(folder.path);
    await expect(Deno.stat(path)).rejects.toThrow(Deno.errors.NotFound);
    await expect(Deno.stat(broken)).rejects.toThrow(Deno.errors.NotFound);
  }
  expect(isRunning(reused.pid)).toBe(true);
  reused.kill("SIGKILL");
  await reused.status;
});

Deno.test("startVirtualDisplay() starts where no record can be written, and says so", async () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  await using virtual = await startVirtualDisplay(thisHost(), {
    size,
    stateDir: "/proc/none",
    log,
  });
  expect(virtual.running).toBe(true);
  expect(lines.join("\n")).toContain("warn virtual displays are not recorded");
});

Deno.test("startXvfb() kills a server that hangs before it is ready, and says so", async () => {
  await using folder = await testFolder();
  const program = `${folder.path}/hang`;
  await writeProgram(program, `#!/bin/sh\necho $$ >"$0.pid"\nexec sleep 1000\n`);
  const starting = startXvfb({
    size: "320x240",
    display: ":4997",
    uid: 0,
    startMs: 2_000,
    program,
  });
  await expect(starting).rejects.toThrow("Xvfb was not ready within 2 s and was killed");
  const pid = Number(await Deno.readTextFile(`${program}.pid`));
  await waitFor(() => !isRunning(pid), { what: "the end of the server" }); // a killed process takes a moment
});

/** Listens as an X server does, and answers nothing. */
const MUTE = `#!/usr/bin/python3
import os, socket, sys, time
path = "/tmp/.X11-unix/X" + sys.argv[1][1:]
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen(5)
os.write(1, (sys.argv[1][1:] + "\\n").encode())
connection = server.accept()
os.unlink(path)
time.sleep(1000)
`;
import { writeProgram } from "../../../support/written_program.ts";

Deno.test("startXvfb() kills a server that hangs when its user is to be let in, and says so", async () => {
  await using folder = await testFolder();
  const program = `${folder.path}/mute`;
  await writeProgram(program, MUTE);
  const starting = startXvfb({ size: "320x240", display: ":4996", uid: 0, program });
  await expect(starting).rejects.toThrow('":4996" did not respond within 5 s');
});

Deno.test("startXvfb() says why a server ends before it is ready", async () => {
  await using folder = await testFolder();
  const program = `${folder.path}/broken`;
  const script = "#!/bin/sh\necho '(EE) could not open default font' >&2\nexit 1\n";
  await writeProgram(program, script);
  await expect(startXvfb({ size: "320x240", display: ":4995", uid: 0, program }))
    .rejects.toThrow("Xvfb ended before it was ready: could not open default font");
});

/** What is left when an instance and the script that ends its server are killed together. */
async function leftBehind(folder: string): Promise<{ server: number; display: string }> {
  const program = new URL("../../../support/hold_virtual_display.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", program, folder],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = lineReader(child.stdout);
  const display = (await output.next())!;
  const server = serverPid(display);
  const script = childrenOf(child.pid).find((pid) => childrenOf(pid).includes(server))!;
  const watchers = childrenOf(script).filter((pid) => pid !== server);
  // the instance before the script, whose end it would notice
  for (const pid of [...watchers, child.pid, script]) Deno.kill(pid, "SIGKILL");
  await child.status;
  await output.rest();
  return { server, display };
}
