/** Encodes a CREDENTIALW for CredWriteW, and decodes those of CredReadW and CredEnumerateW. */

import { pointerAddress, readWideText, wideText } from "../../../ffi/memory.ts";
import {
  CRED_PERSIST_LOCAL_MACHINE,
  CRED_TYPE_GENERIC,
  CREDENTIALW,
} from "../../../ffi/windows/advapi32.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A structure and the memory that it points to, which must stay alive as long as the structure. */
export interface CredentialBytes {
  readonly struct: Bytes;
  readonly target: Bytes;
  readonly user: Bytes;
  readonly blob: Bytes;
}

/** A generic credential of this user on this computer. */
export function encodeCredential(target: string, user: string, blob: Bytes): CredentialBytes {
  const struct = new Uint8Array(CREDENTIALW.size);
  const parts = { struct, target: wideText(target), user: wideText(user), blob };
  const view = new DataView(struct.buffer);
  view.setUint32(CREDENTIALW.Type, CRED_TYPE_GENERIC, true);
  view.setUint32(CREDENTIALW.CredentialBlobSize, blob.byteLength, true);
  view.setUint32(CREDENTIALW.Persist, CRED_PERSIST_LOCAL_MACHINE, true);
  view.setBigUint64(CREDENTIALW.TargetName, pointerAddress(parts.target), true);
  view.setBigUint64(CREDENTIALW.CredentialBlob, pointerAddress(blob), true);
  view.setBigUint64(CREDENTIALW.UserName, pointerAddress(parts.user), true);
  return parts;
}

/** The secret of a credential that the system has returned. */
export function readBlob(credential: Deno.PointerObject): Bytes {
  const view = new Deno.UnsafePointerView(credential);
  const size = view.getUint32(CREDENTIALW.CredentialBlobSize);
  const blob = new Uint8Array(size);
  const start = view.getPointer(CREDENTIALW.CredentialBlob);
  if (start !== null) new Deno.UnsafePointerView(start).copyInto(blob);
  return blob;
}

/** Overwrites the secret, because the system frees the memory without clearing it. */
export function wipe(credential: Deno.PointerObject): void {
  const view = new Deno.UnsafePointerView(credential);
  const size = view.getUint32(CREDENTIALW.CredentialBlobSize);
  const start = view.getPointer(CREDENTIALW.CredentialBlob);
  if (start === null || size === 0) return;
  new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(start, size)).fill(0);
}

export function readTargetName(credential: Deno.PointerObject): string {
  const name = new Deno.UnsafePointerView(credential).getPointer(CREDENTIALW.TargetName);
  return name === null ? "" : readWideText(name);
}
