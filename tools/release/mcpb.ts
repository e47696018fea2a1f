/**
 * `deno task mcpb`: for each executable in `dist` a bundle that Claude Desktop and others install with
 * one click: a zip archive with `manifest.json` (https://github.com/modelcontextprotocol/mcpb, 0.3).
 */

import { executableName, type Target, TARGETS } from "../compile/targets.ts";
import { zip } from "../compile/zip.ts";
import { readVersion } from "./version.ts";

const PLATFORMS = { linux: "linux", macos: "darwin", windows: "win32" } as const;

if (import.meta.main) Deno.exit(await main(Deno.args[0] ?? "dist"));

async function main(dist: string): Promise<number> {
  const version = await readVersion();
  let made = 0;
  for (const target of TARGETS) {
    const executable = await readFile(`${dist}/${executableName(target)}`);
    if (executable === undefined) continue;
    const file = `${dist}/${bundleName(target)}`;
    await Deno.writeFile(file, makeBundle(executable, { target, version }));
    console.log(`Made ${file}`);
    made++;
  }
  if (made > 0) return 0;
  console.error(`mcpb: there is no executable in ${dist}: run deno task compile first`);
  return 1;
}

/** `computer-control-linux-x86_64.mcpb` */
export function bundleName({ name }: Target): string {
  return `computer-control-${name}.mcpb`;
}

export interface BundleOptions {
  readonly target: Target;
  readonly version: string;
}

export function makeBundle(
  executable: Uint8Array,
  { target, version }: BundleOptions,
): Uint8Array<ArrayBuffer> {
  const program = `server/computer-control${target.os === "windows" ? ".exe" : ""}`;
  const manifest = JSON.stringify(makeManifest(program, { target, version }), null, 2);
  const files = new Map([
    ["manifest.json", new TextEncoder().encode(`${manifest}\n`)],
    [program, executable],
  ]);
  return zip(files, { executables: new Set([program]) });
}

function makeManifest(program: string, { target, version }: BundleOptions) {
  return {
    manifest_version: "0.3",
    name: "computer-control",
    display_name: "Computer Control",
    version,
    description:
      "Lets the model see this computer's screen and use its mouse, keyboard, files and shell",
    author: { name: "The Computer Control Service authors" },
    license: "MIT",
    keywords: ["computer use", "desktop", "screenshot", "mouse", "keyboard", "shell"],
    server: {
      type: "binary",
      entry_point: program,
      mcp_config: { command: `\${__dirname}/${program}`, args: ["mcp"] },
    },
    tools_generated: true,
    compatibility: { platforms: [PLATFORMS[target.os]] },
  };
}

async function readFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
