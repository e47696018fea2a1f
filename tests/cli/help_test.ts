/** What `--help` prints. */

import { expect } from "expect";
import { readCommandLine } from "../../src/cli/command_line.ts";
import { LIMITS } from "../../src/config/limits.ts";
import { OPTION_GROUPS } from "../../src/config/options.ts";
import { runCommand } from "../support/command.ts";

/** The flags under each heading of the help. */
function groupsOf(help: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  let flags: string[] = [];
  for (const line of help.split("\n")) {
    const flag = /^ {2}(?:-\w, )?(--[\w-]+)/.exec(line)?.[1];
    if (/^\S.*:$/.test(line)) groups.set(line, flags = []);
    else if (flag !== undefined) flags.push(flag);
  }
  return groups;
}

Deno.test("the help begins with at most ten flags and lists every other one once, in a group", () => {
  const request = readCommandLine(["--help"]);
  const groups = groupsOf(request.kind === "print" ? request.text : "");
  const most = groups.get("Most used:") ?? [];
  expect(most.length).toBeGreaterThan(5);
  expect(most.length).toBeLessThanOrEqual(10);
  for (const flag of ["--port", "--host", "--help"]) expect(most).toContain(flag);
  expect([...groups.keys()].slice(1, -2)).toEqual(
    OPTION_GROUPS.map(({ heading }) => `${heading}:`),
  );
  for (const flags of [...groups.values()].slice(1, -2)) expect(flags).not.toEqual([]);
  const all = [...groups.values()].flat();
  expect(new Set(all).size).toBe(all.length);
  for (const { flag } of Object.values(LIMITS)) expect(all).toContain(`--${flag}`);
});

Deno.test("no line of the help is wider than a usual terminal", async () => {
  const { stdout } = await runCommand(["--help"]);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const commands = stdout.slice(0, stdout.indexOf("Most used:")).split("\n").slice(6, -2);
  for (const line of commands) expect(line).toMatch(/^ {2}[a-z-]+ {2,}\S/);
});

for (const args of [["help"], ["-h"], ["install-service", "--help"], ["help", "serve"]]) {
  Deno.test(`readCommandLine() prints the help for "${args.join(" ")}"`, () => {
    expect(readCommandLine(args)).toEqual(readCommandLine(["--help"]));
  });
}

Deno.test("the help names every flag", async () => {
  const { code, stdout, stderr } = await runCommand(["--help"]);
  expect(code).toBe(0);
  expect(stderr).toBe("");
  for (const { flag } of OPTION_GROUPS.flatMap(({ options }) => options)) {
    expect(stdout).toContain(` --${flag}`);
  }
  expect(stdout).toContain("COMPUTER_CONTROL_TOKEN");
});

Deno.test("the help and status load nothing of what only other commands need", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", new URL("../../main.ts", import.meta.url).href],
  }).output();
  interface Module {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly isDynamic?: boolean;
      readonly code?: { readonly specifier: string };
    }[];
  }
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: Module[] };
  const loaded = new Set<string>();
  const left = modules.filter(({ specifier }) => specifier.endsWith("/main.ts"));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    loaded.add(next.specifier);
    const needed = (next.dependencies ?? []).filter(({ isDynamic }) => !isDynamic)
      .map(({ code }) => code?.specifier);
    left.push(
      ...modules.filter(({ specifier }) => needed.includes(specifier) && !loaded.has(specifier)),
    );
  }
  expect(loaded.size).toBeGreaterThan(10);
  const others = /\/src\/(features|mcp|cli\/(call|completion|doctor|serve))\b/;
  expect([...loaded].filter((specifier) => others.test(specifier))).toEqual([]);
});
