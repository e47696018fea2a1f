/** The Credential Manager of Windows: one generic credential for each service. */

import {
  CRED_MAX_CREDENTIAL_BLOB_SIZE,
  CRED_TYPE_GENERIC,
  type CredentialManager,
  ERROR_NOT_FOUND,
  openCredentialManager,
} from "../../../ffi/windows/advapi32.ts";
import { wideText } from "../../../ffi/memory.ts";
import { ServiceError } from "../../errors.ts";
import type { SystemKeychain } from "../keychain/open_keychain.ts";
import type { Keychain, Readiness } from "../types.ts";
import { blobOf, encodeCredential, targetOf } from "./credential.ts";

/** Target names begin with this, and the service name follows. */
const PREFIX = "computer-control:";
const POINTER_BYTES = 8;

export function windowsKeychain(): SystemKeychain {
  return {
    kind: "windows",
    title: "the Credential Manager",
    open: () => Promise.resolve().then(() => new WindowsKeychain(openCredentialManager())),
  };
}

/** Errors are told by GetLastError, which is asked right after the call, before anything else runs. */
class WindowsKeychain implements Keychain {
  readonly #symbols: CredentialManager;

  constructor(private readonly library: ReturnType<typeof openCredentialManager>) {
    this.#symbols = library.symbols;
  }

  read(service: string): Promise<string | undefined> {
    return Promise.resolve().then(() => this.#read(service));
  }

  async write(service: string, secret: string): Promise<void> {
    const blob = new TextEncoder().encode(secret);
    if (blob.byteLength > CRED_MAX_CREDENTIAL_BLOB_SIZE) throw tooLarge(service);
    const credential = encodeCredential(PREFIX + service, service, blob);
    const done = this.#symbols.CredWriteW(credential.struct, 0);
    const code = this.#symbols.GetLastError();
    if (done === 0) throw failed("store an item", code);
    await Promise.resolve(credential); // its memory is needed until here
  }

  async remove(service: string): Promise<void> {
    const done = this.#symbols.CredDeleteW(wideText(PREFIX + service), CRED_TYPE_GENERIC, 0);
    const code = this.#symbols.GetLastError();
    if (done === 0 && code !== ERROR_NOT_FOUND) throw failed("delete an item", code);
    await Promise.resolve();
  }

  names(): Promise<string[]> {
    return Promise.resolve().then(() => this.#names());
  }

  async readiness(): Promise<Readiness> {
    try {
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

  #read(service: string): string | undefined {
    const found = new BigUint64Array(1);
    const target = wideText(PREFIX + service);
    const done = this.#symbols.CredReadW(target, CRED_TYPE_GENERIC, 0, found);
    const code = this.#symbols.GetLastError();
    if (done === 0) {
      if (code === ERROR_NOT_FOUND) return undefined;
      throw failed("read an item", code);
    }
    const credential = Deno.UnsafePointer.create(found[0]!)!;
    try {
      return new TextDecoder().decode(blobOf(credential));
    } finally {
      this.#symbols.CredFree(credential);
    }
  }

  #names(): string[] {
    const count = new Uint32Array(1);
    const found = new BigUint64Array(1);
    const done = this.#symbols.CredEnumerateW(wideText(`${PREFIX}*`), 0, count, found);
    const code = this.#symbols.GetLastError();
    if (done === 0) {
      if (code === ERROR_NOT_FOUND) return []; // there is none yet
      throw failed("list the items", code);
    }
    const list = Deno.UnsafePointer.create(found[0]!)!;
    try {
      const view = new Deno.UnsafePointerView(list);
      return Array.from({ length: count[0]! }, (_, index) => view.getPointer(index * POINTER_BYTES))
        .filter((credential) => credential !== null)
        .map((credential) => targetOf(credential).slice(PREFIX.length));
    } finally {
      this.#symbols.CredFree(list);
    }
  }
}

function failed(what: string, code: number): ServiceError {
  return new ServiceError(
    "unavailable",
    `Cannot use the Credential Manager: it could not ${what} (error ${code})`,
  );
}

function tooLarge(service: string): ServiceError {
  return new ServiceError(
    "too_large",
    `Cannot store "${service}": the Credential Manager takes ${CRED_MAX_CREDENTIAL_BLOB_SIZE} bytes for an item: use --keychain file`,
  );
}
