/** The running program and its terminal: closing it ends the service, unless it was started to outlive it. */

import { expect } from "expect";
import { type LineReader, lineReader } from "../support/lines.ts";
import { TestX } from "../support/x_client.ts";
import { ownPlaces } from "../support/own_places.ts";
import { startXvfb } from "../support/xvfb.ts";

/** Runs a program on a terminal, shows what it prints, and closes the terminal when its input ends. */
const ON_A_TERMINAL = `
import os, pty, select, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
while 0 not in (ready := select.select([terminal, 0], [], [])[0]):
    os.write(1, os.read(terminal, 4096))
os.close(terminal)
print("status", os.waitpid(pid, 0)[1], flush=True)
`;

const MAIN = new URL("../../main.ts", import.meta.url).href;

Deno.test("closing the terminal ends the service with every key up", async () => {
  await using xvfb = await startXvfb();
  using x = await TestX.open(xvfb.display);
  const terminal = await start("/usr/bin/python3", ["-c", ON_A_TERMINAL, ...service(xvfb.display)]);
  const address = await formatAddress(terminal.output);
  const held = await fetch(`${address}/api/keyboard/hold`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: "shift" }),
  });
  await held.body?.cancel();
  expect(await x.keysDown()).not.toEqual([]);
  await terminal.child.stdin.getWriter().close();
  await terminal.output.until(/^status 0$/);
  expect(await x.keysDown()).toEqual([]);
  await terminal.end();
});

Deno.test("a service that was started to outlive the terminal does", async () => {
  await using xvfb = await startXvfb();
  const unheard = `trap "" HUP; exec "$@"`; // as nohup does
  const running = await start("/bin/sh", ["-c", unheard, "sh", ...service(xvfb.display)]);
  const address = await formatAddress(running.output);
  running.child.kill("SIGHUP");
  const answer = await fetch(`${address}/healthz`);
  await answer.body?.cancel();
  running.child.kill("SIGTERM");
  expect((await running.errors.until(/ stopping (.*)/))[1]).toBe('signal="SIGTERM"');
  await running.end();
});

function service(display: string): string[] {
  return [Deno.execPath(), "run", "-A", MAIN, "--port", "0", "--display", display];
}

async function start(program: string, args: readonly string[]) {
  const places = await ownPlaces();
  const child = new Deno.Command(program, {
    args: [...args],
    env: places.env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = lineReader(child.stdout);
  const errors = lineReader(child.stderr);
  async function end(): Promise<void> {
    await child.stdin.close().catch(() => {}); // a test may have closed it
    await Promise.all([child.status, output.rest(), errors.rest()]);
    await places[Symbol.asyncDispose]();
  }
  return { child, output, errors, end };
}

async function formatAddress(output: LineReader): Promise<string> {
  const [, address] = await output.until(/Address +(http:\/\/[^/\s]+)/);
  await output.until(/Found/);
  return address!;
}
