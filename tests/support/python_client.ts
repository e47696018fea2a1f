/** The Python client as tests have it: its modules, the generated ones as `openapi.json` is now. */

import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../client/python/", import.meta.url));
const SOURCE = `${FOLDER}src`;

/** Gives the folder of the modules, for `PYTHONPATH`. */
export async function writePythonClient(): Promise<string> {
  await run("/usr/bin/python3", [`${FOLDER}generate.py`]);
  return SOURCE;
}

/**
 * Runs a script that can import the client, and gives what it prints.
 * @param python a program that has the script's other modules
 */
export async function runPython(
  python: string,
  code: string,
  args: readonly string[],
): Promise<string> {
  await writePythonClient();
  return await run(python, ["-c", code, ...args]);
}

async function run(python: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(python, {
    args: ["-B", ...args],
    env: { PYTHONPATH: SOURCE, PYTHONIOENCODING: "utf-8" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
