/** An entry of the filesystem as clients see it. */

import { basename, dirname } from "node:path";
import { z } from "zod";
import type { ServiceError } from "../../core/errors.ts";
import type { FileSystem } from "../../platform/types/mod.ts";
import { fileError } from "./file_errors.ts";
import { realEntryPath } from "./paths.ts";

export const Entry = z.object({
  name: z.string(),
  path: z.string().describe("The full path."),
  type: z.enum(["file", "directory"]).describe(
    "The type; a symbolic link counts as its target, and broken links, FIFOs, sockets and devices count as files.",
  ),
  size: z.int().describe("The size, in bytes."),
  modified_time: z.string().describe(
    "Local time without a time zone, `YYYY-MM-DDTHH:MM:SS[.ffffff]`.",
  ),
  is_hidden: z.boolean().describe(
    "If true, the name starts with a dot, or on Windows the file has the hidden attribute.",
  ),
  extension: z.string().nullable().describe(
    "The extension, without the dot; `null` for folders and files without one.",
  ),
});

export type EntryFields = z.output<typeof Entry>;

/** The properties that an entry is made from. */
interface Facts extends Pick<Deno.FileInfo, "isDirectory" | "size" | "mtime"> {
  /** Whether the system hides it by an attribute. */
  readonly isMarkedHidden?: boolean | undefined;
}

export function toEntry(path: string, facts: Facts): EntryFields {
  const name = basename(path) || path;
  return {
    name,
    path,
    type: facts.isDirectory ? "directory" : "file",
    size: facts.size,
    modified_time: localTime(facts.mtime ?? new Date(0)),
    is_hidden: facts.isMarkedHidden || isHidden(name),
    extension: facts.isDirectory ? null : findExtension(name),
  };
}

export function isHidden(name: string): boolean {
  return name.charCodeAt(0) === 46;
}

/** `.bashrc` has none, `a.tar.gz` has `gz`. */
function findExtension(name: string): string | null {
  const visible = name.replace(/^\.+/, "");
  const dot = visible.lastIndexOf(".");
  return dot <= 0 || dot === visible.length - 1 ? null : visible.slice(dot + 1);
}

function localTime(time: Date): string {
  const date = `${padded(time.getFullYear(), 4)}-${padded(time.getMonth() + 1)}-${
    padded(time.getDate())
  }`;
  const clock = `${padded(time.getHours())}:${padded(time.getMinutes())}:${
    padded(time.getSeconds())
  }`;
  const ms = time.getMilliseconds();
  return `${date}T${clock}${ms === 0 ? "" : `.${padded(ms, 3)}000`}`;
}

function padded(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}

// Protects mount points from deletion: what is below them is not part of the folder.

/**
 * @throws ServiceError `conflict` when the folder is a mount point, or contains one where the
 * system reports them.
 */
export async function checkNoMounts(
  action: string,
  path: string,
  { mountPoints }: Pick<FileSystem, "mountPoints">,
): Promise<void> {
  const info = await Deno.lstat(path);
  if (!info.isDirectory) return;
  const real = await realEntryPath(path);
  const { dev } = await Deno.stat(dirname(real));
  if (dev !== info.dev) throw isMounted(action, path, real);
  const points = mountPoints.ready ? await mountPoints.use() : [];
  const mounted = points.find((each) => each === real || each.startsWith(`${real}/`));
  if (mounted !== undefined) throw isMounted(action, path, mounted);
}

function isMounted(action: string, path: string, mounted: string): ServiceError {
  const state = `a file system is mounted at ${JSON.stringify(mounted)}; nothing was removed: ` +
    "unmount it first";
  return fileError({ action, path }, "conflict", state);
}
