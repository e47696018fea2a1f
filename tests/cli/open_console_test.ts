/** The browser of the desktop is given the address of the console, and nobody is held up without one. */

import { expect } from "expect";
import { showConsole } from "../../src/cli/open_programs.ts";
import { fakeHost, type FakeHostOptions } from "../support/fake_host.ts";
import { FakePlatform } from "../support/fake_platform.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { writeProgram } from "../support/written_program.ts";

const ADDRESS = "http://127.0.0.1:4242/desk-1/console";
const ignore = unless(Deno.build.os === "linux", "it starts xdg-open");

/** @param opener the program that opens addresses */
function opening(host: FakeHostOptions, opener?: string) {
  const lines: string[] = [];
  const add = (event: string, fields: object = {}) =>
    void lines.push(`${event} ${JSON.stringify(fields)}`);
  const options = {
    host: { ...fakeHost(host), which: () => opener },
    platform: new FakePlatform(),
    home: "/",
    cwd: "/",
    log: { debug: add, info: add, warn: add, error: add },
  };
  return { lines, options };
}

Deno.test("without a desktop, or a program to open addresses, the address is in the log", () => {
  for (const [os, env] of [["linux", {}], ["linux", { DISPLAY: ":0" }], ["windows", {}]] as const) {
    const { lines, options } = opening({ os, env });
    expect(showConsole(ADDRESS, options)).toBe(undefined);
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
    const { options } = opening({ env: { ...Deno.env.toObject(), DISPLAY: ":7" } }, program);
    await using _opened = showConsole(ADDRESS, options);
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
    const { lines, options } = opening({ env: { DISPLAY: ":7" } }, program);
    await using _opened = showConsole(ADDRESS, options);
    await waitFor(() => lines.some((line) => line.includes("no browser")));
  },
});
