/** Defines the editor operations as data. */

import { z } from "zod";
import type { Limits } from "../../config/limits.ts";
import type { Context } from "../context.ts";
import { type FileAction, fileError, translating } from "../filesystem/file_errors.ts";
import { PathField, resolvePath } from "../filesystem/paths.ts";
import { contentOfText } from "../filesystem/safe_write/content.ts";
import { createFile as createWithContent } from "../filesystem/safe_write/temporary.ts";
import {
  checkIsFile,
  checkMayBeChanged,
  resolveLinks,
} from "../filesystem/safe_write/descriptor.ts";
import { definingWith, FILE_ERRORS, json, noContent, type Operation } from "../operation.ts";
import type { Change, EditResult } from "./edit_task.ts";
import { viewFile } from "./view_file.ts";
import { Edits } from "./edits.ts";
import { checkSize } from "./execute_edit.ts";
import { Files } from "../filesystem/files.ts";

const MAX_LINE = 2 ** 31 - 1;
/** More than models write; reading this much takes a few milliseconds. */
const MAX_DIFF_LENGTH = 1_000_000;

const FILE = PathField("path of the file");

export function editorOperations(limits: Limits): readonly Operation[] {
  const errors = {
    ...FILE_ERRORS,
    too_large: `The file is larger than ${limits.maxEditBytes} bytes, or would become larger.`,
  };
  const define = definingWith({ group: "editor", method: "POST", readOnly: false, errors });
  const safe = "A crash at any moment leaves the old file or the new one; mode, owner, extended " +
    "attributes and symbolic links are kept. Edits of one file run one after the other.";
  return [
    define({
      id: "viewFile",
      readOnly: true,
      large: true,
      path: "/api/editor/view",
      summary: "Read a text file, or a range of its lines",
      description:
        "Returns the lines as they are in the file, with their line breaks and the byte " +
        "order mark, so that consecutive ranges together are the file. Bytes that are not UTF-8 become " +
        "U+FFFD. A last line beyond the end means the last line; a first line beyond the end is an error.",
      body: z.object({
        path: FILE,
        view_range: z.array(z.int().min(-1).max(MAX_LINE)).min(2).max(2).nullable().default(null)
          .describe(
            "The first and the last line, counted from 1; a last line of -1 means the end of the file.",
          ),
      }),
      answer: json("The text of the file, or of the lines.", z.string()),
      errors: {
        ...FILE_ERRORS,
        too_large: `The text is larger than ${limits.maxViewBytes} bytes.`,
      },
      run: viewFile,
    }),
    define({
      id: "createFile",
      path: "/api/editor/create",
      summary: "Create a text file",
      description: "Creates missing parent folders. Never replaces an existing file.",
      body: z.object({
        path: FILE,
        file_text: z.string().nullable().default(null).describe(
          "The text of the file; `null` creates an empty one.",
        ),
      }),
      answer: noContent("The file was created."),
      errors: { ...FILE_ERRORS, already_exists: "The file already exists." },
      run: createFile,
    }),
    define({
      id: "replaceString",
      path: "/api/editor/str-replace",
      summary: "Replace every occurrence of a text in a file",
      description:
        "Replaces all occurrences, from left to right; all other bytes stay as they are. " +
        `At most ${limits.maxReplacements} are replaced at once. ${safe}`,
      body: z.object({
        path: FILE,
        old_str: z.string().min(1).describe("The text to replace, exactly as it is in the file."),
        new_str: z.string().describe("The new text; may be empty."),
        unique: z.boolean().default(false).describe(
          "If true, a text that occurs more than once is an error, and nothing is replaced.",
        ),
      }),
      answer: noContent("Every occurrence was replaced."),
      run: replaceString,
    }),
    define({
      id: "insertText",
      path: "/api/editor/insert",
      summary: "Insert lines into a file",
      description:
        "Adds a line break, of the kind that the file uses, if the text does not end with one. " +
        "Text appended to a file that does not end with a line break gets one before it and none after. " +
        `A byte order mark stays first. ${safe}`,
      body: z.object({
        path: FILE,
        text: z.string().describe("One or more lines."),
        insert_line: z.int().min(0).max(MAX_LINE).nullable().default(null)
          .describe(
            "The line number of the first inserted line: 0 and 1 insert at the top, `null` appends.",
          ),
      }),
      answer: noContent("The text was inserted."),
      run: (context, { path, text, insert_line }) =>
        edit(context, path, { kind: "insert", text, line: insert_line ?? undefined }),
    }),
    define({
      id: "applyPatch",
      path: "/api/editor/apply-patch",
      summary: "Apply a diff to a file",
      description:
        "Takes the V4A format of OpenAI's `apply_patch`, for one file: sections that begin with `@@` and an optional " +
        "anchor (a line of the file above the change), of lines that begin with a space (kept), `-` (removed) or `+` " +
        "(added); `*** End of File` ends a section at the end of the file. Headers of unified diffs are accepted, " +
        "too. Lines are compared exactly, otherwise without trailing blanks. All sections are located before anything is " +
        "changed: a section whose lines do not occur, or occur several times without an anchor that occurs " +
        `once, is an error. Line breaks, and a missing one at the end, stay as they are. ${safe}`,
      body: z.object({
        path: FILE,
        diff: z.string().min(1).max(MAX_DIFF_LENGTH).describe("The sections of the diff."),
      }),
      answer: noContent("The diff was applied."),
      run: (context, { path, diff }) => edit(context, path, { kind: "patch", diff }),
    }),
    define({
      id: "undoEdit",
      path: "/api/editor/undo-edit",
      summary: "Undo the last edit of a file",
      description:
        "Undoes the last create, str-replace, insert or apply-patch of this service since its start; " +
        "call it again to undo the one before. Undoing a create removes the file. " +
        `The history of all files together uses at most ${limits.maxUndoBytes} bytes of memory; ` +
        "the oldest edits are forgotten first.",
      body: z.object({ path: FILE }),
      answer: noContent("The last edit was undone."),
      errors: {
        ...errors,
        not_found: "The file does not exist, or has no edit to undo.",
        conflict: "Another program has changed the file since the edit, or the system is using it.",
      },
      run: undoEdit,
    }),
  ];
}

/** Changes an existing file; on a failure it is untouched. */
async function edit(context: Context, text: string, change: Change): Promise<void> {
  const path = resolvePath(text, context.config.home, "path");
  await changeLocked(context, { action: "Cannot edit", path, field: "path" }, () => change);
}

interface Replacement {
  readonly path: string;
  readonly old_str: string;
  readonly new_str: string;
  readonly unique?: boolean;
}

export async function replaceString(context: Context, input: Replacement): Promise<void> {
  await edit(context, input.path, {
    kind: "replace",
    oldText: input.old_str,
    newText: input.new_str,
    unique: input.unique ?? false,
    limit: context.config.limits.maxReplacements,
  });
}

async function undoEdit(context: Context, input: { readonly path: string }): Promise<void> {
  const { history } = context.session.use(Edits);
  const path = resolvePath(input.path, context.config.home, "path");
  const attempt: FileAction = { action: "Cannot undo in", path, field: "path" };
  await changeLocked(context, attempt, (real) => {
    const edit = history.last(real);
    if (edit !== undefined) return { kind: "undo", edit };
    const state = "there is no edit to undo (edits since the start of the service are kept, " +
      "up to 64 MiB)";
    throw fileError(attempt, "not_found", state);
  });
}

// Performs one edit of one file: under the lock of the file, within the memory budget for edits, and
// recorded for undo.

/**
 * Changes an existing file; requests the change with the real path, while no other request of this
 * service edits the file.
 * @throws ServiceError; the file is then untouched.
 */
async function changeLocked(
  context: Context,
  attempt: FileAction,
  changeOf: (path: string) => Change,
): Promise<void> {
  const { session, config, signal } = context;
  const files = session.use(Files);
  const edits = session.use(Edits);
  const path = await resolveLinks(attempt);
  await translating(attempt, () =>
    files.locks.runOnFile(path, signal, async () => {
      const info = await Deno.stat(path);
      checkIsFile(attempt, info);
      await checkMayBeChanged(path);
      const { maxEditBytes: maxBytes } = config.limits;
      checkSize(attempt, info.size, maxBytes);
      const change = changeOf(path);
      const edit = async () => {
        const writing = await files.writing();
        const task = { path, attempt, maxBytes, change };
        return await edits.run(task, { writing, size: info.size, signal });
      };
      const outcome = await edits.budget.run(edit, signal, { size: info.size });
      const named = await Deno.realPath(path).catch(() => path); // an open folder has no lasting name
      remember(context, named, outcome);
    }));
}

function remember({ session }: Context, path: string, outcome: EditResult): void {
  const { history } = session.use(Edits);
  if (outcome === "undone") history.removeLast(path);
  else if (outcome !== "unchanged") history.add(path, outcome);
}

interface NewFile {
  readonly path: string;
  readonly file_text?: string | null | undefined;
}

async function createFile({ session, config, signal }: Context, input: NewFile): Promise<void> {
  const path = resolvePath(input.path, config.home, "path");
  const content = contentOfText(input.file_text ?? "");
  const files = session.use(Files);
  const edits = session.use(Edits);
  const { journal } = await files.writing();
  await translating({ action: "Cannot create", path, field: "path" }, async () => {
    await files.locks.run(path, signal, async () => {
      const after = await createWithContent(journal, path, content);
      const real = await Deno.realPath(path); // a folder above may be a link
      edits.history.forget(real);
      edits.history.add(real, { undo: "remove", after });
    });
  });
}
