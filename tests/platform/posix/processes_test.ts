/** Commands on systems with less: without `setsid` and `/proc`; and what is left when programs fail. */

import { expect } from "expect";
import {
  openInputPipe,
  ProcTable,
  SpareShell,
} from "../../../src/platform/linux/process/processes.ts";
import { type PosixOptions, PosixProcesses } from "../../../src/platform/posix/processes.ts";
import type { Command } from "../../../src/platform/types/mod.ts";
import { childrenOf, isRunning, membersOf } from "../../support/processes.ts";
import { waitFor } from "../../support/wait.ts";
import { copyProgram } from "../../support/written_program.ts";

const LINUX_PARTS: Pick<PosixOptions, "openPipe" | "openSpare"> = {
  openPipe: openInputPipe,
  openSpare: (options) => new SpareShell(options),
};

/** As macOS is: its own process group by Deno, and nobody tells who is in it. */
function openBare(): PosixProcesses {
  const env = Deno.env.toObject();
  return new PosixProcesses({
    ...{ home: "/", shell: "/bin/sh", env: () => env, setsid: undefined, table: undefined },
    openPipe: () => undefined,
  });
}

/** As Linux is. */
function openFull({ home = "/", env = () => VARIABLES, ...more }: Partial<PosixOptions> = {}) {
  return new PosixProcesses({
    ...{ home, shell: "/bin/bash", env, setsid: "setsid", table: new ProcTable() },
    ...LINUX_PARTS,
    ...more,
  });
}

const LINUX = "../../../src/platform/linux/process/processes.ts";
const VARIABLES = { PATH: "/usr/bin:/bin" };

async function run(processes: PosixProcesses, line: string): Promise<string> {
  const command = processes.start({ command: line, input: false });
  const text = await readAll(command);
  await command.ended;
  await command.close();
  return text;
}

function watcherOf(parent: number): number | undefined {
  return childrenOf(parent).find((pid) =>
    Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes("computer-control-watcher")
  );
}

/** A program that has just been started has no command line yet. */
function nextWatcher(killed?: number): Promise<number> {
  const find = () => {
    const pid = watcherOf(Deno.pid);
    return pid !== killed && pid;
  };
  return waitFor(find, { what: "a watcher", timeoutMs: 5_000 });
}

/** The child that is neither the watcher nor a command. */
async function spareOf(processes: PosixProcesses): Promise<number> {
  await run(processes, "true");
  const watcher = watcherOf(Deno.pid);
  const [spare, ...others] = childrenOf(Deno.pid).filter((pid) => pid !== watcher);
  expect(others).toEqual([]);
  return spare!;
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
    ...LINUX_PARTS,
  });
  await run(processes, "true");
  const children = childrenOf(Deno.pid);
  expect(children.length).toBe(2);
  for (const pid of children) Deno.kill(pid, "SIGKILL");
  await waitFor(() => !children.some(isRunning), { what: "their end" });
  expect(await waitFor(async () => (await run(processes, "echo hi")) || false)).toBe("hi\n");

  const { pid } = processes.start({ command: "sleep 1000", input: false });
  await processes[Symbol.asyncDispose](); // the new watcher ends it
  expect(isRunning(pid)).toBe(false);
});

const WAYS = {
  "a spare shell": { input: false },
  "a shell of its own": { input: false, cwd: "/" },
  "a shell with an input": { input: true },
};
for (const [way, line] of Object.entries(WAYS)) {
  Deno.test(`a command in ${way} ends when the service is killed in the same moment`, async () => {
    const code = `
      import { openLinuxProcesses } from "${import.meta.resolve(LINUX)}";
      import { thisHost } from "${import.meta.resolve("../../../src/platform/host.ts")}";
      const processes = openLinuxProcesses(thisHost(), { limits: { commandNice: 10 } }, { display: () => undefined });
      const first = processes.start({ command: "true", input: false });
      await first.ended;
      const { pid } = processes.start({ command: "sleep 1000", ...${JSON.stringify(line)} });
      Deno.stdout.writeSync(new TextEncoder().encode(String(pid)));
      Deno.kill(Deno.pid, "SIGKILL");`;
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
    const pid = Number(new TextDecoder().decode(stdout));
    expect(pid).toBeGreaterThan(1);
    try {
      await waitFor(() => !isRunning(pid), { what: "the end of the command", timeoutMs: 10_000 });
    } finally {
      if (isRunning(pid)) Deno.kill(pid, "SIGKILL");
    }
  });
}

Deno.test("a killed watcher is replaced while a command runs, and told of it", async () => {
  await using processes = openFull();
  const { pid } = processes.start({ command: "sleep 1000", input: false });
  try {
    let watcher = await nextWatcher();
    for (let round = 0; round < 3; round++) {
      Deno.kill(watcher, "SIGKILL");
      watcher = await nextWatcher(watcher);
    }
    await processes[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
  } finally {
    if (isRunning(pid)) Deno.kill(pid, "SIGKILL");
  }
});

Deno.test("a command that is closed leaves a later one with its number to the watcher", async () => {
  const later = new Deno.Command("setsid", {
    ...{ args: ["sleep", "1000"], stdin: "null", stdout: "piped", stderr: "null" },
  }).spawn();
  const { pid } = later;
  const status = Promise.resolve({ success: true, code: 0, signal: null });
  const stdout = new ReadableStream({ type: "bytes" });
  const ended = { pid, status, stdout } as unknown as Deno.ChildProcess;
  const children = [ended, later];
  const processes = openFull({
    openSpare: () => ({ become: () => children.shift(), stop: () => Promise.resolve() }),
  });
  try {
    const line = { command: "true", input: false };
    const first = processes.start(line);
    const second = processes.start(line);
    await first.close();
    await processes[Symbol.asyncDispose](); // its watcher ends what it knows
    expect(isRunning(pid)).toBe(false);
    await second.close();
  } finally {
    if (isRunning(pid)) Deno.kill(pid, "SIGKILL");
  }
});

Deno.test("without a watcher no command is started", async () => {
  let asked = 0;
  // the first is that of the watcher, which is too large for the system
  const env = () => asked++ === 0 ? { PATH: "x".repeat(200_000) } : VARIABLES;
  await using processes = openFull({ env });
  const before = childrenOf(Deno.pid);
  expect(() => processes.start({ command: "sleep 1000", input: false })).toThrow(
    expect.objectContaining({ code: "unavailable" }),
  );
  const left = childrenOf(Deno.pid).filter((pid) => !before.includes(pid));
  for (const pid of left) Deno.kill(pid, "SIGKILL");
  expect(left).toEqual([]);
});

Deno.test("the watcher ends a process whose name has a line break", async () => {
  const folder = await Deno.makeTempDir();
  const processes = openFull();
  await copyProgram("/bin/sleep", `${folder}/a\nb`);
  const command = processes.start({ command: `exec ${folder}/$'a\nb' 1000`, input: false });
  await waitFor(() => Deno.readTextFileSync(`/proc/${command.pid}/comm`) === "a\nb\n");
  await processes[Symbol.asyncDispose]();
  const lives = isRunning(command.pid);
  if (lives) Deno.kill(command.pid, "SIGKILL");
  await command.ended;
  await command.close();
  await Deno.remove(folder, { recursive: true });
  expect(lives).toBe(false);
});

Deno.test("a spare shell that is stopped or dead is not used", async () => {
  for (const signal of ["SIGSTOP", "SIGKILL"] as const) {
    await using processes = openFull();
    const spare = await spareOf(processes);
    Deno.kill(spare, signal);
    while (!hasState(spare, /[TZ]/)); // without a pause, in which we would be told
    const command = processes.start({ command: "echo hi", input: false });
    try {
      expect(command.pid).not.toBe(spare);
      expect(await readAll(command)).toBe("hi\n");
      expect(await command.ended).toBe(0);
    } finally {
      if (isRunning(spare)) Deno.kill(spare, "SIGCONT");
      await command.close();
    }
  }
});

Deno.test("a spare shell in a home that was deleted is not used", async () => {
  const home = await Deno.makeTempDir();
  await using processes = openFull({ home });
  await spareOf(processes);
  await Deno.remove(home);
  expect(() => processes.start({ command: "true", input: false })).toThrow(
    expect.objectContaining({ code: "not_found" }),
  );
  await Deno.mkdir(home);
  expect(await run(processes, "true; touch new; ls")).toBe("new\n");
  await Deno.remove(home, { recursive: true });
});

Deno.test("a shell that waits for its input has the pipe at every moment, and nothing else", async () => {
  const seen = new Set<string>();
  const priority = {
    /** Between the start of the shell and the moment in which its input is opened. */
    lower(pid: number) {
      do {
        seen.add(kindOfInput(pid));
      } while (!isWaitingShell(pid));
    },
    ...{ forget() {}, [Symbol.dispose]() {} },
  };
  await using processes = openFull({ priority });
  for (let round = 0; round < 20; round++) {
    const command = processes.start({ command: "cat", input: true });
    await command.input!.write(new TextEncoder().encode("hi"));
    await command.input!.close();
    expect(await readAll(command)).toBe("hi");
    expect(await command.ended).toBe(0);
    await command.close();
  }
  expect([...seen]).toEqual(["pipe:[N]"]);
});

function kindOfInput(pid: number): string {
  return Deno.readLinkSync(`/proc/${pid}/fd/0`).replace(/\d+/, "N");
}

function isWaitingShell(pid: number): boolean {
  return hasState(pid, /S/) && Deno.readTextFileSync(`/proc/${pid}/comm`) === "sh\n";
}

function hasState(pid: number, state: RegExp): boolean {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  return state.test(stat[stat.lastIndexOf(")") + 2]!);
}
