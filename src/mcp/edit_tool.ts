/** The text editor as models are trained to use it: `str_replace_based_edit_tool`. */

import { z } from "zod";
import { ServiceError, ValueFault } from "../core/errors.ts";
import type { Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
import { findLinesOf } from "../features/editor/find_lines_of.ts";
import { PathField } from "../features/filesystem/path.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json } from "../features/outcomes.ts";
import { callInside, INSIDE_ERRORS, valueInside } from "./call_inside.ts";
import { shorten } from "./shorten.ts";

const MAX_LINE = 2 ** 31 - 2;
/** Depth of a folder's listing. */
const DEPTH = 2;
const MAX_LISTED = 1_000;
/** Lines named where a text occurs several times. */
const MAX_NAMED = 10;
/** Characters shown of a file, and bytes read of one that is too long to read whole. */
const MAX_SHOWN = 60_000;
const MAX_START_BYTES = 128 * 1024;

const VIEW = ["view"] as const;
const ALL = ["view", "create", "str_replace", "insert"] as const;

interface EditInput {
  readonly command: typeof ALL[number];
  readonly path: string;
  readonly view_range?: readonly number[] | undefined;
  readonly file_text?: string | undefined;
  readonly old_str?: string | undefined;
  readonly new_str?: string | undefined;
  readonly insert_line?: number | undefined;
  readonly insert_text?: string | undefined;
}

/** @param readOnly whether it can only view */
export function editTool(calls: Calls, { readOnly }: { readonly readOnly: boolean }): Operation {
  return defineOperation({
    id: "str_replace_based_edit_tool",
    group: "editor",
    method: "POST",
    readOnly,
    errors: INSIDE_ERRORS,
    path: "/mcp/str_replace_based_edit_tool",
    summary: readOnly ? "View text files and folders" : "View, create and edit text files",
    description: readOnly
      ? "Shows a file with line numbers, or what a folder holds."
      : "`view` shows a file with line numbers, or what a folder holds; `create` makes a new file; `str_replace` replaces `old_str`, which must occur exactly once; `insert` puts `insert_text` after line `insert_line` (0: at the top).",
    body: z.object({
      command: z.enum(readOnly ? VIEW : ALL),
      path: PathField("path of the file or folder"),
      view_range: z.array(z.int().min(-1).max(MAX_LINE)).min(2).max(2).optional()
        .describe("First and last line, from 1; a last of -1 is the end."),
      ...(readOnly ? {} : {
        file_text: z.string().optional().describe("For `create`."),
        old_str: z.string().optional().describe("For `str_replace`: exactly as in the file."),
        new_str: z.string().optional().describe("For `str_replace`; without it, it is deleted."),
        insert_line: z.int().min(0).max(MAX_LINE).optional().describe("For `insert`."),
        insert_text: z.string().optional().describe("For `insert`."),
      }),
    }),
    answer: json("The text, or what was done.", z.string()),
    run: (context, input) => COMMANDS[input.command](calls, context, input as EditInput),
  });
}

type Command = (calls: Calls, context: Context, input: EditInput) => Promise<string>;

const COMMANDS: Readonly<Record<EditInput["command"], Command>> = {
  view,
  create,
  str_replace: replace,
  insert,
};

async function view(calls: Calls, context: Context, input: EditInput): Promise<string> {
  const { path, view_range } = input;
  const given = view_range === undefined ? { path } : { path, view_range };
  const first = Math.max(1, view_range?.[0] ?? 1);
  try {
    return numberLines(await readText(calls, context, given), { first });
  } catch (error) {
    if (hasCode(error, "is_a_directory")) return await listFolder(calls, context, path);
    if (view_range !== undefined || !hasCode(error, "too_large")) throw error;
    return numberLines(await readStart(calls, context, path), { first, goesOn: true });
  }
}

async function create(calls: Calls, context: Context, input: EditInput): Promise<string> {
  const { path, file_text = "" } = input;
  const call = { operation: "editor.create", input: { path, file_text } };
  await callInside(calls, context, call);
  return `Created ${path}.`;
}

async function replace(calls: Calls, context: Context, input: EditInput): Promise<string> {
  const { path, old_str, new_str = "" } = input;
  if (old_str === undefined || old_str === "") throw missing("old_str", "str_replace");
  const text = await readText(calls, context, { path }).catch((error) => {
    if (!hasCode(error, "too_large")) throw error; // its lines are not named then
  });
  const { count, lines } = text === undefined
    ? { count: 1, lines: [] }
    : findLinesOf(new TextEncoder().encode(text), old_str, { limit: MAX_NAMED, named: MAX_NAMED });
  const named = nameLines(lines);
  if (count !== 0 && count !== 1) {
    const times = count === undefined ? `more than ${MAX_NAMED}` : count;
    throw new ValueFault(
      "old_str",
      `The text occurs ${times} times${named && ` (${named})`}: give more of what is around it`,
    );
  }
  await callInside(calls, context, {
    operation: "editor.str-replace",
    input: { path, old_str, new_str, unique: true },
  });
  return `Replaced it in ${path}${named && ` at ${named}`}.`;
}

async function insert(calls: Calls, context: Context, input: EditInput): Promise<string> {
  const { path, insert_line, insert_text } = input;
  if (insert_line === undefined) throw missing("insert_line", "insert");
  if (insert_text === undefined) throw missing("insert_text", "insert");
  await callInside(calls, context, {
    operation: "editor.insert",
    input: { path, text: insert_text, insert_line: insert_line + 1 },
    names: { text: "insert_text" },
  });
  return `Inserted after line ${insert_line} of ${path}.`;
}

function missing(field: string, command: string): ValueFault {
  return new ValueFault(field, `The command ${command} needs it`);
}

async function readText(
  calls: Calls,
  context: Context,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  return await valueInside(calls, context, { operation: "editor.view", input }) as string;
}

async function readStart(calls: Calls, context: Context, path: string): Promise<string> {
  const input = { path, length: MAX_START_BYTES };
  const read = await valueInside(calls, context, { operation: "filesystem.read", input });
  return (read as { readonly content: string }).content;
}

interface Shown {
  /** The number of the first line. */
  readonly first: number;
  /** Whether the file has more than the text. */
  readonly goesOn?: boolean;
}

/** `     7\ttext`, as `cat -n` shows it; of a long text the beginning. */
function numberLines(text: string, { first, goesOn = false }: Shown): string {
  const isLong = text.length > MAX_SHOWN;
  const lines = text.slice(0, MAX_SHOWN).split("\n");
  // not whole, or what follows the last line break; a line that is too long is shown as far as it goes
  if (lines.length > 1 && (isLong || goesOn || lines.at(-1) === "")) lines.pop();
  const numbered = lines.map((line, at) => `${String(first + at).padStart(6)}\t${line}`);
  if (isLong || goesOn) {
    numbered.push(`[... the file goes on: view_range [${first + lines.length}, -1]]`);
  }
  return numbered.join("\n");
}

/** `line 3` or `lines 3, 9`; nothing where none is known. */
function nameLines(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
}

function hasCode(error: unknown, code: ServiceError["code"]): boolean {
  return error instanceof ServiceError && error.code === code;
}

interface Node {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly Node[];
}

async function listFolder(calls: Calls, context: Context, path: string): Promise<string> {
  const input = { path, max_depth: DEPTH, max_entries: MAX_LISTED };
  const call = { operation: "filesystem.tree", input };
  const tree = await valueInside(calls, context, call) as Node;
  const lines = (nodes: readonly Node[], indent: string): string[] =>
    nodes.flatMap(({ name, type, children = [] }) => [
      `${indent}${name}${type === "directory" ? "/" : ""}`,
      ...lines(children, `${indent}  `),
    ]);
  return shorten([path, ...lines(tree.children ?? [], "  ")].join("\n"));
}
