/** Makes the self-extracting file: a shell script, the packed runtime, the packed program. */

import { createHash } from "node:crypto";
import { VERSION } from "../../src/config/config.ts";
import type { Bundle } from "./bundle.ts";
import { RUN_FLAGS } from "./run_flags.ts";
import type { Runtime } from "./runtimes.ts";
import { joined, tarGzip } from "./tar.ts";
import type { Target } from "./targets.ts";

/** The parts of the script, one after the other. */
const HEAD = ["1_values", "2_place", "3_check", "4_unpack", "5_start"];

/** What differs between the systems: `stat`, names, the folder for caches. */
const SYSTEMS = {
  linux: {
    STAT_MODE: "-c %A/%u/%g",
    STAT_FILE: "-c '%i %s %A %u %z'",
    CACHE: ".cache",
    HINT: "it needs glibc 2.27 or newer and a folder where programs may be started",
  },
  macos: {
    STAT_MODE: "-f %Sp/%u/%g",
    STAT_FILE: "-f '%i %z %Sp %u %Fc'",
    CACHE: "Library/Caches",
    HINT: "it needs a folder where programs may be started",
  },
} as const;

const UNAMES: Readonly<Record<string, string>> = {
  "linux-x86_64": "Linux/x86_64",
  "linux-aarch64": "Linux/aarch64",
  "macos-x86_64": "Darwin/x86_64",
  "macos-aarch64": "Darwin/arm64",
};

/** The bytes of the file. */
export async function selfExtracting(
  target: Target,
  { runtime, bundle }: { readonly runtime: Runtime; readonly bundle: Bundle },
): Promise<Uint8Array<ArrayBuffer>> {
  if (target.os === "windows") throw new Error("Windows has no shell to unpack the file");
  const program = tarGzip(bundle);
  const files = new Map([["deno", runtime.program], ...bundle]);
  const checksum = sha256([...files.values()]);
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  const values = {
    ...SYSTEMS[target.os],
    VERSION,
    OS: target.os,
    ARCH: target.arch,
    UNAME: UNAMES[target.name]!,
    DENO: runtime.version,
    ID: `${VERSION}-${checksum.slice(0, 16)}`,
    CHECKSUM: checksum,
    FILES: [...files.keys()].join(" "),
    RUN_FLAGS: RUN_FLAGS.join(" "),
    RUNTIME_LENGTH: String(runtime.archive.length),
    PROGRAM_LENGTH: String(program.length),
    RUNTIME_BYTES: String(runtime.program.length),
    NEEDED_KIB: String(Math.ceil(bytes / 1024) + 4096),
  };
  const head = headOf(await readHead(), values);
  return joined([head, runtime.archive, program]);
}

async function readHead(): Promise<string> {
  const urls = HEAD.map((name) => new URL(`./head/${name}.sh`, import.meta.url));
  return (await Promise.all(urls.map((url) => Deno.readTextFile(url)))).join("");
}

/** The offsets depend on the length of the head, so they are written with a fixed width. */
function headOf(template: string, values: Readonly<Record<string, string>>): Uint8Array {
  const filled = (offsets: Readonly<Record<string, number>>) =>
    template.replace(/@([A-Z_]+)@/g, (_, name: string) => {
      const offset = offsets[name];
      const value = offset === undefined ? values[name] : String(offset).padEnd(12);
      if (value === undefined) throw new Error(`The head asks for an unknown "${name}"`);
      return value;
    });
  const encoder = new TextEncoder();
  const { length } = encoder.encode(filled({ RUNTIME_AT: 0, PROGRAM_AT: 0, TOTAL: 0 }));
  const programAt = length + Number(values["RUNTIME_LENGTH"]);
  return encoder.encode(filled({
    RUNTIME_AT: length + 1,
    PROGRAM_AT: programAt + 1,
    TOTAL: programAt + Number(values["PROGRAM_LENGTH"]),
  }));
}

function sha256(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
