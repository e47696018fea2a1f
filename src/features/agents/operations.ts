/** The operations that take the actions of models, one for each vendor's form of them, with examples. */

import type { Limits } from "../../config/limits.ts";
import type { Operation } from "../operation.ts";
import { anthropicOperation } from "./anthropic/operation.ts";
import { geminiOperation } from "./gemini/operation.ts";
import { openaiOperation } from "./openai/operation.ts";
import { qwenOperation } from "./qwen/operation.ts";
import { uiTarsOperation } from "./ui_tars/operation.ts";

export function agentOperations(limits: Limits): readonly Operation[] {
  return [
    anthropicOperation(limits),
    openaiOperation(limits),
    geminiOperation(limits),
    uiTarsOperation(limits),
    qwenOperation(limits),
  ];
}

export const AGENT_EXAMPLES = {
  answerAnthropic: {
    body: {
      content: [
        { type: "text", text: "I will open the menu." },
        {
          type: "tool_use",
          id: "toolu_1",
          name: "left_click",
          toolset_name: "computer",
          input: { coordinate: [640, 400] },
        },
      ],
      tools: [{ type: "computer_toolset_20260801" }],
      then_screenshot: false,
    },
    answer: {
      content: [{
        type: "tool_result",
        tool_use_id: "toolu_1",
        toolset_name: "computer",
        content: [{ type: "text", text: "Clicked." }],
      }],
      unhandled: [],
    },
  },
  answerOpenai: {
    body: {
      output: [{
        type: "apply_patch_call",
        id: "apc_1",
        call_id: "call_1",
        status: "completed",
        operation: {
          type: "update_file",
          path: "Documents/report.txt",
          diff: "@@\n First line\n-Second line\n+2nd line\n",
        },
      }],
    },
    answer: {
      input: [{
        type: "apply_patch_call_output",
        call_id: "call_1",
        status: "completed",
        output: "Updated Documents/report.txt",
      }],
      pending_safety_checks: [],
      frame: null,
    },
  },
  answerGemini: {
    body: {
      parts: [{
        functionCall: {
          id: "call_1",
          name: "click",
          args: { x: 500, y: 500, intent: "Open the menu" },
        },
      }],
      then_screenshot: false,
    },
    answer: {
      parts: [{ functionResponse: { id: "call_1", name: "click", response: { output: "done" } } }],
      steps: [],
      confirmations: [],
      frame: null,
    },
  },
  answerUiTars: {
    body: {
      text:
        "Thought: I open the menu.\nAction: click(start_box='<|box_start|>(500,500)<|box_end|>')",
      coordinates: "0..1000",
      then_screenshot: false,
    },
    answer: {
      messages: [],
      results: [{ action: "click", status: "done", error: null }],
      end: null,
      frame: null,
    },
  },
  answerQwen: {
    body: {
      message: {
        role: "assistant",
        tool_calls: [{
          id: "call_1",
          type: "function",
          function: {
            name: "computer_use",
            arguments: '{"action": "left_click", "coordinate": [500, 500]}',
          },
        }],
      },
      coordinates: "0..1000",
      then_screenshot: false,
    },
    answer: {
      messages: [{ role: "tool", tool_call_id: "call_1", content: "Done." }],
      results: [{ action: "left_click", status: "done", error: null }],
      end: null,
      frame: null,
    },
  },
};
