/** Faulty input is told in the words of the interface, and nothing is started. */

import { expect } from "expect";
import { startShell, type TestShell } from "../../support/shell.ts";

const LIMIT = 128 * 1024;

async function refused(shell: TestShell, body: unknown, loc: readonly unknown[], type: string) {
  const answer = await shell.app.post("/api/bash/command", body);
  expect({ status: answer.status, detail: answer.json?.detail }).toEqual({
    ...{ status: 422, detail: [{ loc: ["body", ...loc], type, msg: expect.any(String) }] },
  });
}

Deno.test("faulty commands are 422 and start nothing", async () => {
  const folder = await Deno.makeTempDir();
  await using shell = startShell();
  const command = `touch ${folder}/started`;
  const cases: [Record<string, unknown>, readonly unknown[], string][] = [
    [{ command: undefined }, ["command"], "missing"],
    [{ command: "" }, ["command"], "string_too_short"],
    [{ command: 5 }, ["command"], "string_type"],
    [{ command: ["ls"] }, ["command"], "string_type"],
    [{ command: `${command}\0` }, ["command"], "value_error"],
    [{ command: `${command}\ud800` }, ["command"], "string_unicode"],
    [{ command: command.padEnd(LIMIT) }, ["command"], "string_too_long"],
    [{ command: command.padEnd(10 * 2 ** 20) }, ["command"], "string_too_long"],
    [{ command: `${command} ${"é".repeat(LIMIT / 2)}` }, ["command"], "value_error"],
    [{ timeout: -1 }, ["timeout"], "greater_than_equal"],
    [{ timeout: 1e9 }, ["timeout"], "less_than_equal"],
    [{ timeout: "5" }, ["timeout"], "float_type"],
    [{ timeout: null }, ["timeout"], "float_type"],
    [{ max_runtime: 0 }, ["max_runtime"], "greater_than"],
    [{ max_runtime: 1e9 }, ["max_runtime"], "less_than_equal"],
    [{ cwd: "" }, ["cwd"], "string_too_short"],
    [{ cwd: 1 }, ["cwd"], "string_type"],
    [{ cwd: "/tmp\0" }, ["cwd"], "value_error"],
    [{ env: [] }, ["env"], "dict_type"],
    [{ env: "A=b" }, ["env"], "dict_type"],
    [{ env: { "A=B": "x" } }, ["env", "A=B"], "value_error"],
    [{ env: { "": "x" } }, ["env", ""], "string_too_short"],
    [{ env: { "A\0": "x" } }, ["env", "A\0"], "value_error"],
    [{ env: manyVariables(1_001) }, ["env"], "too_long"],
    [{ env_secrets: manyVariables(101) }, ["env_secrets"], "too_long"],
    [{ env: { A: 1 } }, ["env", "A"], "string_type"],
    [{ env: { A: "x\0" } }, ["env", "A"], "value_error"],
    [{ env: { A: "x".repeat(LIMIT) } }, ["env", "A"], "string_too_long"],
    [{ env: { A: "é".repeat(LIMIT / 2) } }, ["env", "A"], "value_error"],
    ...["IFS", "LINENO", "OPTIND", "PPID", "RANDOM", "__proto__"].map(
      (name): [Record<string, unknown>, readonly unknown[], string] => [
        { env: Object.fromEntries([[name, "7"]]) },
        ["env", name],
        "value_error",
      ],
    ),
    [{ stdin: 5 }, ["stdin"], "string_type"],
    [{ stdin_open: "yes" }, ["stdin_open"], "bool_type"],
  ];
  for (const [fields, loc, type] of cases) await refused(shell, { command, ...fields }, loc, type);
  const large = await shell.app.post("/api/bash/command", { command: "x".repeat(17 * 2 ** 20) });
  expect(large.status).toBe(413);
  expect(await shell.list("?all=true")).toEqual([]);
  for await (const { name } of Deno.readDir(folder)) throw new Error(`"${name}" was made`);
});

Deno.test("a folder that is none is refused with the reason", async () => {
  await using shell = startShell();
  const cases = [
    ["/no/such", 404, 'Cannot run a command in "/no/such": there is no such folder'],
    ["/etc/passwd", 400, 'Cannot run a command in "/etc/passwd": it is not a folder'],
    ["/etc/passwd/x", 400, 'Cannot run a command in "/etc/passwd/x": a part of it is not a folder'],
  ] as const;
  for (const [cwd, status, detail] of cases) {
    const answer = await shell.app.post("/api/bash/command", { command: "true", cwd });
    expect([answer.status, answer.json]).toMatchObject([status, { detail }]);
  }
  expect(await shell.list("?all=true")).toEqual([]);
});

Deno.test("the longest command and variable are taken", async () => {
  await using shell = startShell();
  const start = "printf %s ${#A}; exit 5 #";
  const command = start.padEnd(LIMIT - 1, "x");
  const env = { A: "y".repeat(LIMIT - 1 - "A=".length) };
  expect(await shell.run(command, { env })).toMatchObject({
    output: String(env.A.length),
    exit_code: 5,
  });
});

Deno.test("an environment that is too large for the system is 413", async () => {
  await using shell = startShell();
  const value = "x".repeat(100_000);
  const env = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`V${index}`, value]));
  const { status, json } = await shell.app.post("/api/bash/command", { command: "true", env });
  expect([status, json.detail]).toEqual([
    413,
    "Cannot start the command: with its environment it is larger than the system allows",
  ]);
  expect((await shell.run("echo fine")).output).toBe("fine\n");
});

Deno.test("faulty queries are 422", async () => {
  await using shell = startShell();
  const pid = await shell.start("true");
  const cases = [
    ["offset=-1", "offset", "greater_than_equal"],
    ["offset=x", "offset", "int_parsing"],
    ["wait_ms=300001", "wait_ms", "less_than_equal"],
  ] as const;
  for (const [query, field, type] of cases) {
    const { status, json } = await shell.app.send(
      "GET",
      `/api/bash/process/${pid}/output?${query}`,
    );
    expect({ status, detail: json.detail }).toEqual({
      ...{ status: 422, detail: [{ loc: ["query", field], type, msg: expect.any(String) }] },
    });
  }
  const { status, json } = await shell.app.post(`/api/bash/process/${pid}/input`, {});
  expect([status, json.detail[0]]).toMatchObject([422, { loc: ["body", "text"], type: "missing" }]);
});

Deno.test("where commands cannot be run the reason is told", async () => {
  const { testApp } = await import("../../support/client.ts");
  const { status, json } = await testApp().post("/api/bash/command", { command: "true" });
  expect([status, json]).toMatchObject([501, { detail: "A fake runs no commands" }]);
});

function manyVariables(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, "x"]));
}
