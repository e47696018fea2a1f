/** Opens the platform that the service runs on. */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import { log } from "../core/log.ts";
import type { Host } from "./host.ts";
import { openFileSystem } from "./files.ts";
import { type OpenedKeychain, openKeychain } from "./keychain/open_keychain.ts";
import type { Platform } from "./types/mod.ts";
import { missing } from "./capability.ts";

/**
 * Loads the implementation for the operating system. The imports are literal, so that a compiled
 * program contains them, and dynamic, so that no system loads the libraries of another.
 */
export async function openPlatform(host: Host, config: Config): Promise<Platform> {
  switch (host.os) {
    case "linux":
      return await (await import("./linux/mod.ts")).openLinux(host, config);
    case "darwin":
      return await (await import("./macos/mod.ts")).openMacos(host, config);
    case "windows":
      return await (await import("./windows/mod.ts")).openWindows(host, config);
    default: {
      const files = await openFileSystem("linux");
      return openUnsupported(
        `This version cannot control a screen on ${host.os}; it can on Linux with X11`,
        { ...await openKeychain(config, undefined, files), files },
      );
    }
  }
}

/** A system without screen support: every display answers 501 with the reason. */
export function openUnsupported(
  reason: string,
  { keychain, choice, files }: OpenedKeychain & Pick<Platform, "files">,
): Platform {
  const refuse = () => {
    throw new ServiceError("unsupported", reason);
  };
  return {
    system: "linux",
    displays: {
      open: refuse,
      list: () => Promise.try(refuse),
      readiness: () => Promise.resolve({ ready: false, reason }),
    },
    keychain,
    peers: missing("There is no table of connections to look at"),
    processes: missing("This version cannot run commands on this system"),
    processTable: missing("This version cannot follow processes on this system"),
    files,
    browser: missing("This version cannot control a browser on this system"),
    backends: () => [
      { job: "display", chosen: null, reason },
      { job: "input", chosen: null, reason },
      choice,
    ],
    async [Symbol.asyncDispose]() {
      if (keychain.ready) await keychain.use[Symbol.asyncDispose]();
    },
  };
}

/** Prevents commands of the service from reading its memory, where the system supports that. */
export async function protectMemory(host: Pick<Host, "os">): Promise<void> {
  if (host.os !== "linux") return; // macOS and Windows have no equivalent
  try {
    (await import("./linux/process/process_identity.ts")).makeMemoryPrivate();
  } catch (error) {
    log.warn("commands may read the memory of the service", { error: (error as Error).message });
  }
}

/** The system ends this process after these seconds whatever it does, where it offers that. */
export async function endByKernel(host: Pick<Host, "os">, seconds: number): Promise<void> {
  if (host.os !== "linux") return;
  try {
    (await import("./linux/process/process_identity.ts")).endAfter(seconds);
  } catch (error) {
    log.warn("what hangs may keep the service from ending", { error: (error as Error).message });
  }
}

/**
 * Reaps orphaned processes where the service itself, or a process that only waits for it, is the
 * init process of the system or container: otherwise each orphan leaves a zombie in the process
 * table.
 */
export async function collectOrphans(host: Pick<Host, "os">): Promise<Disposable> {
  const nothing = { [Symbol.dispose]() {} };
  if (host.os !== "linux") return nothing;
  try {
    return (await import("./linux/process/process_identity.ts")).collectOrphans();
  } catch (error) {
    const advice = "start the container with --init, or with tini as its first process";
    log.warn("ended processes will not be collected", { error: (error as Error).message, advice });
    return nothing;
  }
}
