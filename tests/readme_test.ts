/** The README's three ways to call the service, run as they stand there: what they do has happened, and none fails. */

import { expect } from "expect";
import { startCommand } from "./support/command.ts";
import { testFolder } from "./support/folder.ts";
import { unless } from "./support/test_if.ts";

const README = await Deno.readTextFile(new URL("../README.md", import.meta.url));
/** Heading words before each block, its language, and what runs it from a file. */
const WAYS: readonly [string, string, readonly string[]][] = [
  ["From a terminal", "sh", ["sh", "-e"]],
  ["From Python", "python", ["/usr/bin/python3"]],
  ["From TypeScript", "ts", [Deno.execPath(), "run", "-A", "--no-config"]],
];

for (const [words, language, [program, ...args]] of WAYS) {
  Deno.test({
    name: `README: ${words} the cursor goes where it is told`,
    ignore: unless(Deno.build.os === "linux", "it needs a virtual display"),
    async fn() {
      const block = README.split(words)[1]!.match(
        new RegExp("^[^`]*```" + language + "\\n(.*?)```", "s"),
      );
      await using folder = await testFolder();
      await using service = await startCommand(["--virtual-display", "1024x768", "--no-setup"]);
      const file = `${folder.path}/example.${language}`;
      const host = new URL(service.address).host;
      await Deno.writeTextFile(
        file,
        block![1]!.replaceAll(/(?:localhost|127\.0\.0\.1):4242/g, host),
      );
      const { code, stdout, stderr } = await new Deno.Command(program!, {
        args: [...args, file],
        cwd: folder.path,
        stdin: "null",
      }).output();
      const text = new TextDecoder();
      const errors = text.decode(stderr);
      expect([code, text.decode(stdout).includes("detail"), errors]).toEqual([0, false, errors]);
      const position = await fetch(`${service.address}/api/mouse/position`);
      expect(await position.json()).toEqual({ x: 200, y: 150 });
    },
  });
}
