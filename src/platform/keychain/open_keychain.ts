/**
 * Chooses where secrets are kept: as `--keychain` says, else in the system's keychain if it works
 * now, else in the encrypted file.
 */

import type { Config } from "../../config/config.ts";
import { available, missing } from "../capability.ts";
import type { BackendChoice, Capability, FileSystem, Keychain, Readiness } from "../types/mod.ts";
import { FileKeychain, keychainPath } from "./file_keychain.ts";

/** The keychain that comes with a system. */
export interface SystemKeychain {
  /** Its name in `--keychain`. */
  readonly kind: "secret-service" | "macos" | "windows";
  /** Its name in a sentence. */
  readonly title: string;
  open(): Promise<Keychain>;
}

/** The keychain of this run, and why it is this one. */
export interface OpenedKeychain {
  readonly keychain: Capability<Keychain>;
  readonly choice: BackendChoice;
}

export async function openKeychain(
  config: Config,
  system: SystemKeychain | undefined,
  files: FileSystem,
): Promise<OpenedKeychain> {
  const { keychain: wanted } = config;
  const openFile = () => {
    const { stateDir, keychainKeyFile: keyFile } = config;
    return new FileKeychain({ path: keychainPath(stateDir), keyFile, files });
  };
  if (wanted === "file") return opened("file", openFile(), "as --keychain asks");
  if (wanted === "auto") return await automatic(system, openFile);
  if (wanted === system?.kind) {
    return opened(wanted, await system.open(), "as --keychain asks");
  }
  const reason = `--keychain ${wanted} is for another system: use auto or file`;
  return { keychain: missing(reason), choice: { job: "keychain", chosen: null, reason } };
}

async function automatic(
  system: SystemKeychain | undefined,
  openFile: () => FileKeychain,
): Promise<OpenedKeychain> {
  if (system === undefined) {
    return opened("file", openFile(), "this system has no keychain of its own");
  }
  const { keychain, state } = await probe(system);
  if (keychain !== undefined && state.ready) return opened(system.kind, keychain, state.reason);
  await keychain?.[Symbol.asyncDispose]();
  const reason = `${system.title} cannot be used: ${state.reason}`;
  return opened("file", openFile(), reason);
}

async function probe(
  system: SystemKeychain,
): Promise<{ readonly keychain?: Keychain; readonly state: Readiness }> {
  try {
    const keychain = await system.open();
    return { keychain, state: await keychain.readiness() };
  } catch (error) {
    return { state: { ready: false, reason: (error as Error).message } };
  }
}

function opened(chosen: string, keychain: Keychain, reason: string): OpenedKeychain {
  return { keychain: available(keychain), choice: { job: "keychain", chosen, reason } };
}
