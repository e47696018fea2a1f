/** Explains faults of the fields and refusals of the service in lines for a terminal. */

import type { Fault } from "../../core/errors.ts";
import { isJsonAnswer } from "./answer.ts";
import type { Field } from "./fields.ts";

/** The places in which the service looks for fields. */
const PLACES = ["body", "query", "path"];
const MAX_TEXT = 4_096;

/** `--x: Input should be a valid integer (it takes <integer>)` */
export function explainFaults(faults: readonly Fault[], fields: readonly Field[]): string[] {
  return faults.map(({ loc, msg, type }) => {
    const path = PLACES.includes(String(loc[0])) ? loc.slice(1) : loc;
    const [name, ...inner] = path;
    if (name === undefined) return msg;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return `"${path.join(".")}": ${msg}`;
    const flag = [field.flag, ...inner].join(".");
    const takes = ` (it takes ${field.takes})`;
    return type === "missing" ? `${flag} is missing${takes}` : `${flag}: ${msg}${takes}`;
  });
}

/**
 * The errors of an answer that is a refusal, each after its code; `undefined` for one that the
 * operation declares.
 */
export async function refusalOf(
  answer: Response,
  fields: readonly Field[],
): Promise<readonly string[] | undefined> {
  if (answer.ok) return undefined;
  const text = await answer.clone().text();
  const { detail, code } = isJsonAnswer(answer) ? readRefusal(text) : {};
  const sentences = typeof detail === "string"
    ? [detail]
    : Array.isArray(detail)
    ? explainFaults(detail as Fault[], fields)
    : undefined;
  if (sentences !== undefined) {
    return typeof code === "string" ? sentences.map((each) => `${code}: ${each}`) : sentences;
  }
  if (isJsonAnswer(answer)) return undefined;
  return [`The service answered ${answer.status}: ${text.slice(0, MAX_TEXT)}`.trimEnd()];
}

function readRefusal(text: string): { readonly detail?: unknown; readonly code?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
