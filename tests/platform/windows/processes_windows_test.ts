/** How commands live and end on Windows itself, or under wine: their job, their pipes, and what is left of them. */

import { expect } from "expect";
import type { Command, Processes } from "../../../src/platform/types/mod.ts";
import { waitFor } from "../../support/wait.ts";
import {
  finish,
  openProcesses,
  QUIET,
  readUntil,
  runCommand,
  writeLine,
} from "../../support/windows/command.ts";
import { countHandles } from "../../support/windows/handles.ts";

const ignore = Deno.build.os !== "windows";
const MANY = 64;
const ROUNDS = 6;

/** A command that starts another one and ends; the other one waits for ever. */
const LEAVES_ONE = `echo started& start /b cmd /d /c "${QUIET}"`;

Deno.test({ name: "a command reads what is written to it, to the end", ignore }, async () => {
  await using processes = openProcesses();
  const script = "await Deno.stdin.readable.pipeTo(Deno.stdout.writable)";
  const command = processes.start({
    command: `"${Deno.execPath()}" eval "${script}"`,
    input: true,
  });
  const sent = "é漢😀\n".repeat(60_000);
  const reading = finish(command);
  await command.input!.write(new TextEncoder().encode(sent));
  await command.input!.close();
  const { output, code } = await reading;
  expect({ length: output.length, same: output === sent, code })
    .toEqual({ length: sent.length, same: true, code: 0 });
});

Deno.test(
  { name: "a long output is read to its end, and short ones after it", ignore },
  async () => {
    await using processes = openProcesses();
    const script = "for (let i = 0; i < 800; i++) Deno.stdout.writeSync(new Uint8Array(65536))";
    const command = processes.start({
      command: `"${Deno.execPath()}" eval "${script}"`,
      input: false,
    });
    let length = 0;
    for (let bytes = await command.read(); bytes; bytes = await command.read()) {
      length += bytes.length;
    }
    expect([length, await command.ended]).toEqual([800 * 65_536, 0]);
    await command.close();
    for (let i = 0; i < 10; i++) {
      expect(await finish(processes.start({ command: "echo a", input: false })))
        .toEqual({ output: "a\n", code: 0 });
    }
  },
);

Deno.test({ name: "a command without input finds nothing to read", ignore }, async () => {
  expect(await runCommand("set /p x=& echo end")).toEqual({ output: "end\n", code: 0 });
});

Deno.test({ name: "writing to a command that has ended fails", ignore }, async () => {
  await using processes = openProcesses();
  const command = processes.start({ command: "exit", input: true });
  await command.ended;
  await command.gone();
  await expect(command.input!.write(new Uint8Array(100_000))).rejects.toThrow(
    "has stopped reading",
  );
  await command.close();
});

for (const [signal, code] of [["SIGTERM", 143], ["SIGKILL", 137]] as const) {
  Deno.test({ name: `${signal} ends the shell and all that it started`, ignore }, async () => {
    await using processes = openProcesses();
    const command = processes.start({ command: `${LEAVES_ONE}& ${QUIET}`, input: true });
    await readUntil(command, "started");
    await command.signal(signal);
    expect((await finish(command)).code).toBe(code);
    expect(await command.isAlive()).toBe(false);
    await command.signal(signal); // it is gone: nothing happens
  });
}

Deno.test({ name: "SIGTERM asks a program with a window to close", ignore }, async () => {
  await using processes = openProcesses();
  const command = processes.start({ command: "notepad", input: false });
  await waitFor(() => hasWindow("Notepad"), { what: "the window of notepad" });
  await command.signal("SIGTERM");
  expect((await finish(command)).code).toBe(0); // it has ended by itself
});

Deno.test({ name: "what outlives its shell is alive, and can be ended", ignore }, async () => {
  await using processes = openProcesses();
  const command = processes.start({ command: LEAVES_ONE, input: true });
  expect(await command.ended).toBe(0);
  expect(await command.isAlive()).toBe(true);
  await command.signal("SIGKILL");
  await command.gone();
  expect(await command.isAlive()).toBe(false);
  await command.close();
});

Deno.test(
  { name: "commands that are quiet hold up neither each other nor files", ignore },
  async () => {
    await using processes = openProcesses();
    const commands = Array.from(
      { length: MANY },
      () => processes.start({ command: QUIET, input: true }),
    );
    const ends = commands.map(finish);
    const file = await Deno.makeTempFile();
    expect(await Deno.readTextFile(file)).toBe("");
    await Deno.remove(file);
    await Promise.all(commands.map((command) => writeLine(command, "x")));
    expect((await Promise.all(ends)).map(({ code }) => code)).toEqual(Array(MANY).fill(0));
  },
);

Deno.test({ name: "closing a command ends it, also while it is read", ignore }, async () => {
  await using processes = openProcesses();
  const command = processes.start({ command: QUIET, input: true });
  const reading = command.read();
  await command.close();
  expect(await reading).toBeUndefined();
  expect(await command.read()).toBeUndefined();
});

Deno.test({ name: "commands leave no handle open, however they end", ignore }, async () => {
  await using processes = openProcesses();
  await endInEveryWay(processes);
  const before = countHandles();
  for (let round = 0; round < ROUNDS; round++) await endInEveryWay(processes);
  // threads of the runtime come and go; a handle that stays open does so in each round
  await waitFor(() => countHandles() - before < ROUNDS, { everyMs: 100 })
    .catch(() => expect(countHandles() - before).toBeLessThan(ROUNDS));
});

async function endInEveryWay(processes: Processes): Promise<void> {
  const start = (command: string, input = false): Command => processes.start({ command, input });
  await finish(start("echo a"));
  await finish(start("no-such-program"));
  const killed = start(`${LEAVES_ONE}& ${QUIET}`, true);
  await killed.signal("SIGKILL");
  await finish(killed);
  await start(QUIET, true).close();
  await using other = openProcesses({ shell: "no-such-shell.exe" });
  expect(() => other.start({ command: "a", input: true })).toThrow("Cannot start");
}

/** Whether a window of this class is open. */
function hasWindow(className: string): boolean {
  const user32 = Deno.dlopen("user32.dll", {
    // HWND FindWindowA(LPCSTR lpClassName, LPCSTR lpWindowName)
    FindWindowA: { parameters: ["buffer", "pointer"], result: "usize" },
    // BOOL IsWindowVisible(HWND hWnd)
    IsWindowVisible: { parameters: ["usize"], result: "i32" },
  });
  try {
    const { FindWindowA, IsWindowVisible } = user32.symbols;
    const window = FindWindowA(new TextEncoder().encode(`${className}\0`), null);
    return window !== 0n && IsWindowVisible(window) !== 0;
  } finally {
    user32.close();
  }
}
