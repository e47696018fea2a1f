/** Turns list, search and tree requests into tasks for a worker. */

import { FieldError, ServiceError } from "../../core/errors.ts";
import { type FileAction, systemCode, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import type { Streamed } from "../streamed.ts";
import { resolvePath } from "./paths.ts";
import { TOO_COMPLEX, type WalkTask } from "./walk/protocol.ts";
import { Files } from "./files.ts";

export interface ListInput {
  readonly path: string;
  readonly include_hidden: boolean;
  readonly pattern: string | null;
}

export function listDirectory(context: Context, input: ListInput): Promise<Streamed> {
  return walk(context, { action: "Cannot list", field: "path" }, {
    kind: "list",
    root: resolvePath(input.path, context.config.home, "path"),
    includeHidden: input.include_hidden,
    pattern: input.pattern,
  });
}

export interface SearchInput {
  readonly root_path: string;
  readonly pattern: string;
  readonly max_results: number;
  readonly include_hidden: boolean;
}

export function searchFiles(context: Context, input: SearchInput): Promise<Streamed> {
  return walk(context, { action: "Cannot search", field: "root_path" }, {
    kind: "search",
    root: resolvePath(input.root_path, context.config.home, "root_path"),
    includeHidden: input.include_hidden,
    pattern: input.pattern,
    maxResults: input.max_results,
  });
}

export interface TreeInput extends ListInput {
  readonly max_depth: number;
  readonly max_entries: number;
}

export function getDirectoryTree(context: Context, input: TreeInput): Promise<Streamed> {
  return walk(context, { action: "Cannot show", field: "path" }, {
    kind: "tree",
    root: resolvePath(input.path, context.config.home, "path"),
    includeHidden: input.include_hidden,
    pattern: input.pattern,
    maxDepth: input.max_depth,
    maxEntries: input.max_entries,
  });
}

async function walk(
  { session, signal }: Context,
  attempt: { readonly action: string; readonly field: string },
  task: WalkTask,
): Promise<Streamed> {
  const walked = { ...attempt, path: task.root };
  return await translating(walked, async () => {
    checkIsFolder(walked, await Deno.stat(task.root));
    try {
      return await session.use(Files).walkers.walk(task, signal);
    } catch (error) {
      throw systemCode(error) === TOO_COMPLEX ? patternError(error as Error) : error;
    }
  });
}

function checkIsFolder({ action, path }: FileAction, info: Deno.FileInfo): void {
  if (info.isDirectory) return;
  const message = `${action} ${JSON.stringify(path)}: it is a file, not a folder`;
  throw new ServiceError("not_a_directory", message);
}

function patternError({ message }: Error): FieldError {
  return new FieldError("pattern", `Pattern is too complex: its ${message}`);
}
