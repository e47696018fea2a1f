/** The names by which operations are called. */

import type { Operation } from "../operation.ts";

const PREFIX = /^\/(?:api\/)?/;
const PARAMETER = /\/\{\w+\}/g;

/**
 * The group, then what follows it in the path: `mouse.left-click`, `bash.process.output`,
 * `system.healthz`.
 */
export function callName({ group, path }: Operation): string {
  const [first, ...rest] = path.replace(PREFIX, "").replace(PARAMETER, "").split("/");
  const words = first === group ? [group, ...rest] : [group, first!, ...rest];
  return words.join(".").replaceAll("_", "-");
}

/** All other ways to write a name: the path, with or without `/api/`, and the OpenAPI id. */
export function otherNames({ id, path }: Operation): readonly string[] {
  const short = path.replace(PREFIX, "");
  return [id, path, short, short.replace(PARAMETER, "")];
}
