/** Looks at the file that DENORT_BIN names before anything is built with it. */

import { Buffer } from "node:buffer";
import type { Target } from "./targets.ts";

/** A sentence that only the whole `deno` has, in its help. */
const ONLY_IN_DENO = "Compile the script into a self contained executable";
/** The smallest runtime is many times as large. */
const MIN_BYTES = 10 * 1024 * 1024;
/** How Deno names itself to servers; canaries have a `+` after it. */
const USER_AGENT = /Deno\/(\d+\.\d+\.\d+)/g;

/**
 * Checks that the file can be Deno's runtime for the target.
 * @throws Error with what is wrong and what to do.
 */
export async function checkDenort(path: string, target: Target): Promise<void> {
  const refuse = (state: string): never => {
    throw new Error(
      `DENORT_BIN "${path}": ${state}: name the file denort of Deno ${Deno.version.deno} ` +
        `for ${target.triple}, or unset DENORT_BIN`,
    );
  };
  const bytes = await readWhole(path, refuse);
  const system = systemOf(bytes);
  if (system === undefined) refuse("is no program");
  if (system !== target.name) refuse(`is a program for ${system}`);
  if (bytes.length < MIN_BYTES) refuse("is too small to be denort");
  if (bytes.includes(ONLY_IN_DENO)) refuse("is the whole deno and not its runtime, denort");
  const other = otherVersion(bytes, Deno.version.deno);
  if (other !== undefined) refuse(`is of Deno ${other}`);
}

/** The version that the file names, unless it is the wanted one, or the file names none. */
export function otherVersion(bytes: Buffer, wanted: string): string | undefined {
  const named = [...bytes.toString("latin1").matchAll(USER_AGENT)].map(([, version]) => version!);
  return named.includes(wanted) ? undefined : named[0];
}

async function readWhole(path: string, refuse: (state: string) => never): Promise<Buffer> {
  try {
    return Buffer.from((await Deno.readFile(path)).buffer);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return refuse("there is no such file");
    return refuse(`cannot be read (${(error as Error).message})`);
  }
}

/** By the first bytes of ELF, Mach-O and PE files; `undefined` for any other. */
function systemOf(bytes: Buffer): string | undefined {
  if (bytes.length < 64) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x7f454c46) {
    return named("linux", bytes.readUInt16LE(18), { 62: "x86_64", 183: "aarch64" });
  }
  if (magic === 0xcffaedfe) {
    return named("macos", bytes.readUInt32LE(4), {
      0x01000007: "x86_64",
      0x0100000c: "aarch64",
    });
  }
  const at = bytes.readUInt32LE(60);
  if (bytes.readUInt16BE(0) !== 0x4d5a || at + 6 > bytes.length) return undefined;
  return named("windows", bytes.readUInt16LE(at + 4), { 0x8664: "x86_64", 0xaa64: "aarch64" });
}

function named(os: string, machine: number, known: Readonly<Record<number, string>>): string {
  return `${os}-${known[machine] ?? `machine ${machine}`}`;
}
