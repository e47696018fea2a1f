/** The operations that take the actions of models, one for each vendor's form of them. */

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
