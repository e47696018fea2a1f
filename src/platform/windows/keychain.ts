/** The Credential Manager of Windows: one generic credential for each service. */

import { keepAlive, pointerAddress, readWideText, wideText } from "../../../ffi/memory.ts";
import {
  CRED_MAX_CREDENTIAL_BLOB_SIZE,
  CRED_PERSIST_LOCAL_MACHINE,
  CRED_PERSIST_NONE,
  CRED_TYPE_GENERIC,
  CRED_TYPE_MAXIMUM,
  type CredentialManager,
  CREDENTIALW,
  ERROR_NOT_FOUND,
  openCredentialManager,
} from "../../../ffi/windows/advapi32.ts";
import { ServiceError, tryTo } from "../../core/errors.ts";
import type { SystemKeychain } from "../keychain/open_keychain.ts";
import type { Keychain, Readiness } from "../types/mod.ts";

const POINTER_BYTES = 8;
/** The result of GetLastError when the runtime has overwritten the error code. */
const UNKNOWN = 0;
/** How many times a call is tried while its error code is unknown. */
const TRIES = 3;

export function windowsKeychain(): SystemKeychain {
  return {
    kind: "windows",
    title: "the Credential Manager",
    open: () => Promise.try(() => new WindowsKeychain(openCredentialManager())),
  };
}

class WindowsKeychain implements Keychain {
  readonly #symbols: CredentialManager;

  constructor(private readonly library: ReturnType<typeof openCredentialManager>) {
    this.#symbols = library.symbols;
  }

  read(service: string): Promise<string | undefined> {
    return Promise.try(() => {
      const found = new BigUint64Array(1);
      const target = wideText(toTargetName(service));
      const read = () => this.#symbols.CredReadW(target, CRED_TYPE_GENERIC, 0, found);
      if (!this.#succeeds("read an item", read)) return undefined;
      const credential = Deno.UnsafePointer.create(found[0]!)!;
      try {
        return new TextDecoder().decode(readBlob(credential));
      } finally {
        readBlob(credential).fill(0);
        this.#symbols.CredFree(credential);
      }
    });
  }

  write(service: string, secret: string): Promise<void> {
    return Promise.try(() => {
      const blob = new TextEncoder().encode(secret);
      if (blob.byteLength > CRED_MAX_CREDENTIAL_BLOB_SIZE) throw tooLarge(service);
      const { struct, target, user } = encodeCredential(toTargetName(service), service, blob);
      try {
        const what = "store an item";
        const done = this.#succeeds(what, () => this.#symbols.CredWriteW(struct, 0));
        if (!done) throw failed(what, UNKNOWN); // writing needs no existing item
      } finally {
        keepAlive(target, user);
        blob.fill(0);
      }
    });
  }

  remove(service: string): Promise<void> {
    return Promise.try(() => {
      const target = wideText(toTargetName(service));
      const remove = () => this.#symbols.CredDeleteW(target, CRED_TYPE_GENERIC, 0);
      this.#succeeds("delete an item", remove);
    });
  }

  names(): Promise<string[]> {
    return Promise.try(() => {
      const count = new Uint32Array(1);
      const found = new BigUint64Array(1);
      const filter = wideText(ALL_TARGETS);
      const list = () => this.#symbols.CredEnumerateW(filter, 0, count, found);
      if (!this.#succeeds("list the items", list)) return []; // no item exists yet
      const credentials = Deno.UnsafePointer.create(found[0]!)!;
      try {
        const view = new Deno.UnsafePointerView(credentials);
        const pointer = (_: unknown, index: number) => view.getPointer(index * POINTER_BYTES);
        return Array.from({ length: count[0]! }, pointer)
          .filter((credential) => credential !== null)
          .map(readName)
          .filter((name) => name !== undefined);
      } finally {
        this.#symbols.CredFree(credentials);
      }
    });
  }

  async readiness(): Promise<Readiness> {
    try {
      if (!this.#isThere()) {
        return { ready: false, reason: "this logon session has no Credential Manager" };
      }
      await this.names();
      return { ready: true, reason: "it answers" };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.library.close();
    return Promise.resolve();
  }

  /**
   * Returns true when the call succeeds and false when no such item exists. GetLastError is a
   * separate call, and the runtime may have overwritten the error code by then, mostly with 0.
   * @throws ServiceError `unavailable` when the call fails for another reason
   */
  #succeeds(what: string, call: () => number): boolean {
    let code = UNKNOWN;
    for (let tries = 0; tries < TRIES; tries++) {
      if (call() !== 0) return true;
      code = this.#symbols.GetLastError();
      if (code === ERROR_NOT_FOUND) return false;
    }
    // the arguments are valid, so either the item or the whole Credential Manager is missing
    if (code === UNKNOWN && this.#isThere()) return false;
    throw failed(what, code);
  }

  /** Whether this logon session can store credentials. */
  #isThere(): boolean {
    const persistence = new Uint32Array(CRED_TYPE_MAXIMUM);
    return this.#symbols.CredGetSessionTypes(CRED_TYPE_MAXIMUM, persistence) !== 0 &&
      persistence[CRED_TYPE_GENERIC] !== CRED_PERSIST_NONE;
  }
}

/** The service name; `undefined` when the credential is not ours. */
function readName(credential: Deno.PointerObject): string | undefined {
  readBlob(credential).fill(0); // the list contains the secrets too
  return toServiceName(readTargetName(credential));
}

function failed(what: string, code: number): ServiceError {
  const reason = code === UNKNOWN ? "of unknown cause" : `error ${code}`;
  return new ServiceError(
    "unavailable",
    `Cannot use the Credential Manager: it could not ${what} (${reason})`,
  );
}

function tooLarge(service: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot store "${service}": the Credential Manager stores at most ${CRED_MAX_CREDENTIAL_BLOB_SIZE} bytes per item: use --keychain file`,
  );
}

// Converts service names to names of credentials, which ignore case and give `*` a meaning.

const PREFIX = "computer-control:";

/** Characters that {@link toTargetName} keeps: no capitals, because target names ignore case. */
const PLAIN = /^[a-z0-9._-]$/;
const ENCODED = /^(?:[a-z0-9._-]|%[0-9a-f]{2})*$/;

const encoder = new TextEncoder();

const ALL_TARGETS = `${PREFIX}*`;

/** `github` stays readable, `GitHub` becomes `%47it%48ub`; different names never share a target. */
export function toTargetName(service: string): string {
  const bytes = [...encoder.encode(service)];
  return PREFIX + bytes.map((byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}

/** The service name; `undefined` for a target that is not ours. */
export function toServiceName(target: string): string | undefined {
  const encoded = target.slice(PREFIX.length);
  if (!target.startsWith(PREFIX) || !ENCODED.test(encoded)) return undefined;
  return tryTo(() => decodeURIComponent(encoded)); // else it is not UTF-8
}

// Encodes a CREDENTIALW for CredWriteW, and decodes those of CredReadW and CredEnumerateW.

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A generic credential of this user on this computer: a structure and the memory that it points to,
 * which must stay alive as long as the structure.
 */
export function encodeCredential(target: string, user: string, blob: Bytes) {
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

/** The secret of a credential, where it is: the system frees that memory without clearing it. */
export function readBlob(credential: Deno.PointerObject): Bytes {
  const view = new Deno.UnsafePointerView(credential);
  const size = view.getUint32(CREDENTIALW.CredentialBlobSize);
  const start = view.getPointer(CREDENTIALW.CredentialBlob);
  if (start === null || size === 0) return new Uint8Array();
  return new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(start, size));
}

export function readTargetName(credential: Deno.PointerObject): string {
  const name = new Deno.UnsafePointerView(credential).getPointer(CREDENTIALW.TargetName);
  return name === null ? "" : readWideText(name);
}
