/** The browser that is kept, with a program that cannot become one. */

import { expect } from "expect";
import { BrowserSupervisor } from "../../../src/platform/browser/browser_supervisor.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";
import { waitFor } from "../../support/wait.ts";
import { writeProgram } from "../../support/written_program.ts";

const ignore = unless(Deno.build.os !== "windows", "the program is a shell script");

Deno.test({
  name: "all that wait for a browser share one start, also one that fails",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const [program, starts, go] = ["program", "starts", "go"].map((name) =>
      `${folder.path}/${name}`
    );
    const script =
      `#!/bin/sh\necho start >>'${starts}'\nwhile [ ! -e '${go}' ]; do sleep 0.02; done\n`;
    await writeProgram(program!, script);
    const source = {
      kind: "own",
      program: program!,
      args: [],
      env: {},
      url: "about:blank",
      stateDirs: [folder.path],
    } as const;
    const keeper = new BrowserSupervisor();
    const caller = { checkStop() {}, request: () => Promise.resolve() };
    const list = () => keeper.execute({ source, name: "tabs", input: {}, releases: 0 }, caller);
    const first = list();
    const readStarts = () => Deno.readTextFile(starts!);
    await Promise.race([first, waitFor(readStarts, { what: "the start" })]);
    const all = Promise.allSettled([first, list(), list(), list()]);
    await Deno.writeTextFile(go!, "");
    const ends = await all;
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(await readStarts()).toBe("start\n");
    await expect(list()).rejects.toMatchObject({ code: "unavailable" });
    expect(await readStarts()).toBe("start\nstart\n");
    await keeper.execute({ end: true }, caller);
  },
});
