/** The program: hands its arguments to the command line. */

import { runProgram } from "./src/cli/program.ts";

if (import.meta.main) Deno.exit(await runProgram(Deno.args));
