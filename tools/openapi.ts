/** `deno task openapi`: writes `openapi.json` at the root of the repository. */

import { VERSION } from "../src/config/config.ts";
import { allOperations } from "../src/features/mod.ts";
import { openApiDocument } from "../src/http/openapi/document.ts";
import { DEFAULT_LIMITS } from "../src/config/limits.ts";

export const OPENAPI_FILE = new URL("../openapi.json", import.meta.url);

if (import.meta.main) await Deno.writeTextFile(OPENAPI_FILE, await openApiText());

/** The text of the file, with the bounds that the service has by default. */
export async function openApiText(): Promise<string> {
  const options = { version: VERSION, base: "" };
  const document = await openApiDocument(await allOperations(DEFAULT_LIMITS), options);
  return `${JSON.stringify(document, null, 2)}\n`;
}
