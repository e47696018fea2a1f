/** The operations that take the actions of models, one for each vendor's form of them. */

import type { Limits } from "../../config/limits.ts";
import type { Operation } from "../operation.ts";
import { anthropicOperation } from "./anthropic/operation.ts";

export function agentOperations(limits: Limits): readonly Operation[] {
  return [anthropicOperation(limits)];
}
