/** The text editor as models are trained to use it: `str_replace_based_edit_tool`. */

import { z } from "zod";
import { ServiceError, ValueFault } from "../core/errors.ts";
import type { Calls } from "../features/call/calls.ts";
import type { Context } from "../features/context.ts";
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
/** Characters shown of a file, and in which lines are counted. */
const MAX_SHOWN = 60_000;
const MAX_COUNTED = 1_000_000;

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
  try {
    const text = await readText(calls, context, given);
    return numberLines(text, Math.max(1, view_range?.[0] ?? 1));
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "is_a_directory")) throw error;
    return await listFolder(calls, context, path);
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
  const text = await readText(calls, context, { path });
  const places = findPlaces(text, old_str);
  const lines = nameLines(text, places.slice(0, MAX_NAMED));
  if (places.length > 1) {
    const times = places.length > MAX_NAMED ? `more than ${MAX_NAMED}` : places.length;
    throw new ValueFault(
      "old_str",
      `The text occurs ${times} times${lines && ` (${lines})`}: give more of what is around it`,
    );
  }
  await callInside(calls, context, {
    operation: "editor.str-replace",
    input: { path, old_str, new_str },
  });
  return `Replaced it in ${path}${lines && ` at ${lines}`}.`;
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

/** `     7\ttext`, as `cat -n` shows it; of a long text the beginning. */
function numberLines(text: string, first: number): string {
  const isLong = text.length > MAX_SHOWN;
  const lines = text.slice(0, MAX_SHOWN).split("\n");
  // not whole, or what follows the last line break; a line that is too long is shown as far as it goes
  if (lines.length > 1 && (isLong || lines.at(-1) === "")) lines.pop();
  const numbered = lines.map((line, at) => `${String(first + at).padStart(6)}\t${line}`);
  if (isLong) numbered.push(`[... the file goes on: view_range [${first + lines.length}, -1]]`);
  return numbered.join("\n");
}

/** The places of a text, as far as they are needed. */
function findPlaces(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (places.push(at) > MAX_NAMED) break;
  }
  return places;
}

/** `line 3` or `lines 3, 9`; nothing where counting would take long. */
function nameLines(text: string, places: readonly number[]): string {
  if ((places.at(-1) ?? 0) > MAX_COUNTED) return "";
  const lines = places.map((place) => text.slice(0, place).split("\n").length);
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
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
