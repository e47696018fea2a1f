/**
 * Makes the Windows build of Deno 2.9 start under wine 8.0, by changing two names in a copy of it:
 *
 * - `ProcessPrng` of bcryptprimitives.dll, which wine has from 8.17 on, becomes `SystemFunction036`
 *   (RtlGenRandom) of advapi32.dll, which takes the same two arguments.
 * - `VirtualAlloc2` is hidden: wine exports it but refuses `MEM_RESERVE_PLACEHOLDER`, and V8 tests for
 *   the export only.
 *
 * The layout is that of the PE format: https://learn.microsoft.com/windows/win32/debug/pe-format
 */

import { Buffer } from "node:buffer";

const PE_OFFSET = 0x3c;
const COFF_HEADER_SIZE = 24;
/** From the start of the optional header of PE32+ to the address of the import table. */
const IMPORT_TABLE = 120;
const SECTION_HEADER_SIZE = 40;
const IMPORT_DESCRIPTOR_SIZE = 20;

const MISSING = { library: "bcryptprimitives.dll", function: "ProcessPrng" };
const PRESENT = { library: "advapi32.dll", function: "SystemFunction036" };

/** Changes the program in place. @throws Error when it is not laid out as expected. */
export function patchDenoExe(program: Uint8Array): void {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  replaceImport(bytes);
  hideVirtualAlloc2(bytes);
}

interface Import {
  /** Offset of its descriptor. */
  readonly at: number;
  readonly library: string;
}

function replaceImport(bytes: Buffer): void {
  const offsetOf = addressReader(bytes);
  const imports = readImports(bytes, offsetOf);
  const missing = imports.find(({ library }) => library === MISSING.library);
  const present = imports.find(({ library }) => library === PRESENT.library);
  if (missing === undefined || present === undefined) throw new Error("deno.exe: no such imports");

  const lookups = offsetOf(bytes.readUInt32LE(missing.at));
  const addresses = offsetOf(bytes.readUInt32LE(missing.at + 16));
  const name = bytes.readUInt32LE(missing.at + 12);
  const imported = textAt(bytes, offsetOf(Number(bytes.readBigUInt64LE(lookups))) + 2);
  if (imported !== MISSING.function || bytes.readBigUInt64LE(lookups + 8) !== 0n) {
    throw new Error(`deno.exe: "${imported}" is imported from ${MISSING.library}`);
  }
  // the name of the library is no longer needed: the name of the function, at an even address, fits there
  const entryAt = name + (name & 1);
  const entry = Buffer.from(`\0\0${PRESENT.function}\0`, "latin1");
  if (entryAt + entry.length > name + MISSING.library.length + 1) {
    throw new Error("deno.exe: no room for the name of the other function");
  }
  entry.copy(bytes, offsetOf(entryAt));
  bytes.writeBigUInt64LE(BigInt(entryAt), lookups);
  bytes.writeBigUInt64LE(BigInt(entryAt), addresses);
  bytes.writeUInt32LE(bytes.readUInt32LE(present.at + 12), missing.at + 12);
}

function readImports(bytes: Buffer, offsetOf: (address: number) => number): Import[] {
  const header = bytes.readUInt32LE(PE_OFFSET) + COFF_HEADER_SIZE;
  const imports: Import[] = [];
  let at = offsetOf(bytes.readUInt32LE(header + IMPORT_TABLE));
  for (; bytes.readUInt32LE(at + 12) !== 0; at += IMPORT_DESCRIPTOR_SIZE) {
    const library = textAt(bytes, offsetOf(bytes.readUInt32LE(at + 12))).toLowerCase();
    imports.push({ at, library });
  }
  return imports;
}

/** Turns an address of the loaded program into an offset in its file. */
function addressReader(bytes: Buffer): (address: number) => number {
  const pe = bytes.readUInt32LE(PE_OFFSET);
  const count = bytes.readUInt16LE(pe + 6);
  const first = pe + COFF_HEADER_SIZE + bytes.readUInt16LE(pe + 20);
  const sections = Array.from({ length: count }, (_, i) => {
    const at = first + i * SECTION_HEADER_SIZE;
    const size = Math.max(bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 16));
    return { address: bytes.readUInt32LE(at + 12), size, offset: bytes.readUInt32LE(at + 20) };
  });
  return (address) => {
    const section = sections.find((each) =>
      address >= each.address && address < each.address + each.size
    );
    if (section === undefined) throw new Error(`deno.exe: address ${address} is in no section`);
    return address - section.address + section.offset;
  };
}

function hideVirtualAlloc2(bytes: Buffer): void {
  const name = "\0VirtualAlloc2\0";
  let at = bytes.indexOf(name, 0, "latin1");
  if (at < 0) throw new Error("deno.exe: it does not look for VirtualAlloc2");
  for (; at >= 0; at = bytes.indexOf(name, at + 1, "latin1")) bytes.write("X", at + 1, "latin1");
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, bytes.indexOf(0, at));
}
