/** The fields of an operation by their paths, as `path.0` or `from.ref`, and which of them name places. */

import type { Point } from "../../core/geometry.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An element or a point, by the path of its `ref` or of what has its `x` and `y`; `point` is the operation itself. */
export type Place =
  | { readonly name: string; readonly ref: string; readonly point?: undefined }
  | { readonly name: string; readonly ref?: undefined; readonly point: Point };

/** All fields that name places, in lists and objects, too. */
export function findPlaces(fields: Fields, path: readonly string[] = []): readonly Place[] {
  const found: Place[] = [];
  const { x, y, ref } = fields;
  if (typeof x === "number" && typeof y === "number") {
    found.push({ name: path.join(".") || "point", point: { x, y } });
  }
  if (typeof ref === "string") found.push({ name: [...path, "ref"].join("."), ref });
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "object" || value === null || path.length > 3) continue;
    found.push(...findPlaces(value as Fields, [...path, name]));
  }
  return found;
}

/** Sets a field, if what it is in is there; `undefined` takes it away. */
export function setField(fields: object, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop()!;
  let inner: unknown = fields;
  for (const name of names) inner = isRecord(inner) && Object.hasOwn(inner, name) && inner[name];
  if (isRecord(inner)) inner[last] = value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
