/** The generated parts of both clients say what `openapi.json` says. */

import { expect } from "expect";
import { generateClients } from "../../tools/clients.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("the generated parts of the clients fit openapi.json: run `deno task clients`", async () => {
  for (const [name, text] of await generateClients()) {
    const present = await Deno.readTextFile(new URL(name, ROOT));
    expect(present === text ? "" : `${name} is out of date`).toBe("");
  }
});
