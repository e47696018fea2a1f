/**
 * `deno task clients`: writes the generated parts of the TypeScript client, from `openapi.json`.
 * Those of the Python client are no part of the repository: `client/python/generate.py` writes them.
 */

import { generateTypeScript } from "./clients/typescript.ts";

const ROOT = new URL("../", import.meta.url);

if (import.meta.main) {
  for (const [name, text] of await generateClients()) {
    await Deno.writeTextFile(new URL(name, ROOT), text);
  }
}

/** File name, relative to the repository -> what it should hold now. */
export async function generateClients(): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(await Deno.readTextFile(new URL("openapi.json", ROOT)));
  return generateTypeScript(document);
}
