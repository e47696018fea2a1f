/**
 * `deno task test:programs`: runs all tests with real programs. With `--write` it puts their results into
 * `docs/real-programs.md`; `--from a.xml b.xml` takes the results of runs that were made before
 * (`deno test --junit-path`). Other arguments go to `deno test`.
 */

import { PACKAGES } from "../src/platform/linux/setup/programs.ts";
import { parseJunit, type TestResult, type Versions, writeReport } from "./real_programs/report.ts";

const PAGE = new URL("../docs/real-programs.md", import.meta.url);
/** Packages that the tests need besides those for them alone. */
const SHARED = ["chromium", "openbox", "xfwm4", "xterm", "xvfb", "zenity"];

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const from = args.indexOf("--from");
  const files = from < 0 ? [] : args.slice(from + 1);
  const more = (from < 0 ? args : args.slice(0, from)).filter((arg) => arg !== "--write");
  const results = files.length > 0 ? await readAll(files) : await runAll(more);
  if (args.includes("--write")) {
    const date = new Date().toISOString().slice(0, 10);
    await Deno.writeTextFile(PAGE, writeReport(results, await findVersions(), date));
    await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", PAGE.pathname] }).output();
  }
  return results.length > 0 && results.every(({ passed }) => passed) ? 0 : 1;
}

async function runAll(more: readonly string[]): Promise<TestResult[]> {
  const file = await Deno.makeTempFile({ suffix: ".xml" });
  const options = ["test", "-A", "-c", "deno.dev.json", `--junit-path=${file}`];
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [...options, ...more, "tests/real_programs"],
    env: { TEST_EXTENT: "full" },
  }).spawn().status;
  const results = await readAll([file]);
  await Deno.remove(file);
  const broke = code !== 0 && results.every(({ passed }) => passed);
  return broke ? [] : results;
}

async function readAll(files: readonly string[]): Promise<TestResult[]> {
  return (await Promise.all(files.map((file) => Deno.readTextFile(file)))).flatMap(parseJunit);
}

async function findVersions(): Promise<Versions> {
  const names = PACKAGES.filter(({ purpose, name }) =>
    purpose === "programs" || SHARED.includes(name)
  )
    .map(({ name }) => name);
  const programs = await Promise.all(
    names.map(async (name) => [name, await versionOf(name)] as const),
  );
  const release = await Deno.readTextFile("/etc/os-release");
  return { system: release.match(/^PRETTY_NAME="(.*)"$/m)?.[1] ?? "Linux", programs };
}

async function versionOf(name: string): Promise<string> {
  const { success, stdout } = await new Deno.Command("dpkg-query", {
    args: ["--show", "--showformat=${Version}", name],
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout) : "not from a package";
}
