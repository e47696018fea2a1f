/** The service as the first process of a container, below a task that is it, and below tini. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { type RunningCommand, startCommand } from "../support/command.ts";
import { childrenOf, isRunning, zombiesOf } from "../support/processes.ts";
import { isOnPath, unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const MAY = Deno.build.os === "linux" && Deno.uid() === 0;
const FLAGS = ["--virtual-display", "320x240", "--no-setup", "--keychain", "file"];

const kinds: [string, readonly string[]][] = [
  ["the service itself", []],
  // in the place of the program and its first three arguments
  ["deno task", ["sh", "-c", `cd '${ROOT}' && shift 3 && exec "$0" task start "$@"`]],
  ["tini", ["tini", "--"]],
];
const ignored = (program = "sh") =>
  unless(MAY, "needs Linux, and root to make a space of processes") ||
  unless(isOnPath(program), `needs ${program} (deno task setup)`);

for (const [name, through] of kinds) {
  Deno.test({
    name:
      `where ${name} is the first process, no ended process is left, and SIGTERM ends all in order`,
    ignore: ignored(through[0]),
    async fn() {
      await using service = await startCommand(FLAGS, {}, [...CONTAINER, ...through]);
      const [first] = childrenOf(service.pid) as [number];
      // `unshare` takes no signal itself
      using _end = { [Symbol.dispose]: () => isRunning(first) && Deno.kill(first, "SIGKILL") };
      const left = `for i in 1 2 3 4 5 6 7 8 9; do (setsid sh -c 'sleep 0.1; exit 3' &); done`;
      expect(await run(service, left)).toMatchObject({ exit_code: 0 });
      const codes = Array.from({ length: 30 }, (_, code) => code);
      const ends = await Promise.all(codes.map((code) => run(service, `sleep 0.3; exit ${code}`)));
      expect(ends.map(({ exit_code }) => exit_code)).toEqual(codes);
      // a daemon: its parent has ended, and its end is told to nobody
      const daemon = `(setsid sleep 1000 >/dev/null 2>&1 &)`;
      await run(service, daemon);
      const orphan = await waitFor(() => descendantsOf(first).find(isSleeper), {
        what: "the daemon",
      });
      Deno.kill(orphan, "SIGKILL");
      await waitFor(() => descendantsOf(first).every((pid) => pid !== orphan), { what: "its end" });
      await waitFor(() => allZombies(first).length === 0, { what: "no ended process to be left" });

      Deno.kill(first, "SIGTERM");
      await service.errors.until(/ stopped$/);
      expect(await service.ended).toBe(0);
      expect(isRunning(first)).toBe(false);
    },
  });
}

async function run(service: RunningCommand, command: string): Promise<{ exit_code: number }> {
  const answer = await fetch(`${service.address}/api/bash/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ command }),
  });
  return await answer.json();
}

function descendantsOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

function allZombies(pid: number): number[] {
  return descendantsOf(pid).flatMap(zombiesOf);
}

function isSleeper(pid: number): boolean {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`) === "sleep\x001000\x00";
  } catch {
    return false;
  }
}
