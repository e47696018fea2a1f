/** A program for the crash tests: starts as the service does, then edits one file again and again until it is killed. */

import { replaceString } from "../../../src/features/editor/operations.ts";
import { Files } from "../../../src/features/filesystem/files.ts";
import type { Context } from "../../../src/features/context.ts";
import { Session } from "../../../src/features/session.ts";
import type { Platform } from "../../../src/platform/types/mod.ts";
import { openLinuxFileSystem } from "../../../src/platform/linux/files/file_system.ts";
import { DEFAULT_LIMITS } from "../../../src/config/limits.ts";

/** Every line of the file carries the number of its version. */
export function versionWord(version: number): string {
  return `version-${String(version).padStart(8, "0")}`;
}

if (import.meta.main) {
  const [path, stateDir] = Deno.args as [string, string];
  const platform = { system: "linux", files: openLinuxFileSystem() } as const;
  const session = new Session(platform as Platform, DEFAULT_LIMITS, { stateDir });
  await session.use(Files).recover({ info() {}, warn: (_event, fields) => console.error(fields) });
  const [, found] = (await Deno.readTextFile(path)).match(/version-(\d{8})/)!;
  const context = {
    session,
    config: { home: "/", limits: DEFAULT_LIMITS },
    signal: new AbortController().signal,
  } as unknown as Context;
  for (let version = Number(found);; version++) {
    const [old_str, new_str] = [versionWord(version), versionWord(version + 1)];
    await replaceString(context, { path, old_str, new_str });
    if (version === Number(found)) console.log("editing"); // the first one also starts a worker
  }
}
