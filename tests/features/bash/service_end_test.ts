/** What is left of commands when the service ends, in peace or not. */

import { expect } from "expect";
import { type RunningCommand, startCommand, startLimited } from "../../support/command.ts";
import { childrenOf, isRunning, membersOf } from "../../support/processes.ts";
import { waitFor } from "../../support/wait.ts";

/** Without an X server, which commands do not need. */
const ARGS = ["--display", ":4095", "--no-setup"];

const COMMANDS = [
  "sleep 1000",
  "sleep 1000 & sleep 1000 | sleep 1000",
  "set -m; sleep 1000 & sleep 1000 & wait",
  'trap "" TERM HUP; while :; do sleep 1000; done',
  "yes",
];

async function startAll(service: RunningCommand, commands: readonly string[]): Promise<number[]> {
  const pids: number[] = [];
  for (const command of commands) {
    const { process_id } = await post(service, { command, timeout: 0 });
    pids.push(process_id);
    await waitFor(() => membersOf(process_id).length > (command.includes("&") ? 2 : 0));
  }
  return pids;
}

async function post(service: RunningCommand, body: unknown) {
  const answer = await fetch(`${service.address}/api/bash/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await answer.json();
}

Deno.test("kill -9 of the service leaves no command running", async () => {
  await using service = await startCommand(ARGS);
  const pids = await startAll(service, COMMANDS);
  const children = childrenOf(await parentOf(pids[0]!));
  expect(children.length).toBeGreaterThan(pids.length); // the spare shell and the watcher, too
  service.signal("SIGKILL");
  await service.ended;
  await allEnded(pids, children);
});

/** What the service does not end in its time, on a busy computer, its watcher ends after it. */
async function allEnded(sessions: readonly number[], children: readonly number[] = []) {
  const left = () => [...sessions.flatMap(membersOf), ...children.filter(isRunning)];
  await waitFor(() => left().length === 0, { what: "the end of all commands" });
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} leaves no command running`, async () => {
    await using service = await startLimited({ killAfterMs: 200 }, ARGS);
    const pids = await startAll(service, COMMANDS);
    const children = childrenOf(await parentOf(pids[0]!));
    service.signal(signal);
    expect(await service.ended).toBe(0);
    await allEnded(pids, children);
  });
}

Deno.test("a signal ends a command that somebody waits for, after the grace", async () => {
  await using service = await startLimited({ shutdownGraceMs: 50 }, ARGS);
  const answer = post(service, { command: "echo started; sleep 1000", timeout: 3600 })
    .catch((error) => error);
  const listed = `${service.address}/api/bash/processes/managed`;
  const [{ pid }] = await waitFor(async () => {
    const list = await (await fetch(listed)).json();
    return list.length === 1 && list;
  });
  service.signal("SIGTERM");
  expect(await service.ended).toBe(0);
  await allEnded([pid]);
  await answer;
});

async function parentOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(/^PPid:\s+(\d+)/m)![1]);
}
