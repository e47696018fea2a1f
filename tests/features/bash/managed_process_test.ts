/** One process on a system that is slow or deaf. */

import { expect } from "expect";
import { type DrainPace, ManagedProcess } from "../../../src/features/bash/managed_process.ts";
import { createRedactor } from "../../../src/features/secrets/redact.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import type { Command } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";

const LIMITS = { ...DEFAULT_LIMITS, drainMs: 20, killAfterMs: 20 };

function follow(child: Partial<Command>, pace: Pick<DrainPace, "admit">): ManagedProcess {
  const command: Command = {
    ...{ pid: 4_000_000, ended: Promise.resolve(0), input: undefined },
    ...{ read: () => Promise.resolve(undefined), isAlive: () => Promise.resolve(false) },
    ...{ gone: () => Promise.resolve(), signal: () => Promise.resolve() },
    holds: () => Promise.resolve(false),
    close: () => Promise.resolve(),
    ...child,
  };
  const { config, session } = testApp({ config: { redact: false } });
  return new ManagedProcess(command, {
    ...{ command: "fake", limits: LIMITS, pace: pace as DrainPace },
    redactor: createRedactor(config, session.use(KnownSecrets)),
  });
}

/** Says `a` so many times, and then nothing until it is closed. */
function talker(times: number, { ends }: { readonly ends: boolean }): Partial<Command> {
  const closed = Promise.withResolvers<undefined>();
  return {
    read() {
      if (times-- > 0) return Promise.resolve(new TextEncoder().encode("a"));
      return ends ? Promise.resolve(undefined) : closed.promise;
    },
    close() {
      times = 0;
      closed.resolve(undefined);
      return Promise.resolve();
    },
  };
}

Deno.test("output that is there at the deadline is read, whoever else is to be read", async () => {
  const busy = Promise.withResolvers<void>();
  const process = follow(talker(10, { ends: true }), { admit: () => busy.promise });
  const timer = setTimeout(busy.resolve, 2_000);
  await process.done;
  clearTimeout(timer);
  expect(process.output.read(0)).toMatchObject({ text: "a".repeat(10), truncated: false });
});

/** The next turns of the event loop take long. */
async function keepBusy(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const end = performance.now() + 40; performance.now() < end;);
  }
}

Deno.test("output that a busy event loop reads late is not lost", async () => {
  const read = keepBusy(20);
  const { read: next } = talker(1, { ends: true });
  const process = follow({ read: () => read.then(next) }, { admit: () => undefined });
  await process.done;
  expect(process.output.read(0)).toMatchObject({ text: "a", truncated: false });
});

Deno.test("output that is closed before its end is truncated", async () => {
  const process = follow(talker(10, { ends: false }), { admit: () => undefined });
  await process.done;
  expect(process.output.read(0)).toMatchObject({ text: "a".repeat(10), truncated: true });
});

Deno.test("a process that escapes the first KILL is killed again", async () => {
  const end = Promise.withResolvers<number>();
  let lives = 2;
  const process = follow({
    ended: end.promise,
    signal(signal) {
      if (signal === "SIGKILL" && --lives === 0) end.resolve(137);
      return Promise.resolve();
    },
  }, { admit: () => undefined });
  await process.terminate();
  expect(process.status).toBe("completed");
});

for (const broken of ["read", "isAlive", "close"] as const) {
  Deno.test(`a process whose ${broken}() fails is ended, and is completed`, async () => {
    const signals: string[] = [];
    const failing = () => Promise.reject(new Error("the pipe is broken"));
    const process = follow({
      [broken]: failing,
      signal: (signal) => Promise.resolve(void signals.push(signal)),
    }, { admit: () => undefined });
    await process.done;
    await process.answered;
    expect([process.status, signals]).toEqual(["completed", ["SIGKILL"]]);
  });
}
