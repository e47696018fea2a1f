/** The program, whose service is watched: started by tests in place of `main.ts`. */

import { runProgram } from "../../src/cli/program.ts";
import { startWatchdog } from "./watchdog.ts";

Deno.exit(await runProgram(Deno.args, { watch: (answer) => startWatchdog().watch(answer) }));
