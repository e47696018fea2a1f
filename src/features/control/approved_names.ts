/** Checks what `--approve` names before anything waits for it. */

import type { Limits } from "../../config/limits.ts";
import { type Group, GROUPS } from "../../core/groups.ts";
import { callName } from "../call_names.ts";
import { OperationGroups, type Part } from "../mod.ts";

/** The names that are neither a group nor an operation of one. */
export async function findUnknownNames(
  names: ReadonlySet<string>,
  limits: Limits,
): Promise<readonly string[]> {
  const single = [...names].filter((name) => !GROUPS.includes(name as Group));
  const groups = new OperationGroups(limits);
  const parts = new Set(single.map((name) => name.split(".")[0] as Part));
  if (parts.has("display")) parts.add("wait");
  const known = new Set<string>();
  for (const part of parts) for (const each of await groups.load(part)) known.add(callName(each));
  return single.filter((name) => !known.has(name));
}
