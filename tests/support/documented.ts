/** What the OpenAPI document says that an operation answers. */

interface Documented {
  readonly responses: object;
}

const { paths }: { readonly paths: Record<string, Record<string, Documented>> } = JSON.parse(
  Deno.readTextFileSync(new URL("../../openapi.json", import.meta.url)),
);

/**
 * Whether the document has this status for the operation.
 * @param path below `/api/`, also with a query
 */
export function isDocumented(path: string, method: "get" | "post", status: number): boolean {
  return status in paths[`/api/${path.split("?")[0]}`]![method]!.responses;
}
