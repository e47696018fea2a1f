/** `deno task compile`: one executable per system in `dist/`, with the checksums of all. */

import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type Bundle, bundle } from "./compile/bundle.ts";
import { compile } from "./compile/compiled.ts";
import { checkDenort } from "./compile/denort.ts";
import { folderZip } from "./compile/folder_zip.ts";
import { fetchRuntime } from "./compile/runtimes.ts";
import { run } from "./compile/run.ts";
import { selfExtracting } from "./compile/self_extracting.ts";
import { checkBuilder, readPinnedVersion } from "./deno_version.ts";
import { executableName, readTargets, type Target, TARGETS } from "./compile/targets.ts";

const USAGE = "use --target <triple or all>, --kind auto, compiled or stand-in, --out <folder>";

/** `auto` compiles where there is a runtime file, else makes what stands in for it. */
const KINDS = ["auto", "compiled", "stand-in"] as const;

/** What this task makes, as it is called. */
const NAMES = TARGETS.flatMap((target) => [executableName(target), standInName(target)]);

interface Order {
  readonly targets: readonly Target[];
  readonly kind: typeof KINDS[number];
  /** The folder that gets the files. */
  readonly out: string;
  readonly denort: string | undefined;
  /** The pinned version of Deno, which all executables get. */
  readonly version: string;
}

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const version = await readPinnedVersion();
    const order = readOrder(args, version);
    await checkOrder(order);
    await build(order);
    return 0;
  } catch (error) {
    console.error(`compile: ${(error as Error).message}`);
    return 1;
  }
}

/** @throws Error with what can be said. */
function readOrder(args: readonly string[], version: string): Order {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const [flag, value] = [args[at]!, args[at + 1]];
    const isKnown = ["--target", "--kind", "--out"].includes(flag);
    if (!isKnown || !value) throw new Error(USAGE);
    values.set(flag, value);
  }
  const denort = Deno.env.get("DENORT_BIN") || undefined;
  if (denort === undefined) Deno.env.delete("DENORT_BIN"); // Deno would look for the file ""
  const kind = KINDS.find((each) => each === (values.get("--kind") ?? "auto"));
  if (kind === undefined) throw new Error(USAGE);
  return {
    kind,
    targets: readTargets(values.get("--target"), Deno.build.target),
    out: values.get("--out") ?? fileURLToPath(new URL("../dist", import.meta.url)),
    denort,
    version,
  };
}

/** A wrong Deno or runtime file is refused before anything is built. */
async function checkOrder({ targets, kind, denort, version }: Order): Promise<void> {
  checkBuilder(Deno.version.deno, version);
  if (denort === undefined || kind === "stand-in") return;
  if (targets.length > 1) {
    throw new Error("DENORT_BIN is a program for one system: name that with --target");
  }
  await checkDenort(denort, targets[0]!);
}

async function build(order: Order): Promise<void> {
  await Deno.mkdir(order.out, { recursive: true });
  const program = await bundle();
  const bytes = [...program.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(`Bundled the program: ${program.size} files, ${mib(bytes)}`);
  for (const target of order.targets) {
    const file = await buildOne(order, { target, program });
    const { size } = await Deno.stat(`${order.out}/${file}`);
    console.log(`Made ${order.out}/${file}: ${mib(size)}`);
  }
  await writeChecksums(order.out);
}

interface Part {
  readonly target: Target;
  readonly program: Bundle;
}

/** Returns the name of the file. */
async function buildOne(order: Order, { target, program }: Part): Promise<string> {
  if (order.kind !== "stand-in") {
    const file = executableName(target);
    const output = `${order.out}/${file}`;
    const { denort } = order;
    const made = await compile(target, { bundle: program, output, denort });
    if (made.kind === "made") {
      await checkStart(target, output);
      return file;
    }
    const why = `Deno's runtime file for ${target.triple} cannot be had (${made.reason})`;
    if (order.kind === "compiled") {
      throw new Error(`${why}: name it with DENORT_BIN, or use --kind stand-in`);
    }
    console.log(`${why}: making ${standInName(target)} instead`);
  }
  return await buildStandIn(order, { target, program });
}

async function buildStandIn(
  { out, version }: Order,
  { target, program }: Part,
): Promise<string> {
  const runtime = await fetchRuntime(target, version);
  const file = standInName(target);
  const parts = { runtime, bundle: program };
  if (target.os === "windows") await Deno.writeFile(`${out}/${file}`, folderZip(parts));
  else {
    // another one that runs keeps its file
    const bytes = await selfExtracting(target, parts);
    await Deno.writeFile(`${out}/${file}.new`, bytes, { mode: 0o755 });
    await Deno.rename(`${out}/${file}.new`, `${out}/${file}`);
  }
  return file;
}

/** A self-extracting file has the name of the executable; the folder for Windows says what it is. */
function standInName(target: Target): string {
  if (target.os !== "windows") return executableName(target);
  return `computer-control-${target.name}-folder.zip`;
}

/** A runtime of another version builds and does not start. */
async function checkStart(target: Target, output: string): Promise<void> {
  if (target.triple !== Deno.build.target) return;
  const { code, stdout, stderr } = await run(output, ["--version"]);
  if (code === 0 && stdout.includes("(compiled")) return;
  await Deno.remove(output);
  const said = (stderr || stdout).trim();
  throw new Error(`The executable does not start, so the runtime file is a wrong one: ${said}`);
}

/** `SHA256SUMS`, as `sha256sum --check` reads it, of all executables that are there. */
async function writeChecksums(out: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(out));
  const names = entries.map(({ name }) => name)
    .filter((name) => NAMES.includes(name)).sort();
  const lines = await Promise.all(names.map(async (name) => {
    const hash = createHash("sha256").update(await Deno.readFile(`${out}/${name}`));
    return `${hash.digest("hex")}  ${name}\n`;
  }));
  await Deno.writeTextFile(`${out}/SHA256SUMS`, lines.join(""));
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
