/** Programs of macOS that do not end: what waits for them goes on. */

import { expect } from "expect";
import { runProgram } from "../../../src/platform/macos/programs.ts";
import { testFolder } from "../../support/folder.ts";
import { writeProgram } from "../../support/written_program.ts";

Deno.test({
  name: "runProgram() ends with a wrapper script whose program holds the output open",
  sanitizeOps: false, // the output of that program is still read
  sanitizeResources: false,
  async fn() {
    await using folder = await testFolder();
    const program = `${folder.path}/cliclick`;
    await writeProgram(program, `#!/bin/sh\nsleep 300 &\necho $! > "$0.pid"\nwait\n`);
    try {
      await expect(runProgram({ program, args: [], timeoutMs: 1_000 })).rejects.toMatchObject({
        code: "unavailable",
        message: 'Cannot continue: "cliclick" did not end within 1000 ms',
      });
      Deno.kill(Number(await Deno.readTextFile(`${program}.pid`)), "SIGCONT"); // it still runs
    } finally {
      Deno.kill(Number(await Deno.readTextFile(`${program}.pid`)), "SIGKILL");
    }
  },
});
