/** Performs the calls of one response of an OpenAI model, in their order, and answers each. */

import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import type { Streamed } from "../../streamed.ts";
import { AgentComputer } from "../agent_computer.ts";
import { answerWithPictures } from "../picture_answer.ts";
import { answerPatchCall } from "./apply_patch_call.ts";
import { type Answer, answerCall, explain, performActions } from "./computer_call.ts";
import type { OpenaiAnswer, OpenaiInput } from "./fields.ts";
import { type AnswerItem, type Call, readCalls, type SafetyCheck } from "./items.ts";
import { answerLocalShellCall, answerShellCall } from "./shell_calls.ts";
import { ShownOutput } from "./shown_output.ts";
import { resolvePath } from "../../filesystem/path.ts";

const HALTED =
  "The computer call was not performed, because an earlier computer call of this response failed.";

/** What the whole response comes to. */
interface Turn {
  readonly context: Context;
  readonly input: OpenaiInput;
  readonly computer: AgentComputer;
  readonly shown: ShownOutput;
  /** Whether a computer call has failed. */
  halted: boolean;
  /** The name of the last picture. */
  frame: string | null;
}

export async function answerResponse(
  context: Context,
  input: OpenaiInput,
): Promise<OpenaiAnswer | Streamed> {
  if (input.workspace !== undefined) {
    resolvePath(input.workspace, context.config.home, "workspace"); // also if nothing uses it
  }
  const calls = readCalls(input.output);
  const pending = pendingChecks(calls, input.acknowledged_safety_checks);
  if (pending.length > 0) return { input: [], pending_safety_checks: pending, frame: null };
  const fit = input.fit ?? "openai";
  await using computer = new AgentComputer(context, { ...input, fit, space: "pictures" });
  const shown = new ShownOutput();
  const turn: Turn = { context, input, computer, shown, halted: false, frame: null };
  const answers: Answer[] = [];
  try {
    for (const call of calls) answers.push(await answer(turn, call));
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new ServiceError("conflict", "Stopped: the client went away");
  }
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
      ...{ call_id: callId, id, code: code ?? null, message: message ?? null },
    }))
  );
}

async function answer(turn: Turn, call: Call): Promise<Answer> {
  const { context, input, shown } = turn;
  if (call.type === "computer_call") return await answerComputerCall(turn, call);
  if (call.type === "apply_patch_call") {
    return just(await answerPatchCall(context, call, input.workspace));
  }
  const place = { shown, cwd: input.workspace };
  if (call.type === "shell_call") return just(await answerShellCall(context, call, place));
  return just(await answerLocalShellCall(context, call, place));
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

function just(item: AnswerItem): Answer {
  return () => [item];
}
