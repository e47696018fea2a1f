/** What is embedded into the executables, and how `deno compile` is told. */

import { fileURLToPath } from "node:url";
import { expect } from "expect";
import { Buffer } from "node:buffer";
import { builtExecutable } from "../support/executable.ts";
import { testFolder } from "../support/folder.ts";
import { type Bundle, bundle, ENTRIES } from "../../tools/compile/bundle.ts";
import { compile, compileArguments } from "../../tools/compile/compiled.ts";
import { checkDenort, otherVersion } from "../../tools/compile/denort.ts";
import { UNSTABLE_FLAGS } from "../../tools/compile/run_flags.ts";
import { checkIntegrity, checkPublished } from "../../tools/compile/runtimes.ts";
import { readTargets, TARGETS } from "../../tools/compile/targets.ts";
import { zip } from "../../tools/compile/zip.ts";
import { checkBuilder } from "../../tools/deno_version.ts";

const ROOT = new URL("../../", import.meta.url);

/** File of the bundle -> something that only the embedded thing has. */
const EMBEDDED: readonly [RegExp, string][] = [
  [/^(main|chunk-.*)\.js$/, "Lets programs see this computer's screen"],
  [/^picture_worker\.js$/, ".lastReading("],
  [/^edit_worker\.js$/, "journalFolder"],
  [/^walk_worker\.js$/, "RangeError"],
  [/^recording_worker\.js$/, "V_UNCOMPRESSED"],
  [/^live_worker\.js$/, ".cursorPicture"],
  [/^(parse_worker|chunk-.*)\.js$/, "levels of lists and objects"],
  [/^poll_worker\.js$/, 'cursor:"hidden"'],
  [/^(call_worker|chunk-.*)\.js$/, "ExcludeClipboardContentFromMonitorProcessing"],
  [/^atspi_worker\.js$/, "GetItems"],
  [/^call_worker\.js$/, "does not offer UI Automation"],
  [/^(call_worker|chunk-.*)\.js$/, ".EnumWindows("],
  [/^(server|chunk)-.*\.js$/, "StdioServerTransport already started"],
  [/^(server|chunk)-.*\.js$/, "there are no batches"],
  [/^(pyautogui|chunk)-.*\.js$/, "class FailSafeException(PyAutoGUIException)"],
  [/^swagger-ui-bundle-.*\.js$/, "SwaggerUIBundle"],
  [/^swagger-ui-[A-Z0-9]+\.js$/, ".swagger-ui"],
  [/^libjpegturbowasm-.*\.js$/, "AGFzbQ"], // "\0asm" in base 64
  [/^webp_enc_simd-.*\.js$/, "AGFzbQ"],
  [/^webp_dec-.*\.js$/, "AGFzbQ"],
  [/^(mod|chunk)-.*\.js$/, "getdents64"],
  [/^(mod|chunk)-.*\.js$/, "FindFirstFileExW:{"],
  [/^(mod|chunk)-.*\.js$/, "fgetxattr"],
];

let made: Promise<Bundle> | undefined;
const bundled = () => made ??= bundle();

for (const [file, sign] of EMBEDDED) {
  Deno.test(`the bundle has ${file} with ${sign}`, async () => {
    const texts = [...await bundled()].filter(([name]) => file.test(name))
      .map(([, bytes]) => new TextDecoder().decode(bytes));
    expect(texts.filter((text) => text.includes(sign))).toHaveLength(1);
  });
}

Deno.test("the bundle asks for nothing but its own files and built-in modules", async () => {
  for (const [name, bytes] of await bundled()) {
    const text = new TextDecoder().decode(bytes);
    const imports = [...text.matchAll(/(?:^|[;}\n])import(?:[^"';()]*from)?\s*"([^"]+)"/g)];
    const foreign = imports.map(([, from]) => from!)
      .filter((from) => !/^(node:|\.\/)/.test(from));
    expect([name, foreign]).toEqual([name, []]);
  }
});

Deno.test("every worker of the sources is bundled", async () => {
  const started: string[] = [];
  for await (const path of sources("src")) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const [, file] of text.matchAll(/new URL\("\.\/([\w]+_worker\.ts)"/g)) {
      started.push(folder + file);
    }
  }
  expect(started.sort()).toEqual([...ENTRIES].slice(1).sort());
});

Deno.test("the executables switch on what deno.json does, as far as it matters after bundling", async () => {
  const { unstable } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const asFlags = (unstable as string[]).filter((name) => name !== "raw-imports")
    .map((name) => `--unstable-${name}`);
  expect(asFlags).toEqual([...UNSTABLE_FLAGS]);
});

Deno.test("deno compile is told every permission, every file and the target", () => {
  const [linux] = TARGETS;
  const files = ["a.js", "main.js", "walk_worker.js"];
  expect(compileArguments(linux!, { files, output: "/out/x" })).toEqual([
    ...["compile", "--allow-all", "--no-check", "--no-config", "--no-lock", "--no-remote"],
    ...["--no-npm", ...UNSTABLE_FLAGS, "--app-name", "computer-control"],
    ...["--target", "x86_64-unknown-linux-gnu", "--include", "a.js"],
    ...["--include", "walk_worker.js", "--output", "/out/x", "main.js"],
  ]);
});

Deno.test("deno compile embeds every file of the bundle", async () => {
  await using folder = await testFolder();
  const files = await bundled();
  // the whole deno in the place of its runtime: what is embedded is the same, it only does not start
  const [target] = readTargets(undefined, Deno.build.target);
  const options = { bundle: files, output: `${folder.path}/x`, denort: Deno.execPath() };
  const result = await compile(target!, options);
  if (result.kind !== "made") throw new Error(result.reason);
  const listed = new Set(result.said.match(/[\w.-]+\.js(?= )/g));
  expect([...files.keys()].filter((name) => !listed.has(name))).toEqual([]);
});

const wrong: [string, (path: string) => Promise<string>, string][] = [
  ["that is not there", (path) => Promise.resolve(`${path}/none`), "there is no such file"],
  ["that is a folder", (path) => Promise.resolve(path), "cannot be read"],
  ["that is text", async (path) => {
    await Deno.writeTextFile(`${path}/x`, "#!/bin/sh\n".repeat(100));
    return `${path}/x`;
  }, "is no program"],
  ["of another system", async (path) => {
    await Deno.writeFile(`${path}/x`, machO());
    return `${path}/x`;
  }, "is a program for macos-aarch64"],
  ["that is too small", () => Promise.resolve("/bin/true"), "is too small to be denort"],
  ["that is deno", () => Promise.resolve(Deno.execPath()), "is the whole deno and not its runtime"],
];

for (const [name, prepare, state] of wrong) {
  Deno.test(`compile refuses a DENORT_BIN ${name} before anything is built`, async () => {
    await using folder = await testFolder();
    const path = await prepare(folder.path);
    const target = TARGETS.find(({ name }) => name === `linux-${Deno.build.arch}`)!;
    await expect(checkDenort(path, target)).rejects.toThrow(`DENORT_BIN "${path}": ${state}`);
    const out = `${folder.path}/dist`;
    const task = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", fileURLToPath(new URL("tools/compile.ts", ROOT)), "--out", out],
      env: { DENORT_BIN: path },
    });
    const { code, stdout, stderr } = await task.output();
    expect([code, new TextDecoder().decode(stdout)]).toEqual([1, ""]);
    expect(new TextDecoder().decode(stderr)).toMatch(/^compile: DENORT_BIN .*unset DENORT_BIN\n$/);
    await expect(Deno.stat(out)).rejects.toThrow();
  });
}

Deno.test("compile takes no other version of the runtime than the pinned one", () => {
  const versions = ["70.0.4", "70.0.6"];
  expect(() => checkPublished("a", { versions, version: "70.0.6" })).not.toThrow();
  expect(() => checkPublished("a", { versions, version: "70.0.5" }))
    .toThrow('The registry has no "a@70.0.5": pin a version that every system has');
});

Deno.test("compile is refused with another version than the pinned one", () => {
  expect(() => checkBuilder("70.0.6", "70.0.6")).not.toThrow();
  expect(() => checkBuilder("70.1.0", "70.0.6")).toThrow("70.0.6 is pinned");
});

Deno.test("a DENORT_BIN of another version is known by what it calls itself", () => {
  const bytes = (text: string) => Buffer.from(`\xff\0${text}\0`, "latin1");
  expect(otherVersion(bytes("Deno/" + "70.0.5"), "70.0.6")).toBe("70.0.5");
  expect(otherVersion(bytes("Deno/" + "70.0.6"), "70.0.6")).toBe(undefined);
  expect(otherVersion(bytes("nothing"), "70.0.6")).toBe(undefined);
});

Deno.test("compile refuses a runtime with another checksum", () => {
  expect(() => checkIntegrity("x", new Uint8Array(3), "sha512-AAAA")).toThrow('"x" is damaged');
});

Deno.test("compile knows its targets", () => {
  expect(readTargets("all", "").length).toBe(5);
  expect(() => readTargets("sparc", "")).toThrow("must be all or one of x86_64-unknown-linux-gnu");
});

const orders: [string[], string][] = [
  [["--target"], "use --target"],
  [["--out", ""], "use --target"],
  [["--kind", "x"], "use --target"],
  [["--nonsense", "x"], "use --target"],
  [["--target", "sparc"], '--target "sparc": must be all or one of'],
];

for (const [args, said] of orders) {
  Deno.test(`compile refuses ${JSON.stringify(args)}`, async () => {
    const { code, stdout, stderr } = await compileTask(args);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(`compile: ${said}`)]);
  });
}

Deno.test("the same sources give the same bytes, and an empty DENORT_BIN is none", async () => {
  await using folder = await testFolder();
  const first = await Deno.readFile(await builtExecutable());
  await Deno.writeTextFile(
    `${folder.path}/computer-control-x.new`,
    "left by a build that was killed",
  );
  const args = ["--kind", "auto", "--out", folder.path];
  expect(await compileTask(args, { DENORT_BIN: "" })).toMatchObject({ code: 0, stderr: "" });
  const sums = await Deno.readTextFile(`${folder.path}/SHA256SUMS`);
  expect(sums).toMatch(/^[0-9a-f]{64} {2}computer-control-linux-\w+\n$/);
  await compileTask(["--kind", "stand-in", "--out", folder.path]);
  const second = await Deno.readFile(`${folder.path}/computer-control-linux-${Deno.build.arch}`);
  expect(Buffer.from(first.buffer).equals(second)).toBe(true);
});

async function compileTask(args: readonly string[], env: Record<string, string> = {}) {
  const task = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("tools/compile.ts", ROOT)), ...args],
    env: { NO_COLOR: "1", ...env },
  });
  const { code, stdout, stderr } = await task.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("SHA256SUMS holds for the files that were built", async () => {
  const path = await builtExecutable();
  const cwd = path.slice(0, path.lastIndexOf("/"));
  const check = new Deno.Command("sha256sum", { args: ["--check", "SHA256SUMS"], cwd });
  expect((await check.output()).code).toBe(0);
});

Deno.test("zip() writes what other programs read", async () => {
  await using folder = await testFolder();
  const files = new Map([["a/é 漢.txt", "hello"], ["b.bin", "x".repeat(100_000)]]);
  const bytes = [...files].map(([name, text]) => [name, new TextEncoder().encode(text)] as const);
  await Deno.writeFile(`${folder.path}/x.zip`, zip(new Map(bytes)));
  const script = "import zipfile,json,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is " +
    "None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  const python = new Deno.Command("/usr/bin/python3", {
    args: ["-c", script, `${folder.path}/x.zip`],
  });
  const { stdout } = await python.output();
  expect(JSON.parse(new TextDecoder().decode(stdout))).toEqual(Object.fromEntries(files));
});

/** The first bytes of a program for macOS on ARM. */
function machO(): Uint8Array {
  const bytes = new Uint8Array(1_000);
  bytes.set([0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]);
  return bytes;
}

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}
