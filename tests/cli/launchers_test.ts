/** findLaunchers(): without which of its ancestors a service that a task has started does not go on. */

import { expect } from "expect";
import { findLaunchers, watchLaunchers } from "../../src/cli/launch.ts";
import type { Ancestor } from "../../src/platform/ancestors.ts";

const TASK = ["deno", "task", "start", "--port", "0"];
const NPX = ["npm exec deno@2.9.5 task start --port 0"];
const SH = ["sh", "-c", "'deno' task start --port 0"];
const BIN = ["node", "/home/me/.npm/_npx/0a/node_modules/.bin/deno", "task", "start"];
const INIT = ["/sbin/init"];
const BASH = ["-bash"];

const chains: [string, readonly (readonly string[])[], number][] = [
  ["npx, its shell and the task", [TASK, SH, NPX, BASH, INIT], 3],
  ["npx, its shell, Deno's script and the task", [TASK, BIN, SH, NPX, BASH], 4],
  ["npx as the first process of a container", [TASK, SH, NPX], 3],
  ["npx below tini", [TASK, SH, NPX, ["/usr/bin/tini", "--", "npx", "-y", "deno"]], 3],
  ["npx below systemd", [TASK, SH, NPX, ["/lib/systemd/systemd", "--user"]], 3],
  [
    "npx below a script of the user",
    [TASK, SH, NPX, ["sh", "-c", "cd x; npx -y deno task start"]],
    3,
  ],
  ["pnpm", [TASK, SH, ["node", "/usr/lib/pnpm/bin/pnpm.cjs", "dlx", "deno", "task", "start"]], 3],
  ["an installed Deno in a terminal", [TASK, BASH, INIT], 1],
  ["an installed Deno in a script", [TASK, ["sh", "/home/me/start.sh"], BASH], 1],
  ["a shell that may end before", [TASK, ["sh", "-c", "deno task start"], ["cron"]], 1],
  ["a shell that puts it into the background", [TASK, ["sh", "-c", "deno task start &"], NPX], 1],
  ["a shell that does more", [TASK, ["sh", "-c", "deno task start & sleep 1"], ["npm run dev"]], 1],
  ["nohup or setsid that has ended", [TASK, INIT], 1],
  ["a command of another service", [TASK, ["bash", "-c", "deno task start"], TASK, SH, NPX], 1],
  ["something else than a task", [["bash"], SH, NPX], 0],
  ["nothing that can be seen", [], 0],
];

for (const [name, chain, count] of chains) {
  Deno.test(`findLaunchers() of ${name}: ${count}`, () => {
    const ancestors = chain.map((args, index) => ({ pid: index, args, isGone: () => false }));
    expect(findLaunchers(ancestors).map(({ pid }) => pid)).toEqual([...Array(count).keys()]);
  });
}

Deno.test("watchLaunchers() says which one is gone", async () => {
  let gone = false;
  const launchers: Ancestor[] = [
    { pid: 7, args: TASK, isGone: () => false },
    { pid: 8, args: NPX, isGone: () => gone },
  ];
  const watch = new AbortController();
  const told = watchLaunchers(launchers, watch.signal);
  gone = true;
  expect(await told).toBe("process 8, which had started the service, has ended");
  watch.abort();
});
