/** Reads what an element holds now. */

import type { z } from "zod";
import type { Context } from "../context.ts";
import type { ValueAnswer } from "./fields.ts";
import { redactElements } from "./redact_elements.ts";
import { findElement } from "./use_accessibility.ts";

export interface ValueInput {
  readonly ref: string;
  readonly max_chars: number;
}

export async function readValue(
  context: Context,
  { ref, max_chars }: ValueInput,
): Promise<z.output<typeof ValueAnswer>> {
  const element = await findElement(context, ref).look(context.signal);
  const { roots: [shown], gap } = await redactElements(context, [{ ...element, children: [] }]);
  const { role, name, value, description, states, abilities, bounds } = shown!;
  return {
    ...{ role, name },
    value: value?.slice(0, max_chars).toWellFormed() ?? null,
    truncated: value !== undefined && value.length > max_chars,
    ...(description ? { description } : {}),
    ...{ states: [...states], abilities: [...abilities] },
    ...(bounds && { bounds }),
    ...(gap === undefined ? {} : { redaction_gap: gap }),
  };
}
