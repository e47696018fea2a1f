/** Writes a whole file: creates it, or overwrites an existing one if requested. */

import { dirname, resolve } from "node:path";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { isThere, statIfThere } from "../../core/files.ts";
import { existsAlready, type FileAction, fileError, translating } from "./file_errors.ts";
import type { Context } from "../context.ts";
import { resolvePath } from "./paths.ts";
import { type Content, contentOfFile, contentOfText, toContent } from "./safe_write/content.ts";
import { checkIsFile, checkMayBeChanged, Descriptor } from "./safe_write/descriptor.ts";
import {
  finishReplacing,
  needsInPlace,
  replaceFile,
  takePlace,
} from "./safe_write/replace_file.ts";
import type { Writing } from "./safe_write/exchange.ts";
import {
  appearAs,
  createFile,
  type NewFile,
  withNewFile,
  withParents,
} from "./safe_write/temporary.ts";
import { Files } from "./files.ts";

export interface WriteInput {
  readonly path: string;
  readonly content: string;
  readonly encoding: "text" | "base64";
  readonly overwrite: boolean;
}

/** Most links to follow, one after the other. */
const MAX_LINKS = 40;

export async function writeFile(
  { session, config, signal }: Context,
  input: WriteInput,
): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  const content = contentFrom(input);
  await writeTo(path, content, { session, config, signal, overwrite: input.overwrite });
}

type WriteOptions = Pick<Context, "session" | "config" | "signal"> & {
  readonly overwrite: boolean;
};

/**
 * Writes all of the content to an absolute path, or nothing.
 * @throws ServiceError
 */
export async function writeTo(
  path: string,
  content: Content,
  { session, config, signal, overwrite }: WriteOptions,
): Promise<void> {
  const attempt: FileAction = { action: "Cannot write", path, field: "path" };
  await translating(attempt, async () => {
    if (!overwrite && await isThere(path)) throw existsAlready(attempt);
    const target = overwrite ? await resolveTarget(path) : path;
    const files = session.use(Files);
    const maxBytes = config.limits.maxEditBytes;
    const writing = await files.writing();
    await files.locks.runOnFile(target, signal, async () => {
      if (overwrite && await isThere(target)) {
        return await overwriteFile(writing, { attempt, target, content, maxBytes });
      }
      await createFile(writing.journal, target, content);
    });
  });
}

/**
 * Writes all that comes to an absolute path, or nothing. Nobody waits for what still comes: the file
 * is held only while the new one takes its place.
 * @throws ServiceError
 */
export async function receiveTo(
  path: string,
  content: Content,
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<void> {
  const attempt: FileAction = { action: "Cannot write", path, field: "path" };
  await translating(attempt, async () => {
    const target = await resolveTarget(path);
    const files = session.use(Files);
    const writing = await files.writing();
    const isNew = await findReplaced(attempt, target) === undefined;
    const options = { content, mode: isNew ? 0o666 : 0o600 };
    const place = async (file: NewFile) => {
      const info = await findReplaced(attempt, target);
      if (info !== undefined) return await takePlace(writing, { path: target, info }, file);
      await appearAs(target, file);
    };
    const receive = () =>
      withNewFile(writing.journal, target, options, async (file) => {
        await file.made.handle.sync(); // what takes long comes before the lock
        return await files.locks.runOnFile(target, signal, () => place(file));
      });
    const old = await withParents(target, receive).catch((error) => {
      throw !isNew && needsInPlace(error) ? cannotReplace() : error;
    });
    await finishReplacing(target, old);
  });
}

/**
 * The file that will be replaced, where there is one.
 * @throws ServiceError for what cannot be replaced
 */
async function findReplaced(
  attempt: FileAction,
  target: string,
): Promise<Deno.FileInfo | undefined> {
  const info = await statIfThere(target);
  if (info === undefined) return undefined;
  checkIsFile(attempt, info);
  if ((info.nlink ?? 1) > 1) throw cannotReplace();
  await checkMayBeChanged(target);
  return info;
}

/** For a file that must be written in place, which takes its new bytes twice. */
function cannotReplace(): ServiceError {
  const state = "it has other names (hard links), or its folder lets no other file take its place";
  return new ServiceError(
    "conflict",
    `Cannot replace the file: ${state}: write it by filesystem/write, which writes into it`,
  );
}

/** @throws FieldError on `content` */
function contentFrom({ content, encoding }: WriteInput): Content {
  if (encoding === "text") return contentOfText(content);
  try {
    return toContent(Uint8Array.fromBase64(content));
  } catch {
    throw new FieldError("content", "Content is not valid Base64");
  }
}

interface Overwriting {
  readonly attempt: FileAction;
  readonly target: string;
  readonly content: Content;
  /**
   * The limit for a file that must be written in place, because that requires a copy of it first.
   */
  readonly maxBytes: number;
}

/**
 * The old bytes are read only if they are needed for a restore, and then copied from file to file.
 */
async function overwriteFile(
  writing: Writing,
  { attempt, target, content, maxBytes }: Overwriting,
): Promise<void> {
  const info = await Deno.stat(target);
  checkIsFile(attempt, info);
  await checkMayBeChanged(target);
  // without writing: whoever replaces the file waits until no program holds the old one for writing
  await using file = await Descriptor.open(target, "read");
  await file.checkIs(info);
  const old = () => {
    if (info.size <= maxBytes) return contentOfFile(file, info.size);
    const state = `it must be overwritten in place, and its ${info.size} bytes are more than the ` +
      `${maxBytes} that are kept for that`;
    throw fileError(attempt, "too_large", state);
  };
  await replaceFile(writing, { path: target, info, old }, content);
}

/** The path that receives the bytes: the target behind all links, which need not exist yet. */
async function resolveTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await Deno.realPath(target);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return target;
      const link = await Deno.readLink(target).catch(() => undefined);
      if (link === undefined) return target; // nothing, or what has been made since
      target = resolve(dirname(target), link);
    }
  }
  return target;
}
