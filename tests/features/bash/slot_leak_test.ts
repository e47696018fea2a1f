/** No command keeps its place when something goes wrong: while it is followed, or in the moment in which its client leaves. */

import { expect } from "expect";
import { CommandSlots, Shell } from "../../../src/features/bash/shell.ts";
import { createRedactor } from "../../../src/features/secrets/redact.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import type { Command, Processes } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";

const LIMITS = { ...DEFAULT_LIMITS, maxCommands: 1, commandWaitMs: 2_000, drainMs: 20 };

/** Starts commands whose output cannot be read. */
function brokenProcesses(): Processes {
  let pid = 4_000_000;
  const child = (): Command => ({
    ...{ pid: pid++, ended: Promise.resolve(0), input: undefined },
    read: () => Promise.reject(new Error("the pipe is broken")),
    isAlive: () => Promise.resolve(false),
    holds: () => Promise.resolve(false),
    gone: () => Promise.resolve(),
    signal: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
  return { home: "/", opener: [], start: child, [Symbol.asyncDispose]: () => Promise.resolve() };
}

Deno.test("a command that cannot be followed gives its place to the next", async () => {
  const { config, session } = testApp({ config: { redact: false } });
  await using shell = new Shell({ ready: true, use: brokenProcesses() }, LIMITS);
  for (let round = 0; round < 5; round++) {
    const process = await shell.start({ command: "fake", input: false }, {
      signal: new AbortController().signal,
      maxRuntimeMs: undefined,
      redactor: createRedactor(config, session.use(KnownSecrets)),
    });
    await process.answered;
  }
  expect(shell.waiting).toBe(0);
});

Deno.test("a client that leaves in the moment in which its command gets a place starts nothing", async () => {
  const { config, session } = testApp({ config: { redact: false } });
  let started = 0;
  const processes = brokenProcesses();
  const counting = { ...processes, start: (line: never) => (started++, processes.start(line)) };
  await using shell = new Shell({ ready: true, use: counting as Processes }, LIMITS);
  const start = (signal: AbortSignal) =>
    shell.start({ command: "fake", input: false }, {
      ...{ signal, maxRuntimeMs: undefined },
      redactor: createRedactor(config, session.use(KnownSecrets)),
    });
  const first = await start(new AbortController().signal);
  const client = new AbortController();
  const waiting = start(client.signal).catch((error) => error);
  first.done.then(() => client.abort());
  expect(await waiting).toMatchObject({ code: "conflict" });
  expect(started).toBe(1);
  await start(new AbortController().signal);
});

Deno.test("CommandSlots forgets who has waited, however that ended", async () => {
  const slots = new CommandSlots({ ...LIMITS, commandWaitMs: 20 });
  const never = new AbortController().signal;
  const place = await slots.take(never);
  await expect(slots.take(never)).rejects.toMatchObject({ code: "unavailable" });
  await expect(slots.take(AbortSignal.abort())).rejects.toMatchObject({ code: "conflict" });
  expect(slots.waiting).toBe(0);
  place[Symbol.dispose]();
  place[Symbol.dispose]();
  using _again = await slots.take(never);
  await expect(slots.take(never)).rejects.toMatchObject({ code: "unavailable" });
});
