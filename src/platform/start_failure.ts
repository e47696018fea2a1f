/** Explains to the caller why a command could not be started. */

import { ServiceError } from "../core/errors.ts";

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
      throw new ServiceError("not_a_directory", `${start}: a part of it is no folder`, { cause });
    }
    throw new ServiceError("not_found", `${start}: there is no such folder`, { cause });
  }
  if (!isDirectory) throw new ServiceError("not_a_directory", `${start}: it is no folder`);
}

/** The error for a spawn that failed although its working directory exists. */
export function startFailure(cause: unknown, folder: string): ServiceError {
  const { code, message } = cause as { code?: string; message: string };
  if (code === "E2BIG") {
    const text =
      "Cannot start the command: with its environment it is larger than the system takes";
    return new ServiceError("too_large", text, { cause });
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    const text = `Cannot run a command in "${folder}": the service may not enter it`;
    return new ServiceError("permission_denied", text, { cause });
  }
  const reason = message.replace(/^Failed to spawn '[^']*': /, "");
  return new ServiceError("unavailable", `Cannot start a process now: ${reason}`, { cause });
}
