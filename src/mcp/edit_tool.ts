/** The text editor as models are trained to use it: `str_replace_based_edit_tool`. */

import { z } from "zod";
import { InputError, ServiceError } from "../core/errors.ts";
import { failureText } from "../features/agents/failure_text.ts";
import { runTextEditor } from "../features/agents/text_editor/text_editor.ts";
import type { Calls } from "../features/call/calls.ts";
import { PathField } from "../features/filesystem/path.ts";
import { defineOperation, type Operation } from "../features/operation.ts";
import { json } from "../features/outcomes.ts";
import { INSIDE_ERRORS } from "./call_inside.ts";

const MAX_LINE = 2 ** 31 - 2;
/** Characters shown of a file. */
const EDITOR = { version: "2025-07-28", maxCharacters: 60_000 } as const;
/** The fields of the operations inside, by the names that the tool has for them. */
const NAMES = { text: "insert_text" };

const VIEW = ["view"] as const;
const ALL = ["view", "create", "str_replace", "insert"] as const;

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
    async run({ config, signal }, input) {
      try {
        return await runTextEditor({ calls, config, signal }, input, EDITOR);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new ServiceError("invalid", failureText(error, NAMES), { cause: error });
      }
    },
  });
}
