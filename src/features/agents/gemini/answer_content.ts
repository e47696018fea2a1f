/** Performs the function calls of one turn of a Gemini model, in their order, and answers each. */

import { ServiceError } from "../../../core/errors.ts";
import type { Context } from "../../context.ts";
import type { Streamed } from "../../streamed.ts";
import { readAction } from "../action.ts";
import { AgentComputer } from "../agent_computer.ts";
import { performInOrder } from "../perform_in_order.ts";
import { answerWithPictures } from "../picture_answer.ts";
import { pictureIfThere } from "../picture_if_there.ts";
import { type FunctionCall, readCalls } from "./calls.ts";
import type { GeminiAnswer, GeminiInput } from "./fields.ts";
import { FIELD_NAMES, FUNCTIONS } from "./functions.ts";
import { type Result, toPart, toStep } from "./results.ts";

const MAX_CALLS = 100;
/** Of one turn. */
const MAX_SCREENSHOTS = 20;
const HALTED = "Not performed: an earlier function of this turn failed.";

export async function answerContent(
  context: Context,
  input: GeminiInput,
): Promise<GeminiAnswer | Streamed> {
  const calls = readCalls(input.parts, input.steps);
  const pending = calls.filter(({ safety, id, index }) =>
    safety !== undefined &&
    !input.acknowledged.some((one) => one === index || id !== undefined && one === id)
  );
  if (pending.length > 0) {
    return { parts: [], steps: [], confirmations: pending.map(toConfirmation), frame: null };
  }
  const results: readonly Result[] = calls.length > MAX_CALLS
    ? calls.map((call) => ({ call, error: `A turn takes at most ${MAX_CALLS} calls` }))
    : await perform(context, input, calls);
  const frame = results.findLast(({ picture }) => picture !== undefined)?.picture?.frame ?? null;
  return answerWithPictures((base64) => ({
    parts: results.filter(({ call }) => call.form === "part").map((one) => toPart(one, base64)),
    steps: results.filter(({ call }) => call.form === "step").map((one) => toStep(one, base64)),
    confirmations: [],
    frame,
  }));
}

function toConfirmation({ index, id, name, safety }: FunctionCall) {
  return { index, id: id ?? null, name, ...safety! };
}

async function perform(
  context: Context,
  input: GeminiInput,
  calls: readonly FunctionCall[],
): Promise<readonly Result[]> {
  const { signal } = context;
  const fit = input.fit ?? "gemini";
  await using computer = new AgentComputer(context, { ...input, fit, space: "0..999" });
  try {
    let screenshots = 0;
    const results = await performInOrder<FunctionCall, Result>(calls, signal, {
      async perform(call) {
        await readAction(FUNCTIONS, call.name, call.args).run(computer);
        if (call.name !== "take_screenshot") return { call };
        if (++screenshots > MAX_SCREENSHOTS) {
          throw new ServiceError("invalid", `A turn has at most ${MAX_SCREENSHOTS} screenshots`);
        }
        return { call, picture: await computer.screenshot() };
      },
      failed: (call, error) => ({ call, error }),
      notRun: (call) => ({ call, error: HALTED }),
      fieldNames: FIELD_NAMES,
    });
    const last = results.at(-1);
    if (!input.then_screenshot || last === undefined || last.picture) return results;
    return results.with(-1, { ...last, ...await pictureIfThere(computer) });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ServiceError("conflict", "Stopped: the client went away");
  }
}
