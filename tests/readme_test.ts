/**
 * The README's three ways to call the service, run as they stand there against the demo that
 * `deno task start` opens: what they type is visible in the next picture, and none fails.
 */

import { expect } from "expect";
import { startCommand } from "./support/command.ts";
import { testFolder } from "./support/folder.ts";
import { type DecodedPng, decodePng } from "./support/png.ts";
import { unless } from "./support/test_if.ts";
import { waitFor } from "./support/wait.ts";

const README = await Deno.readTextFile(new URL("../README.md", import.meta.url));
/** What stands before each block, its language, and what runs it from a file. */
const WAYS: readonly [string, string, readonly string[]][] = [
  ["On a machine without a screen", "sh", ["sh", "-e"]],
  ["From Python", "python", ["/usr/bin/python3"]],
  ["From TypeScript", "ts", [Deno.execPath(), "run", "-A", "--no-config"]],
];
/** Below the frame of the terminal, which stands in the top left corner. */
const TERMINAL = { top: 21, left: 2, right: 780, bottom: 480 };

for (const [words, language, [program, ...args]] of WAYS) {
  Deno.test({
    name: `README: ${words} what is typed is visible in the picture`,
    ignore: unless(Deno.build.os === "linux", "it needs a virtual display"),
    async fn() {
      const block = README.split(words)[1]!.match(
        new RegExp("^[^`]*```" + language + "\\n(.*?)```", "s"),
      );
      await using folder = await testFolder();
      await using service = await startCommand(
        ["--virtual-display", "1024x768", "--no-setup"],
        { COMPUTER_CONTROL_TASK: "1" },
      );
      const file = `${folder.path}/example.${language}`;
      const host = new URL(service.address).host;
      await Deno.writeTextFile(
        file,
        block![1]!.replaceAll(/(?:localhost|127\.0\.0\.1):4242/g, host),
      );
      const look = async () => {
        const answer = await fetch(`${service.address}/api/display/screenshot`);
        return linesOf(decodePng(new Uint8Array(await answer.arrayBuffer())));
      };
      // what comes before a slow shell is there is echoed twice
      await waitFor(async () => signsOf((await look())[0] ?? []).length === 2, {
        what: "a prompt and the cursor",
      });
      const { code, stdout, stderr } = await new Deno.Command(program!, {
        args: [...args, file],
        cwd: folder.path,
        stdin: "null",
      }).output();
      const text = new TextDecoder();
      const errors = text.decode(stderr);
      expect([code, text.decode(stdout).includes("detail"), errors]).toEqual([0, false, errors]);
      let lines: Ink[] = [];
      await waitFor(async () => {
        lines = await look();
        return lines.length === 3;
      }, { what: "a typed line, a printed one and a prompt" });
      expectEcho(lines[0]!, lines[1]!);
    },
  });
}

/** A line of text: for each column, the rows that have ink. */
type Ink = readonly string[];

/** The command ends with what it has printed, pixel by pixel, and no two signs are the same box. */
function expectEcho(typed: Ink, printed: Ink): void {
  const signs = signsOf(printed);
  expect(signsOf(typed).slice(-signs.length)).toEqual(signs);
  const [chinese, sign, smile] = signs.slice(-3);
  expect(new Set([chinese, sign, smile]).size).toBe(3);
}

/** The signs of a line: columns without ink separate them. */
function signsOf(line: Ink): string[] {
  const signs: string[] = [];
  let current = "";
  for (const column of [...line, ""]) {
    if (column.includes("1")) current += `${column} `;
    else if (current !== "") {
      signs.push(current);
      current = "";
    }
  }
  return signs;
}

/** The lines of the terminal: rows without ink separate them, and they are as high as the first. */
function linesOf({ rgb, width }: DecodedPng): Ink[] {
  const { top, left, right, bottom } = TERMINAL;
  const isInk = (x: number, y: number) => rgb[(y * width + x) * 3]! < 128;
  const rows = Array.from(
    { length: bottom - top },
    (_, y) =>
      Array.from({ length: right - left }, (_, x) => isInk(left + x, top + y) ? "1" : "0").join(""),
  );
  const lines: string[][] = [];
  for (const [y, row] of rows.entries()) {
    if (!row.includes("1")) continue;
    if (y === 0 || !rows[y - 1]!.includes("1")) lines.push([]);
    lines.at(-1)!.push(row);
  }
  return lines.map((line) => Array.from(line[0]!, (_, x) => line.map((row) => row[x]).join("")));
}
