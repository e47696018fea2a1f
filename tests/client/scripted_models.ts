/** Models that ask for the same calls in their first turn, and are done in the next: the vendors' interfaces, scripted. */

export const CLAUDE = "claude-opus-5-5";
export const GPT = "gpt-5.4";

export interface ScriptedModel {
  /** The requests that it was sent, in the vendor's own form. */
  // deno-lint-ignore no-explicit-any -- each test knows the shape it expects
  readonly requests: any[];
  answer(request: Request): Promise<Response>;
}

/** Name and input of a member of Anthropic's computer toolset. */
export type ToolCall = readonly [name: string, input: Record<string, unknown>];

/** `POST /v1/messages`: the calls have the ids `call_0`, `call_1` ... */
export function scriptClaude(
  calls: readonly ToolCall[],
  toolset: "computer" | "browser" = "computer",
): ScriptedModel {
  const content = calls.map(([name, input], i) => ({
    ...{ type: "tool_use", id: `call_${i}`, name, toolset_name: toolset, input },
  }));
  return script((turn) => ({
    ...{ id: `msg_${turn}`, type: "message", role: "assistant", model: CLAUDE },
    ...turn === 0
      ? { content, stop_reason: "tool_use" }
      : { content: [{ type: "text", text: "done" }], stop_reason: "end_turn" },
    ...{ stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
  }));
}

/** An action of OpenAI's computer tool. */
export type Action = { readonly type: string } & Record<string, unknown>;

/** `POST /v1/responses`: one call, with all actions. */
export function scriptGpt(actions: readonly Action[]): ScriptedModel {
  const call = {
    ...{ type: "computer_call", id: "cu_1", call_id: "call_1", status: "completed", actions },
    pending_safety_checks: [],
  };
  const text = { type: "output_text", text: "done", annotations: [], logprobs: [] };
  const message = {
    ...{ type: "message", id: "msg_1", role: "assistant", status: "completed", content: [text] },
  };
  return script((turn) => ({
    ...{ id: `resp_${turn}`, object: "response", created_at: 1, status: "completed", model: GPT },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [] },
    ...{ parallel_tool_calls: true, temperature: 1, tool_choice: "auto", top_p: 1 },
    output: turn === 0 ? [call] : [message],
    usage: {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    },
  }));
}

function script(answer: (turn: number) => unknown): ScriptedModel {
  const requests: unknown[] = [];
  return {
    requests,
    async answer(request) {
      requests.push(await request.json());
      return Response.json(answer(requests.length - 1));
    },
  };
}
