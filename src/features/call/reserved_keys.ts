/**
 * Finds `__proto__` among names that a client may choose: the schemas would silently drop it and
 * accept the rest of the body.
 */

import { z } from "zod";
import type { ValidationError } from "../../core/errors.ts";
import type { Loc } from "./validation_errors.ts";

const RESERVED = "__proto__";

/**
 * The faults of all body fields that accept arbitrary names, such as the environment of a command.
 */
export function reservedNames(
  schema: z.ZodObject,
  body: object,
  at: Loc,
): readonly ValidationError[] {
  let faults: ValidationError[] | undefined;
  for (const field in body) {
    const value: unknown = body[field as keyof typeof body];
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, RESERVED)) continue;
    if (!takesAnyName(schema.shape[field])) continue; // elsewhere it is an ordinary unknown field
    (faults ??= []).push({
      loc: [...at, field, RESERVED],
      msg: `No name can be "${RESERVED}"`,
      type: "value_error",
    });
  }
  return faults ?? NONE;
}

const NONE: readonly ValidationError[] = [];

/** Whether a schema has any such field. */
export function takesNames(schema: z.ZodObject): boolean {
  return Object.values(schema.shape).some(takesAnyName);
}

function takesAnyName(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return takesAnyName(schema.unwrap());
  if (schema instanceof z.ZodObject) return schema.def.catchall !== undefined;
  return schema instanceof z.ZodRecord;
}
