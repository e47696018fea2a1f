/**
 * Performs `apply_patch_call` items: creates, changes and deletes files with the operations of the
 * editor and the file system, so that nothing is ever half done.
 */

import { z } from "zod";
import { ServiceError } from "../../../core/errors.ts";
import { isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { parseCreation } from "../../editor/patch/parse_diff.ts";
import { translating } from "../../filesystem/file_errors.ts";
import { failureText } from "../failure_text.ts";
import { readFields } from "../read_fields.ts";
import type { AnswerItem, Call } from "./items.ts";
import { pathInside } from "./workspace.ts";

const MAX_DIFF_LENGTH = 1_000_000;

const Path = z.string().min(1).max(16_384);
const Diff = z.string().max(MAX_DIFF_LENGTH);
const WithDiff = z.object({ path: Path, diff: Diff });
const WithoutDiff = z.object({ path: Path, diff: Diff.optional() });

interface Where {
  readonly context: Context;
  readonly workspace: string | undefined;
}

/** @throws the reason of the context's signal when the client has left */
export async function answerPatchCall(
  context: Context,
  { callId, item }: Call,
  workspace: string | undefined,
): Promise<AnswerItem> {
  const answer = (status: "completed" | "failed", output: string) => ({
    type: "apply_patch_call_output",
    call_id: callId,
    status,
    output,
    ...("caller" in item ? { caller: item["caller"] } : {}),
  });
  try {
    return answer("completed", await perform({ context, workspace }, item["operation"]));
  } catch (error) {
    context.signal.throwIfAborted();
    return answer("failed", `${failureText(error).replace(/\.$/, "")}. Nothing was changed.`);
  }
}

async function perform(where: Where, operation: unknown): Promise<string> {
  const { type, ...fields } = isObject(operation) ? operation : {};
  if (type === "create_file") return await create(where, readFields(WithDiff, fields, type));
  if (type === "update_file") return await update(where, readFields(WithDiff, fields, type));
  if (type === "delete_file") return await remove(where, readFields(WithoutDiff, fields, type));
  const message = 'The operation has no type that is known: "create_file", "update_file" or ' +
    '"delete_file"';
  throw new ServiceError("invalid", message);
}

async function create(
  { context, workspace }: Where,
  { path: text, diff }: z.output<typeof WithDiff>,
): Promise<string> {
  const file_text = parseCreation(diff);
  const path = await pathInside(context, workspace, { path: text, follow: false });
  await call(context, "createFile", { path, file_text });
  return `Created ${text}`;
}

async function update(
  { context, workspace }: Where,
  { path: text, diff }: z.output<typeof WithDiff>,
): Promise<string> {
  const path = await pathInside(context, workspace, { path: text, follow: true });
  await call(context, "applyPatch", { path, diff });
  return `Updated ${text}`;
}

/** Deletes a file or a link; never a folder, not even an empty one. */
async function remove(
  { context, workspace }: Where,
  { path: text }: z.output<typeof WithoutDiff>,
): Promise<string> {
  const path = await pathInside(context, workspace, { path: text, follow: false });
  const { isDirectory } = await translating(
    { action: "Cannot delete", path, field: "path" },
    () => Deno.lstat(path),
  );
  if (isDirectory) {
    throw new ServiceError("is_a_directory", `${JSON.stringify(text)} is a folder, not a file`);
  }
  await call(context, "deletePath", { path, recursive: false });
  return `Deleted ${text}`;
}

async function call(context: Context, name: string, input: object): Promise<void> {
  const { calls, signal } = context;
  await calls.prepare(name, input).run({ signal });
}
