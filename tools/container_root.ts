/**
 * Proves `deploy/container/Dockerfile` where no image can be built: does its steps in a plain folder made by
 * debootstrap, starts the result as a container does, lets Chromium take a text, and ends it by SIGTERM.
 * Needs root on Debian, and the executable:
 * `deno task compile --kind stand-in --target x86_64-unknown-linux-gnu && deno task container-root`.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readDockerfile } from "./container/dockerfile.ts";
import { type Image, makeImage } from "./container/image.ts";
import { type Running, startContainer } from "./container/running.ts";
import { sizeTable } from "./container/size_table.ts";
import { run, runWell } from "./compile/run.ts";

const REPOSITORY = fileURLToPath(new URL("../", import.meta.url));
const TOKEN = "try-this-container";
const SERVICE = "http://127.0.0.1:4242";

/** How the image keeps itself small. */
const CLEAN = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };\n' +
  'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n' +
  // a mirror may lag behind the clock
  'Acquire::Check-Valid-Until "false";\n';

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      program: { type: "string", default: `dist/computer-control-linux-${Deno.build.arch}` },
      picture: { type: "string", default: "dist/container.png" },
      keep: { type: "string" },
    },
  });
  if (!await isFile(values.program)) {
    const command = `deno task compile --kind stand-in --target ${Deno.build.target}`;
    console.error(`container-root: Cannot find "${values.program}": make it with "${command}"`);
    return 1;
  }
  if (values.keep !== undefined) await Deno.mkdir(values.keep, { recursive: true });
  const root = values.keep ?? await Deno.makeTempDir({ prefix: "computer-control-image-" });
  const context = await Deno.makeTempDir({ prefix: "computer-control-context-" });
  try {
    await fillContext(context, values.program);
    const text = await Deno.readTextFile(`${REPOSITORY}deploy/container/Dockerfile`);
    const args = { TARGETARCH: Deno.build.arch === "x86_64" ? "amd64" : "arm64" };
    const image = await makeImage(readDockerfile(text), {
      ...{ root, context, args, makeBase },
      say: (line) => console.log(line),
    });
    console.log(`\n${sizeTable(image.layers)}\n`);
    await tryImage(image, values.picture);
    return 0;
  } catch (error) {
    console.error(`container-root: ${(error as Error).message}`);
    return 1;
  } finally {
    await Deno.remove(context, { recursive: true });
    if (values.keep === undefined) await Deno.remove(root, { recursive: true });
  }
}

/** The folders that the Dockerfile copies from, with the program where the release puts it. */
async function fillContext(context: string, program: string): Promise<void> {
  const arch = Deno.build.arch === "x86_64" ? "amd64" : "arm64";
  await Deno.mkdir(`${context}/dist/container/${arch}`, { recursive: true });
  await Deno.copyFile(program, `${context}/dist/container/${arch}/computer-control`);
  await runWell("cp", ["-a", `${REPOSITORY}deploy`, context]);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** What the official image `debian:<release>-slim` is: the smallest system, without manuals; kept for other runs. */
async function makeBase(base: string, root: string): Promise<void> {
  const release = /^debian:(\w+)-slim$/.exec(base)?.[1];
  if (release === undefined) throw new Error(`Cannot make "${base}" with debootstrap`);
  await runWell("bash", [`${REPOSITORY}tools/newcomer/base.sh`, release, root]);
  await Deno.writeTextFile(`${root}/etc/apt/apt.conf.d/docker-clean`, CLEAN);
  await Deno.chmod(root, 0o755); // its users must get into it
  const manuals = ["doc", "info", "locale", "man"].map((name) => `${root}/usr/share/${name}`);
  await runWell("find", [...manuals, "-mindepth", "1", "-delete"]);
}

async function tryImage(image: Image, picture: string): Promise<void> {
  const refusing = await startContainer(image, {});
  const refused = await refusing.ended;
  if (refused !== 2) {
    throw new Error(`Without a token it ended with ${refused}: ${refusing.written()}`);
  }
  console.log("Without a token it refuses to start, with exit code 2");

  const container = await startContainer(image, { COMPUTER_CONTROL_TOKEN: TOKEN });
  try {
    await untilHealthy(image, container);
    const network = ["nsenter", `--target=${container.pid}`, "--net"];
    const script = fileURLToPath(new URL("container/try_browser.ts", import.meta.url));
    const [program, ...words] = [...network, Deno.execPath(), "run", "-A", "--no-config", script];
    console.log((await runWell(program!, [...words, SERVICE, TOKEN, picture])).trim());
    console.log(`${picture} shows it`);
  } finally {
    Deno.kill(container.pid, "SIGTERM");
    await container.ended; // the folder can be removed only then
  }
  const code = await container.ended;
  console.log(container.written().trim().replaceAll(/^/gm, "    "));
  if (code !== 0) throw new Error(`After SIGTERM it ended with ${code} instead of 0`);
  console.log("After SIGTERM everything has ended, with exit code 0");
}

/** As the health check of the image says it, run inside. */
async function untilHealthy(image: Image, container: Running): Promise<void> {
  const [program, ...words] = [...container.enter, ...image.healthcheck];
  const startedAt = performance.now();
  while ((await run(program!, words)).code !== 0) {
    if (performance.now() - startedAt > 60_000) {
      throw new Error(`It does not become healthy: ${container.written()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log(`Healthy after ${Math.round(performance.now() - startedAt)} ms`);
}
