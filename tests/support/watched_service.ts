/** The program, whose service is watched and may have other limits: started by tests in place of `main.ts`. */

import { runProgram } from "../../src/cli/program.ts";
import { startWatchdog } from "./watchdog.ts";

const limits = JSON.parse(Deno.env.get("TEST_LIMITS") ?? "{}");

Deno.exit(
  await runProgram(Deno.args, { watch: (answer) => startWatchdog().watch(answer), limits }),
);
