/** How the program was made and started, and what the programs that it starts see of that. */

import { expect } from "expect";
import { environmentChanges, readLaunch } from "../../src/cli/launch.ts";
import type { Started } from "../../src/platform/host.ts";

const base: Started = {
  ...{ env: {}, standalone: false, program: "/bin/deno" },
  ...{ script: "/src/main.ts", deno: "70.1.2" },
};
const unpacked = { COMPUTER_CONTROL_KIND: "self-extracting", COMPUTER_CONTROL_EXECUTABLE: "/cc" };
const launches: [string, Partial<Started>, string[]][] = [
  ["from source", {}, ["/bin/deno", "run", "--allow-all", "/src/main.ts"]],
  ["compiled", { standalone: true, program: "/cc" }, ["/cc"]],
  ["self-extracting", { env: unpacked }, ["/cc"]],
  ["folder", { env: { ...unpacked, COMPUTER_CONTROL_KIND: "folder" } }, ["/cc"]],
  ["npm package", { env: { COMPUTER_CONTROL_KIND: "npm" } }, [
    ...["/bin/deno", "run", "--allow-all", "/src/main.ts"],
  ]],
  ["from source", { env: { ...unpacked, COMPUTER_CONTROL_KIND: "x" } }, [
    ...["/bin/deno", "run", "--allow-all", "/src/main.ts"],
  ]],
];

for (const [kind, started, command] of launches) {
  Deno.test(`readLaunch() knows a program that is ${kind}: ${command}`, () => {
    const launch = readLaunch({ ...base, ...started });
    expect(launch.version).toMatch(
      new RegExp(`^\\d+\\.\\d+\\.\\d+ \\(${kind}, Deno 70\\.1\\.2\\)$`),
    );
    expect(launch.command).toEqual(command);
    expect(launch.unpacked).toBe(kind === "self-extracting" ? "/src" : undefined);
  });
}

Deno.test("environmentChanges() hides our own settings, and nothing of Deno from source", () => {
  const env = { COMPUTER_CONTROL_TOKEN: "s3cret", DENO_DIR: "/d", PATH: "/bin" };
  expect([...environmentChanges(env)]).toEqual([["COMPUTER_CONTROL_TOKEN", undefined]]);
});

Deno.test("environmentChanges() hides what would change where Deno listens", () => {
  const env = {
    DENO_SERVE_ADDRESS: "tcp:0.0.0.0:1",
    DENO_TRUST_PROXY_HEADERS: "1",
    DENO_CERT: "/c",
  };
  expect([...environmentChanges(env).keys()]).toEqual([
    "DENO_SERVE_ADDRESS",
    "DENO_TRUST_PROXY_HEADERS",
  ]);
});

for (const [given, expected] of [["/mine", "/mine"], ["", undefined]] as const) {
  Deno.test(`environmentChanges() gives DENO_DIR back after unpacking: "${given}"`, () => {
    const env = { ...unpacked, COMPUTER_CONTROL_DENO_DIR: given, DENO_DIR: "/cache/deno" };
    const changes = environmentChanges(env);
    expect(changes.get("DENO_DIR")).toBe(expected);
    expect(changes.has("DENO_NO_UPDATE_CHECK")).toBe(true);
    expect(changes.has("COMPUTER_CONTROL_EXECUTABLE")).toBe(true);
    expect(changes.has("PATH")).toBe(false);
  });
}
