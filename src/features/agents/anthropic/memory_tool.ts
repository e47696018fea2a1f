/** Anthropic's `memory` tool: files below `/memories`, which is a folder of this computer. */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import { isThere } from "../../filesystem/safe_write/create_file.ts";
import { readFields } from "../read_fields.ts";
import type { TurnInput } from "./fields.ts";
import { call, hasCode, type TextFile } from "../text_editor/editing.ts";
import { listFolder } from "../text_editor/list_folder.ts";
import { MemoryFolder } from "./memory_folder.ts";
import { createText, insertAfter, replaceOnce } from "../text_editor/text_file.ts";
import { viewText } from "../text_editor/view_text.ts";

interface Command {
  readonly fields: z.ZodObject;
  // deno-lint-ignore no-explicit-any -- the fields are typed by defineCommand
  run(folder: MemoryFolder, input: any): Promise<string>;
}

const Path = z.string().min(1).max(4_096);
const Line = z.int().min(0).max(2 ** 31 - 2);

const COMMANDS: Readonly<Record<string, Command>> = {
  view: defineCommand(
    z.object({ path: Path, view_range: z.array(z.int()).length(2).optional() }),
    (folder, { path, view_range: range }) =>
      folder.view(path, async (file) => {
        const info = await Deno.stat(file.path).catch(() => undefined); // viewing says what is wrong
        return await (info?.isDirectory ? listFolder(file) : viewText(file, { range }));
      }),
  ),
  create: defineCommand(
    z.object({ path: Path, file_text: z.string() }),
    (folder, { path, file_text }) =>
      folder.inFolder(
        path,
        { makes: true },
        (file) => createText(file, file_text, `Error: File ${path} already exists`),
      ),
  ),
  str_replace: defineCommand(
    z.object({ path: Path, old_str: z.string().min(1), new_str: z.string().default("") }),
    (folder, { path, old_str, new_str }) =>
      folder.edit(path, (file) =>
        replaceOnce(file, {
          oldText: old_str,
          newText: new_str,
          done: "The memory file has been edited.",
        })),
  ),
  insert: defineCommand(
    z.object({ path: Path, insert_line: Line, insert_text: z.string() }),
    (folder, { path, insert_line, insert_text }) =>
      folder.edit(path, (file) =>
        insertAfter(file, insert_line, {
          text: insert_text,
          done: `The file ${path} has been edited.`,
        })),
  ),
  delete: defineCommand(z.object({ path: Path }), async (folder, { path }) => {
    folder.refuseRoot(await folder.find(path), "deleted");
    await folder.inFolder(
      path,
      { makes: false },
      (file) => call(file.context, "deletePath", { path: file.path, recursive: true }),
    );
    return `Successfully deleted ${path}`;
  }),
  rename: defineCommand(
    z.object({ old_path: Path, new_path: Path }),
    async (folder, { old_path, new_path }) => {
      const [from, to] = [await folder.find(old_path), await folder.find(new_path)];
      for (const file of [from, to]) folder.refuseRoot(file, "renamed");
      const move = (source: TextFile, destination: TextFile) =>
        call(source.context, "movePath", { source: source.path, destination: destination.path });
      await folder.inFolder(
        old_path,
        { makes: false },
        async (source) => {
          if (!await isThere(source.path)) throw new ServiceError("not_found", old_path);
          const to = { makes: true };
          return await folder.inFolder(new_path, to, (destination) => move(source, destination));
        },
      ).catch((error) => {
        if (!hasCode(error, "already_exists")) throw error;
        const message = `The destination ${new_path} already exists`;
        throw new ServiceError("already_exists", message);
      });
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  ),
};

/**
 * What the model reads after a command.
 * @throws ServiceError with what it can do instead; no text names the real folder
 */
export async function runMemory(
  context: Context,
  input: unknown,
  { memory_dir }: Pick<TurnInput, "memory_dir">,
): Promise<string> {
  const { command, ...fields } = readFields(WithCommand, input, "memory");
  const chosen = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (chosen === undefined) {
    const names = Object.keys(COMMANDS).join(", ");
    const shown = JSON.stringify(command.slice(0, 100).toWellFormed());
    throw new ServiceError("invalid", `There is no command ${shown}; there are ${names}`);
  }
  const read = readFields(chosen.fields, fields, `"${command}"`);
  const folder = await MemoryFolder.open(context, memory_dir);
  try {
    return await chosen.run(folder, read);
  } catch (error) {
    if (!hasCode(error, "not_found")) throw folder.hideRoot(error);
    const path = read["path"] ?? read["old_path"];
    const message = `The path ${path} does not exist. Please provide a valid path.`;
    throw new ServiceError("not_found", message);
  }
}

const WithCommand = z.looseObject({ command: z.string() });

/** Checks at compile time that `run` takes the fields. */
function defineCommand<S extends z.ZodObject>(
  fields: S,
  run: (folder: MemoryFolder, input: z.output<S>) => Promise<string>,
): Command {
  return { fields, run };
}
