/** doctor on Windows: the real program looks at the desktop, the keychain and the folders there. */

import { expect } from "expect";
import { openWine, wineTest } from "../support/wine.ts";

const MODULES = ["main.ts"];

wineTest("doctor finds that everything works on Windows, and what does not", async () => {
  await using wine = await openWine(MODULES, { drivers: ["credentials"] });
  const doctor = async (...args: string[]) => {
    const run = ["run", "-A", "-c", "deno.dev.json", "--no-check", "--cached-only", "--frozen"];
    const command = wine.deno([...run, "main.ts", "doctor", "--json", "--port", "0", ...args]);
    const { code, stdout } = await command.output();
    const { checks } = JSON.parse(new TextDecoder().decode(stdout));
    return { code, checks: checks as { name: string; status: string; mend?: string }[] };
  };
  const { code, checks } = await doctor();
  // no ffmpeg comes with this Windows
  expect(checks.filter(({ status }) => status !== "ok"))
    .toEqual([expect.objectContaining({ name: "recording", status: "note" })]);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["display", "test picture", "test input", "keychain", "disk"]),
  );
  expect(code).toBe(0);
  const other = await doctor("--keychain", "macos");
  expect([other.code, other.checks.find(({ name }) => name === "keychain")]).toEqual([
    1,
    expect.objectContaining({ status: "failed", mend: "--keychain auto" }),
  ]);
});
