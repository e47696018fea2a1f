/** The npm package, packed, installed in an empty folder and started: signals, exit codes, and nothing left behind. */

import { expect } from "expect";
import { makePackage } from "../../tools/npm_package.ts";
import { readPinnedVersion } from "../../tools/deno_version.ts";
import { readVersion } from "../../tools/release/version.ts";
import { type TestFolder, testFolder } from "../support/folder.ts";
import { type LineReader, lineReader } from "../support/lines.ts";
import { ownPlaces } from "../support/own_places.ts";
import { unless } from "../support/test_if.ts";

const ignore = unless(Deno.build.os !== "windows", "signals that can be sent are none of Windows");

Deno.test({
  name: "npm package starts, takes signals, ends with the service's exit code, and leaves nothing",
  ignore,
  async fn(test) {
    await using folder = await testFolder();
    const packed = await pack(folder);
    expect(packed.version).toBe(await readVersion());
    const files = packed.files.map(({ path }) => path);
    expect(files.filter((path) => !path.startsWith("program/")).sort())
      .toEqual(["LICENSE", "README.md", "launch.mjs", "package.json"]);
    expect(files).toContain("program/main.js");
    const project = `${folder.path}/project`;
    await Deno.mkdir(project);
    const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
    await npm(project, ["install", ...flags, `${folder.path}/${packed.filename}`]);
    const program = `${project}/node_modules/.bin/computer-control`;

    await test.step("its version names the package and the pinned Deno", async () => {
      const { code, stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
      const said = new TextDecoder().decode(stdout).trim();
      const deno = await readPinnedVersion();
      expect([code, said]).toEqual([0, `${packed.version} (npm package, Deno ${deno})`]);
    });

    await test.step("a wrong flag is exit code 2", async () => {
      const { code, stderr } = await new Deno.Command(program, { args: ["--prot"] }).output();
      expect(code).toBe(2);
      expect(new TextDecoder().decode(stderr)).toContain('did you mean "--port"');
    });

    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
      await test.step(`${signal} ends the service in order`, async () => {
        await using service = await start(project, [program]);
        expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
        service.process.kill(signal);
        expect((await service.process.status).code).toBe(0);
        const stopping = service.errors.until(new RegExp(`info stopping signal="${signal}"`));
        await soon(signal, stopping);
      });
    }

    await test.step("SIGTERM to npx ends the service too", async () => {
      await using service = await start(project, ["npx", "--offline", "computer-control"]);
      service.process.kill("SIGTERM");
      await service.process.status;
      await soon("the end", service.errors.until(/info stopped/));
    });

    await test.step("a service that is killed is not reported as a success", async () => {
      await using service = await start(project, [program]);
      const children = `/proc/${service.process.pid}/task/${service.process.pid}/children`;
      const [deno] = await childrenOf(children, service.process.pid);
      Deno.kill(deno!, "SIGKILL");
      expect(await service.process.status).toMatchObject({ success: false, signal: "SIGKILL" });
    });
  },
});

interface Packed {
  readonly filename: string;
  readonly version: string;
  readonly files: readonly { readonly path: string }[];
}

async function pack({ path }: TestFolder): Promise<Packed> {
  await makePackage(`${path}/package`);
  const text = await npm(`${path}/package`, ["pack", "--json", "--pack-destination", path]);
  return JSON.parse(text)[0];
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command("npm", { args: [...args, "--loglevel=error"], cwd });
  const { code, stdout, stderr } = await command.output();
  if (code !== 0) throw new Error(`npm ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

interface Started extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  readonly address: string;
  readonly errors: LineReader;
}

async function start(cwd: string, [program, ...words]: readonly string[]): Promise<Started> {
  const places = await ownPlaces();
  const process = new Deno.Command(program!, {
    args: [...words, "--port", "0", "--no-setup"],
    ...{ cwd, env: places.env, clearEnv: true },
    ...{ stdin: "null", stdout: "piped", stderr: "piped" } as const,
  }).spawn();
  const output = lineReader(process.stdout);
  const errors = lineReader(process.stderr);
  const [, address] = await output.until(/^Address +(http:\S+)/);
  return {
    process,
    address: address!,
    errors,
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGTERM");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // it has ended already
      }
      await process.status;
      await endOrphan(cwd); // else a launcher that fails would keep the test waiting for ever
      await Promise.all([output.rest(), errors.rest()]);
      await places[Symbol.asyncDispose]();
    },
  };
}

/** Ends a service whose launcher has ended without it: it would hold the output open for ever. */
async function endOrphan(folder: string): Promise<void> {
  const pattern = `${folder}/node_modules/computer-control/program/main.js`;
  await new Deno.Command("pkill", { args: ["-KILL", "-f", pattern] }).output();
}

/** A service that was not told to stop would never say so. */
function soon<T>(what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} did not come`)), 30_000);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}

async function childrenOf(file: string, pid: number): Promise<number[]> {
  if (Deno.build.os === "linux") {
    return (await Deno.readTextFile(file)).trim().split(" ").map(Number);
  }
  const { stdout } = await new Deno.Command("pgrep", { args: ["-P", String(pid)] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").map(Number);
}
