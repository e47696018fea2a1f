/** Makes ports of what may be missing on this computer, and requires them. */

import { ServiceError } from "../core/errors.ts";

/** A capability, or the reason why this system lacks it. */
export type Capability<T> =
  | Available<T>
  | { readonly ready: false; readonly reason: string };

/** A port that every display of a driver has. */
export interface Available<T> {
  readonly ready: true;
  readonly use: T;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}

/**
 * Opens a library of which a function, or all of it, may be missing.
 * @param otherwise what does not work without the port: half a sentence, before `open`'s error
 */
export function openCapability<T>(open: () => T, otherwise: string): Capability<T> {
  try {
    return { ready: true, use: open() };
  } catch (error) {
    return { ready: false, reason: `${otherwise}: ${(error as Error).message}` };
  }
}

/**
 * Ports that open at their first use: a library is not loaded for a call that nobody makes.
 * @param open how to open each port
 */
export function lazyCapabilities<T extends Readonly<Record<string, () => unknown>>>(
  open: T,
  otherwise: string,
): LazyCapabilities<T> {
  const ports = {};
  for (const [name, openOne] of Object.entries(open)) {
    let port: Capability<unknown> | undefined;
    const get = () => port ??= openCapability(openOne, otherwise);
    Object.defineProperty(ports, name, { get, enumerable: true });
  }
  return ports as LazyCapabilities<T>;
}

type LazyCapabilities<T extends Readonly<Record<string, () => unknown>>> = {
  readonly [Name in keyof T]: Capability<ReturnType<T[Name]>>;
};

export function available<T>(use: T): Available<T> {
  return { ready: true, use };
}

export function missing(reason: string): { readonly ready: false; readonly reason: string } {
  return { ready: false, reason };
}

/** What the system lacks is a reason; any other error is thrown. */
export async function capabilityOf<T>(opening: Promise<T>): Promise<Capability<T>> {
  try {
    return available(await opening);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "unsupported")) throw error;
    return missing(error.message);
  }
}

/** @throws ServiceError `unsupported`, with the reason why the system lacks it. */
export function requireCapability<T>(port: Capability<T>): T {
  if (!port.ready) throw new ServiceError("unsupported", port.reason);
  return port.use;
}

// Explains to the caller why a command could not be started.

/** @throws ServiceError when the folder cannot be the working directory. */
export function checkFolder(folder: string): void {
  const start = `Cannot run a command in "${folder}"`;
  let isDirectory: boolean;
  try {
    ({ isDirectory } = Deno.statSync(folder));
  } catch (cause) {
    if (cause instanceof Deno.errors.PermissionDenied) {
      throw new ServiceError("permission_denied", `${start}: the service may not enter it`, {
        cause,
      });
    }
    if (cause instanceof Deno.errors.NotADirectory) {
      throw new ServiceError("not_a_directory", `${start}: a part of it is not a folder`, {
        cause,
      });
    }
    throw new ServiceError("not_found", `${start}: there is no such folder`, { cause });
  }
  if (!isDirectory) throw new ServiceError("not_a_directory", `${start}: it is not a folder`);
}

/** The error for a spawn that failed although its working directory exists. */
export function startFailure(cause: unknown, folder: string): ServiceError {
  const { code, message } = cause as { code?: string; message: string };
  if (code === "E2BIG") {
    const text =
      "Cannot start the command: with its environment it is larger than the system allows";
    return new ServiceError("too_large", text, { cause });
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    const text = `Cannot run a command in "${folder}": the service may not enter it`;
    return new ServiceError("permission_denied", text, { cause });
  }
  const reason = message.replace(/^Failed to spawn '[^']*': /, "");
  return new ServiceError("unavailable", `Cannot start a process now: ${reason}`, { cause });
}
