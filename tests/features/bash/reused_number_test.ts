/** A command whose number the system gives to the next one while its output is still read. */

import { expect } from "expect";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";
import { Shell } from "../../../src/features/bash/shell.ts";
import { createRedactor } from "../../../src/features/secrets/redact.ts";
import { KnownSecrets } from "../../../src/features/secrets/known_secrets.ts";
import type { Command, Processes } from "../../../src/platform/types/mod.ts";
import { testApp } from "../../support/client.ts";

const LIMITS = { ...DEFAULT_LIMITS, drainMs: 20, killAfterMs: 1_000 };
const PID = 4_000_000;

/** Starts commands: `first` has ended, but its output stays open until it is closed; others end by a signal. */
function endedProcesses(closed: string[]): Processes {
  const start = ({ command }: { readonly command: string }): Command => {
    const output = Promise.withResolvers<undefined>();
    const exit = Promise.withResolvers<number>();
    const isFirst = command === "true";
    if (isFirst) exit.resolve(0);
    return {
      ...{ pid: command === "echo" ? PID + 1 : PID, input: undefined },
      ended: exit.promise,
      read: () => isFirst ? output.promise : Promise.resolve(undefined),
      isAlive: () => Promise.resolve(false),
      holds: () => Promise.resolve(false),
      gone: () => Promise.resolve(),
      signal: () => Promise.resolve(exit.resolve(143)),
      close() {
        closed.push(command);
        output.resolve(undefined);
        return Promise.resolve();
      },
    };
  };
  return { home: "/", opener: [], start, [Symbol.asyncDispose]: () => Promise.resolve() };
}

Deno.test("a restart waits for a command whose number is that of a later one, which is listed last", async () => {
  const { config, session } = testApp({ config: { redact: false } });
  const closed: string[] = [];
  await using shell = new Shell({ ready: true, use: endedProcesses(closed) }, LIMITS);
  const start = (command: string) =>
    shell.start({ command, input: false }, {
      ...{ signal: new AbortController().signal, maxRuntimeMs: undefined },
      redactor: createRedactor(config, session.use(KnownSecrets)),
    });
  await start("true");
  await start("echo");
  const late = await start("cat");
  expect(shell.find(PID)).toBe(late);
  expect(shell.running().map(({ command }) => command)).toEqual(["echo", "cat"]);
  await shell.restart();
  expect(closed.toSorted()).toEqual(["cat", "echo", "true"]);
  expect(shell.running()).toEqual([]);
});
