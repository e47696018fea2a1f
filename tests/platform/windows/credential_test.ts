/** CREDENTIALW as bytes: the layout of wincred.h, on any 64-bit system. */

import { expect } from "expect";
import { readWideText, wideText } from "../../../ffi/memory.ts";
import { CREDENTIALW } from "../../../ffi/windows/advapi32.ts";
import {
  encodeCredential,
  readBlob,
  readTargetName,
} from "../../../src/platform/windows/keychain.ts";

/** Members of CREDENTIALW in order, with their C types. */
const MEMBERS: readonly [keyof typeof CREDENTIALW, "DWORD" | "pointer" | "FILETIME"][] = [
  ["Flags", "DWORD"],
  ["Type", "DWORD"],
  ["TargetName", "pointer"],
  ["Comment", "pointer"],
  ["LastWritten", "FILETIME"],
  ["CredentialBlobSize", "DWORD"],
  ["CredentialBlob", "pointer"],
  ["Persist", "DWORD"],
  ["AttributeCount", "DWORD"],
  ["Attributes", "pointer"],
  ["TargetAlias", "pointer"],
  ["UserName", "pointer"],
];
/** Size and alignment of each type under the x64 rules. */
const TYPES = { DWORD: [4, 4], pointer: [8, 8], FILETIME: [8, 4] } as const;

Deno.test("CREDENTIALW has every member where a C compiler puts it", () => {
  let at = 0;
  for (const [name, type] of MEMBERS) {
    const [size, alignment] = TYPES[type];
    at = Math.ceil(at / alignment) * alignment;
    expect([name, CREDENTIALW[name]]).toEqual([name, at]);
    at += size;
  }
  expect(CREDENTIALW.size).toBe(Math.ceil(at / 8) * 8);
});

for (const text of ["", "abc", "é", "日本", "🙂", "computer-control:a/b"]) {
  Deno.test(`wideText() writes ${JSON.stringify(text)} as UTF-16 with a NUL, and readWideText() reads it`, () => {
    const bytes = wideText(text);
    expect(bytes.byteLength).toBe((text.length + 1) * 2);
    expect(new TextDecoder("utf-16le").decode(bytes)).toBe(`${text}\0`);
    expect(readWideText(Deno.UnsafePointer.of(bytes)!)).toBe(text);
  });
}

Deno.test("encodeCredential() makes what the system reads, and the readers find it again", () => {
  const blob = new TextEncoder().encode("s3cret é🔑");
  const made = encodeCredential("computer-control:Büro", "Büro", blob);
  const view = new DataView(made.struct.buffer);
  expect(made.struct.byteLength).toBe(80);
  expect(view.getUint32(4, true)).toBe(1); // CRED_TYPE_GENERIC
  expect(view.getUint32(32, true)).toBe(blob.byteLength);
  expect(view.getUint32(48, true)).toBe(2); // CRED_PERSIST_LOCAL_MACHINE
  expect(view.getUint32(52, true)).toBe(0);
  const pointer = Deno.UnsafePointer.of(made.struct)!;
  expect(readTargetName(pointer)).toBe("computer-control:Büro");
  expect(readBlob(pointer)).toEqual(blob);
  const user = new Deno.UnsafePointerView(pointer).getPointer(72)!;
  expect(readWideText(user)).toBe("Büro");
});

Deno.test("blobOf() gives nothing of a credential without a secret", () => {
  const made = encodeCredential("t", "u", new Uint8Array(0));
  expect(readBlob(Deno.UnsafePointer.of(made.struct)!)).toEqual(new Uint8Array(0));
});
