/** `deno task clients`: writes the generated parts of both clients, from `openapi.json`. */

import { generatePython } from "./clients/python.ts";
import { generateTypeScript } from "./clients/typescript.ts";

const ROOT = new URL("../", import.meta.url);

/** File name, relative to the repository -> what stands in it. */
export type Generated = ReadonlyMap<string, string>;

if (import.meta.main) {
  for (const [name, text] of await generateClients()) {
    await Deno.writeTextFile(new URL(name, ROOT), text);
  }
}

/** What the generated files of both clients should hold now. */
export async function generateClients(): Promise<Generated> {
  const document = JSON.parse(await Deno.readTextFile(new URL("openapi.json", ROOT)));
  return new Map([...await generateTypeScript(document), ...generatePython(document)]);
}
