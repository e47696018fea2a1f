/** Commands give way, with all that they start; the service does not. */

import { expect } from "expect";
import { startShell } from "../../support/shell.ts";
import { testIf } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";

const hasAutogroups = await Deno.readTextFile("/proc/self/autogroup").then((text) => text !== "")
  .catch(() => false);

for (const more of [{}, { cwd: "/" }, { stdin: "x" }]) {
  Deno.test(`commands run at a lower priority: ${JSON.stringify(more)}`, async () => {
    await using shell = startShell();
    await shell.run("true");
    const own = Number((await shell.run(`ps -o ni= -p ${Deno.pid}`)).output);
    const inner = (await shell.run("sleep 0.1; sh -c 'ps -o ni= -p $$'", more)).output;
    expect(Number(inner)).toBe(Math.min(own + 10, 19));
    expect(Number((await shell.run(`ps -o ni= -p ${Deno.pid}`)).output)).toBe(own);
  });
}

Deno.test("commandNice 0 leaves the priority as it is", async () => {
  await using shell = startShell({ limits: { commandNice: 0 } });
  const { output } = await shell.run(`ps -o ni= -p $$; ps -o ni= -p ${Deno.pid}`, { cwd: "/" });
  const [command, own] = output.trim().split(/\s+/);
  expect(command).toBe(own);
});

testIf(hasAutogroups, "this kernel has no autogroups")(
  "the session of a command gives way to that of the service",
  async () => {
    await using shell = startShell();
    const own = await Deno.readTextFile("/proc/self/autogroup");
    const pids: number[] = [];
    for (let index = 0; index < 4; index++) pids.push(await shell.start("sleep 1000"));
    for (const pid of pids) {
      await waitFor(() => Deno.readTextFileSync(`/proc/${pid}/autogroup`).endsWith("nice 10\n"), {
        what: "the session to be lowered",
      });
    }
    expect(await Deno.readTextFile("/proc/self/autogroup")).toBe(own);
  },
);
