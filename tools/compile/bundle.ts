/** Bundles the program: one folder of scripts that needs no other file, no package and no network. */

import { fileURLToPath } from "node:url";
import { runWell } from "./run.ts";

const ROOT = new URL("../../", import.meta.url);

/** The program and each thread of it, which `startWorker(new URL("./<name>.ts", ...))` starts. */
export const ENTRIES = [
  "main.ts",
  "src/features/display/picture_worker.ts",
  "src/features/editor/edit_worker.ts",
  "src/features/filesystem/walk/walk_worker.ts",
  "src/features/live/live_worker.ts",
  "src/features/recording/recording_worker.ts",
  "src/http/parse_worker.ts",
  "src/platform/browser/browser_worker.ts",
  "src/platform/comparing/poll_worker.ts",
  "src/platform/linux/atspi/atspi_worker.ts",
  "src/platform/linux/pipewire/stream_worker.ts",
  "src/platform/windows/call_worker.ts",
  "src/platform/windows/real_input_worker.ts",
] as const;

/** What packages in CommonJS expect, which a module does not have: the sign of it -> a line before it. */
const COMMON_JS: Readonly<Record<string, string>> = {
  "Dynamic require of": 'import{createRequire as $createRequire}from"node:module";' +
    "const require=$createRequire(import.meta.url);\n",
  "__dirname": "const __dirname=import.meta.dirname;\n",
};

/** File name -> its bytes; all lie side by side. */
export type Bundle = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** @throws Error when the bundler fails, or when the bundle would lack a file. */
export async function bundle(): Promise<Bundle> {
  const out = await Deno.makeTempDir({ prefix: "computer-control-bundle-" });
  try {
    const flags = ["--platform", "deno", "--code-splitting", "--minify", "--keep-names"];
    const args = ["bundle", "--quiet", ...flags, "--outdir", out, ...ENTRIES];
    await runWell(Deno.execPath(), args, { cwd: fileURLToPath(ROOT) });
    return flattened(await readTexts(out));
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

/** Path from the folder -> text, in a fixed order. */
async function readTexts(folder: string, below = ""): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    const path = `${below}${name}`;
    if (!isDirectory) texts.set(path, await Deno.readTextFile(`${folder}/${path}`));
    else for (const entry of await readTexts(folder, `${path}/`)) texts.set(...entry);
  }
  return new Map([...texts].sort(([a], [b]) => a < b ? -1 : 1));
}

function flattened(texts: ReadonlyMap<string, string>): Bundle {
  const files = new Map<string, string>();
  for (const [path, text] of texts) {
    const own = path.includes("/")
      ? text.replace(/(["'])(?:\.\.\/)+([^"'/]+\.js)\1/g, '"./$2"')
      : text;
    files.set(fileName(path), withCommonJs(withWorkers(own)));
  }
  checkComplete(files);
  const encoder = new TextEncoder();
  return new Map([...files].map(([name, text]) => [name, encoder.encode(text)]));
}

/** The workers are scripts now, and lie beside the program. */
function withWorkers(text: string): string {
  return workerEntries().reduce(
    (changed, entry) => changed.replaceAll(`"./${entry}.ts"`, `"./${entry}.js"`),
    text,
  );
}

function withCommonJs(text: string): string {
  const missing = Object.entries(COMMON_JS).filter(([sign]) => text.includes(sign));
  return missing.map(([, line]) => line).join("") + text;
}

function checkComplete(files: ReadonlyMap<string, string>): void {
  const all = [...files.values()].join("\n");
  for (const entry of workerEntries()) {
    const isThere = files.has(`${entry}.js`) && all.includes(`new URL("./${entry}.js"`);
    if (!isThere) throw new Error(`The bundle lacks the worker "${entry}"`);
  }
  const [, unknown] = all.match(/new URL\("\.\/([^"]+\.ts)",\s*import\.meta\.url\)/) ?? [];
  if (unknown !== undefined) throw new Error(`"${unknown}" is not bundled: add it to ENTRIES`);
  const imports = all.matchAll(/(?:from|import)\s*\(?"\.\/([^"]+\.js)"/g);
  const missing = [...imports].map(([, name]) => name!).filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`The bundle lacks ${missing.join(", ")}`);
}

function workerEntries(): string[] {
  return ENTRIES.slice(1).map((path) => fileName(path).replace(/\.ts$/, ""));
}

function fileName(path: string): string {
  return path.split("/").at(-1)!;
}
