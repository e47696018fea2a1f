/** The browser of the desktop is given the address of the console, and nobody is held up without one. */

import { expect } from "expect";
import { showConsole } from "../../src/cli/open_console.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { writeProgram } from "../support/written_program.ts";

const ADDRESS = "http://127.0.0.1:4242/desk-1/console";
const ignore = unless(Deno.build.os === "linux", "it starts xdg-open");

function collectLog() {
  const lines: string[] = [];
  const add = (event: string, fields: object = {}) =>
    void lines.push(`${event} ${JSON.stringify(fields)}`);
  return { lines, log: { info: add, warn: add } };
}

Deno.test("without a desktop, or a program to open addresses, the address is in the log", () => {
  for (const [os, env] of [["linux", {}], ["linux", { DISPLAY: ":0" }], ["windows", {}]] as const) {
    const { lines, log } = collectLog();
    const host = { os, env, which: () => undefined };
    expect(showConsole({ host, address: ADDRESS, home: "/", log })).toBe(undefined);
    expect(lines).toEqual([expect.stringContaining(ADDRESS)]);
  }
});

Deno.test({
  name: "the program that opens addresses gets the one of the console, and no more",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const [program, file] = [`${folder.path}/opener`, `${folder.path}/args`];
    await writeProgram(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$DISPLAY" "$@" >'${file}.new'\nmv '${file}.new' '${file}'\n`,
    );
    const { log } = collectLog();
    const env = { ...Deno.env.toObject(), DISPLAY: ":7" };
    const host = { os: "linux" as const, env, which: () => program };
    await using _opened = showConsole({ host, address: ADDRESS, home: folder.path, log });
    expect(await waitFor(() => Deno.readTextFile(file))).toBe(`:7\n${ADDRESS}\n`);
  },
});

Deno.test({
  name: "a program that fails is reported",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const program = `${folder.path}/opener`;
    await writeProgram(program, "#!/bin/sh\necho no browser >&2\nexit 3\n");
    const { lines, log } = collectLog();
    const host = { os: "linux" as const, env: { DISPLAY: ":7" }, which: () => program };
    await using _opened = showConsole({ host, address: ADDRESS, home: folder.path, log });
    await waitFor(() => lines.some((line) => line.includes("no browser")));
  },
});
