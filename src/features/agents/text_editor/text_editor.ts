/**
 * The text editor that models are trained on, in each version of Anthropic's tool: for that
 * vendor's calls and for the Model Context Protocol.
 */

import { z } from "zod";
import { hasCode, ServiceError } from "../../../core/errors.ts";
import { EventLoopYielder } from "../../../core/event_loop_yielder.ts";
import type { TreeNode } from "../../filesystem/operations.ts";
import { actionOn, type ActionTable, callOperation, readAction, readFields } from "../actions.ts";
import { createText, insertAfter, replaceOnce, type TextFile, viewText } from "./text_file.ts";

/** The day of the version; only the oldest has `undo_edit`. */
export type EditorVersion = "2025-07-28" | "2025-04-29" | "2025-01-24";

interface EditorOptions {
  readonly version: EditorVersion;
  readonly maxCharacters?: number;
}

interface Editing extends EditorOptions {
  readonly file: TextFile;
}

const command = actionOn<Editing, string>();

const Path = z.string().min(1).max(16_384);
const Range = z.array(z.int()).length(2);
const Line = z.int().min(0).max(2 ** 31 - 2);

const Replace = z.object({ old_str: z.string().min(1), new_str: z.string().default("") });

/** Older versions call the inserted text `new_str`, the newest `insert_text`: both are taken. */
const Insert = z.object({
  insert_line: Line,
  insert_text: z.string().optional(),
  new_str: z.string().optional(),
});

const COMMANDS = {
  view: command(z.object({ view_range: Range.optional() }), view),
  create: command(z.object({ file_text: z.string().default("") }), ({ file }, { file_text }) => {
    const exists =
      `File already exists at: ${file.shown}. Cannot overwrite files using command \`create\`.`;
    return createText(file, file_text, exists);
  }),
  str_replace: command(
    Replace,
    ({ file }, { old_str, new_str }) =>
      replaceOnce(file, { oldText: old_str, newText: new_str, done: edited(file) }),
  ),
  insert: command(Insert, ({ file, version }, { insert_line, insert_text, new_str }) => {
    const text = insert_text ?? new_str;
    if (text === undefined) {
      const field = version === "2025-07-28" ? "insert_text" : "new_str";
      throw new ServiceError("invalid", `${field}: Field required`);
    }
    return insertAfter(file, insert_line, { text, done: edited(file) });
  }),
  undo_edit: command(z.object({}), async ({ file }) => {
    await callOperation(file.context, "undoEdit", { path: file.path });
    return `Last edit to ${file.shown} undone successfully.`;
  }),
} satisfies ActionTable<Editing, string>;

const { undo_edit: _undo, ...WITHOUT_UNDO } = COMMANDS;

/**
 * What the model reads after a command.
 * @throws ServiceError with what it can do instead
 */
export async function runTextEditor(
  context: TextFile["context"],
  input: unknown,
  options: EditorOptions,
): Promise<string> {
  const { command: name, path, ...fields } = readFields(Common, input, "the text editor");
  const table = options.version === "2025-01-24" ? COMMANDS : WITHOUT_UNDO;
  const chosen = readAction<Editing, string>(table, { name, fields }, describeUnknown);
  try {
    return await chosen.run({ ...options, file: { context, shown: path, path } });
  } catch (error) {
    if (!hasCode(error, "not_found") || name === "undo_edit") throw error;
    const message = `The path ${path} does not exist. Please provide a valid path.`;
    throw new ServiceError("not_found", message);
  }
}

const Common = z.looseObject({ command: z.string(), path: Path });

function describeUnknown(name: string, known: readonly string[]): string {
  return `There is no command ${name} in this version of the tool; there are ${known.join(", ")}`;
}

async function view(
  { file, maxCharacters: max }: Editing,
  { view_range: range }: { readonly view_range?: readonly number[] | undefined },
): Promise<string> {
  try {
    return await viewText(file, { range, max });
  } catch (error) {
    if (!hasCode(error, "is_a_directory")) throw error;
  }
  if (range === undefined) return await listFolder(file);
  throw new ServiceError(
    "invalid",
    "The `view_range` parameter is not allowed when `path` points to a directory.",
  );
}

function edited({ shown }: TextFile): string {
  return `The file ${shown} has been edited.`;
}

// Lists a folder two levels deep, as models are trained to read it.

const MAX_ENTRIES = 1_000;
const DEPTH = 2;
const LEFT_OUT = "node_modules";
const UNITS = ["B", "K", "M", "G", "T"];
const STEP = 1024;

type Node = z.output<typeof TreeNode>;

/** An entry by the path that the model knows, and by its path on this computer. */
interface Entry extends Node {
  readonly shown: string;
  readonly path: string;
  readonly depth: number;
}

/** Sizes and paths; hidden entries and `node_modules` are left out. */
export async function listFolder({ context, shown, path }: TextFile): Promise<string> {
  const options = { max_depth: DEPTH, max_entries: MAX_ENTRIES };
  const root = await callOperation(context, "getDirectoryTree", { path, ...options }) as Node;
  const entries = entriesBelow({ ...root, shown, path, depth: 0 });
  const yielder = new EventLoopYielder();
  const lines: string[] = [];
  for (const entry of entries) {
    lines.push(`${await describeSize(entry.path)}\t${entry.shown}${mark(entry)}`);
    context.signal.throwIfAborted();
    await yielder.yieldIfDue();
  }
  if (root.truncated) lines.push(`[more entries: only ${root.children?.length} are listed]`);
  return [
    `Here're the files and directories up to 2 levels deep in ${shown}, ` +
    "excluding hidden items and node_modules:",
    shown,
    ...lines,
  ].join("\n");
}

function entriesBelow({ children = [], shown, path, depth }: Entry): Entry[] {
  return children.filter(({ name }) => name !== LEFT_OUT)
    .toSorted((a, b) => a.name < b.name ? -1 : 1)
    .flatMap((node) => {
      const paths = { shown: join(shown, node.name), path: join(path, node.name) };
      const entry = { ...node, ...paths, depth: depth + 1 };
      return [entry, ...entriesBelow(entry)];
    });
}

/** Folders of the lowest level are never entered. */
function mark({ type, truncated, depth }: Entry): string {
  if (type !== "directory") return "";
  return truncated && depth < DEPTH ? "/ [not listed: too many entries, or not readable]" : "/";
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** `1.5K`; of a link its own size, because what it leads to may be anywhere. */
async function describeSize(path: string): Promise<string> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) return "?"; // it has gone meanwhile
  let [size, unit] = [info.size, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`;
}
