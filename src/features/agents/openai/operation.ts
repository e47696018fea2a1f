/** Defines the operation that the answers of OpenAI's models are given to. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { z } from "zod";
import type { Limits } from "../../../config/limits.ts";
import { ServiceError, untilDisconnected } from "../../../core/errors.ts";
import { isObject } from "../../call/check_fields.ts";
import type { Context } from "../../context.ts";
import { parseCreation } from "../../editor/patch/parse_diff.ts";
import { translating } from "../../filesystem/file_errors.ts";
import { PathField, realEntryPath, resolvePath } from "../../filesystem/paths.ts";
import { defineOperation, DISPLAY_ERRORS, json, type Operation } from "../../operation.ts";
import { requireGroup } from "../../permissions.ts";
import { AgentComputer } from "../agent_computer.ts";
import { actionOn, type ActionTable, callOperation, failureText, readAction } from "../actions.ts";
import { answerWithPictures, computerFields } from "../pictures.ts";
import { turnBase } from "../turn.ts";
import { type Answer, answerCall, explain, FIELD_NAMES, performActions } from "./computer_call.ts";
import {
  Acknowledged,
  type AnswerItem,
  AnswerItems,
  type Call,
  Output,
  readCalls,
  type SafetyCheck,
} from "./items.ts";
import { answerLocalShellCall, answerShellCall, OutputBudget } from "./shell_calls.ts";

export function openaiOperation(limits: Limits): Operation {
  return defineOperation({
    ...turnBase("answerOpenai", "openai"),
    summary: "Perform the tool calls of an OpenAI model",
    description:
      "Takes the `output` of the model's response as it is, performs its calls in order, and answers with the " +
      "items for the `input` of the next request. It knows `computer` (`actions` and held `keys`), `computer_use_preview` (one " +
      "`action`), `apply_patch`, `shell` and `local_shell`. A computer call is answered with one picture after all its " +
      "actions; one that fails is `incomplete`, is followed by a message that says why, and computer calls after it are not " +
      "performed. A patch that does not apply and a command that fails are ordinary results. While a safety check is not " +
      "acknowledged, nothing is performed. When the client disconnects, the action stops, and the keys and buttons that the turn pressed are released.",
    body: openaiFields(limits),
    answer: json("Every call has its answer, or safety checks are pending.", OpenaiAnswer),
    errors: {
      ...DISPLAY_ERRORS,
      conflict: "The client disconnected, or the display was resized in the meantime.",
      forbidden: "The group display is disabled: a computer call cannot be answered.",
    },
    run: answerResponse,
  });
}

// The folder that the paths of `apply_patch` are relative to.

/**
 * The absolute path of an entry. With a workspace the entry must be inside it, also when `..` and
 * links are followed; without one any path will do, relative to the home.
 * @param follow whether a link at the end is followed too, as an update does
 * @throws ServiceError `forbidden` for what is outside
 */
async function pathInside(
  context: Context,
  workspace: string | undefined,
  { path: text, follow }: { readonly path: string; readonly follow: boolean },
): Promise<string> {
  requireGroup(context, "editor"); // a refusal must not tell what is there
  const { home } = context.config;
  if (workspace === undefined) return resolvePath(text, home, "path");
  const root = resolvePath(workspace, home, "workspace");
  const path = resolvePath(isAbsolute(text) ? text : resolve(root, text), root, "path");
  const attempt = { action: "Cannot use", path, field: "path" };
  const real = await translating(attempt, async () => {
    const entry = await realEntryPath(path);
    return follow ? await Deno.realPath(entry).catch(() => entry) : entry;
  });
  const realRoot = await translating({ ...attempt, path: root }, () => Deno.realPath(root));
  const below = relative(realRoot, real);
  if (below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    const message = `${JSON.stringify(text)} is not inside the workspace ${JSON.stringify(root)}`;
    throw new ServiceError("forbidden", message);
  }
  return path;
}

// Performs the calls of one response of an OpenAI model, in their order, and answers each.

const HALTED =
  "The computer call was not performed, because an earlier computer call of this response failed.";

/** What the whole response comes to. */
interface Turn {
  readonly context: Context;
  readonly input: OpenaiInput;
  readonly computer: AgentComputer;
  readonly shown: OutputBudget;
  halted: boolean;
  frame: string | null;
}

async function answerResponse(context: Context, input: OpenaiInput) {
  if (input.workspace !== undefined) {
    resolvePath(input.workspace, context.config.home, "workspace"); // also if nothing uses it
  }
  const calls = readCalls(input.output);
  const pending = pendingChecks(calls, input.acknowledged_safety_checks);
  if (pending.length > 0) return { input: [], pending_safety_checks: pending, frame: null };
  await using computer = new AgentComputer(context, {
    ...input,
    fit: input.fit ?? "openai",
    space: "pictures",
    fieldNames: FIELD_NAMES,
  });
  const shown = new OutputBudget();
  const turn: Turn = { context, input, computer, shown, halted: false, frame: null };
  const answers: Answer[] = [];
  await untilDisconnected(context, async () => {
    for (const call of calls) answers.push(await answer(turn, call));
  });
  return answerWithPictures((base64) => ({
    input: answers.flatMap((make) => make(base64)),
    pending_safety_checks: [],
    frame: turn.frame,
  }));
}

/** The checks that nobody has agreed to, with the call that each belongs to. */
function pendingChecks(calls: readonly Call[], acknowledged: readonly SafetyCheck[]) {
  const known = new Set(acknowledged.map(({ id }) => id));
  return calls.flatMap(({ callId, checks }) =>
    checks.filter(({ id }) => !known.has(id)).map(({ id, code, message }) => ({
      call_id: callId,
      id,
      code: code ?? null,
      message: message ?? null,
    }))
  );
}

async function answer(turn: Turn, call: Call): Promise<Answer> {
  const { context, input: { workspace }, shown } = turn;
  if (call.type === "computer_call") return await answerComputerCall(turn, call);
  const shell = { shown, cwd: workspace };
  const item = call.type === "apply_patch_call"
    ? await answerPatchCall(context, call, workspace)
    : call.type === "shell_call"
    ? await answerShellCall(context, call, shell)
    : await answerLocalShellCall(context, call, shell);
  return () => [item];
}

async function answerComputerCall(turn: Turn, call: Call): Promise<Answer> {
  const { computer, context } = turn;
  const failure = turn.halted ? HALTED : await performActions(computer, call, context.signal);
  turn.halted ||= failure !== undefined;
  if (!turn.input.then_screenshot) return () => explain(failure);
  const picture = await computer.screenshot();
  turn.frame = picture.frame;
  return answerCall(call, picture, failure);
}

// Performs `apply_patch_call` items: creates, changes and deletes files with the operations of the
// editor and the file system, so that nothing is ever half done.

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
async function answerPatchCall(
  context: Context,
  { callId, item }: Call,
  workspace: string | undefined,
): Promise<AnswerItem> {
  const answer = (status: "completed" | "failed", output: string) => ({
    type: "apply_patch_call_output",
    call_id: callId,
    status,
    output,
    ...("caller" in item && { caller: item["caller"] }),
  });
  try {
    const { type, ...fields } = isObject(item["operation"]) ? item["operation"] : {};
    const operation = readAction(OPERATIONS, { name: type, fields }, describeUnknown);
    return answer("completed", await operation.run({ context, workspace }));
  } catch (error) {
    context.signal.throwIfAborted();
    return answer("failed", `${failureText(error).replace(/\.$/, "")}. Nothing was changed.`);
  }
}

const operation = actionOn<Where, string>();

const OPERATIONS: ActionTable<Where, string> = {
  create_file: operation(WithDiff, async ({ context, workspace }, { path: text, diff }) => {
    const file_text = parseCreation(diff);
    const path = await pathInside(context, workspace, { path: text, follow: false });
    await callOperation(context, "createFile", { path, file_text });
    return `Created ${text}`;
  }),
  update_file: operation(WithDiff, async ({ context, workspace }, { path: text, diff }) => {
    const path = await pathInside(context, workspace, { path: text, follow: true });
    await callOperation(context, "applyPatch", { path, diff });
    return `Updated ${text}`;
  }),
  // a file or a link; never a folder, not even an empty one
  delete_file: operation(WithoutDiff, async ({ context, workspace }, { path: text }) => {
    const path = await pathInside(context, workspace, { path: text, follow: false });
    const { isDirectory } = await translating(
      { action: "Cannot delete", path, field: "path" },
      () => Deno.lstat(path),
    );
    if (isDirectory) {
      throw new ServiceError("is_a_directory", `${JSON.stringify(text)} is a folder, not a file`);
    }
    await callOperation(context, "deletePath", { path, recursive: false });
    return `Deleted ${text}`;
  }),
};

function describeUnknown(): string {
  return 'The operation has no known type: "create_file", "update_file" or "delete_file"';
}

// The fields of `POST /api/agents/openai` and of its answer.

function openaiFields(limits: Limits) {
  return z.object({
    output: Output,
    acknowledged_safety_checks: Acknowledged,
    workspace: PathField("folder that `apply_patch` works in, and in which commands begin")
      .optional(),
    ...computerFields(limits, "`openai`"),
    then_screenshot: z.boolean().default(true).describe(
      "If false, a computer call is answered only if it fails, by the message: for drivers of the vendor's classes, which request the picture separately.",
    ),
  });
}

type OpenaiInput = Readonly<z.output<ReturnType<typeof openaiFields>>>;

const OpenaiAnswer = z.object({
  input: AnswerItems.describe(
    "Append these items to the `input` of the next request, after the model's own.",
  ),
  pending_safety_checks: z.array(z.object({
    call_id: z.string(),
    id: z.string(),
    code: z.string().nullable(),
    message: z.string().nullable(),
  })).describe(
    "A person must approve these first: nothing was performed. Ask a person, then send the same request with them in `acknowledged_safety_checks`.",
  ),
  frame: z.string().nullable().describe("The `X-Frame` of the last picture."),
});
