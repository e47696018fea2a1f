/** The generated parts of both clients say what `openapi.json` says. */

import { expect } from "expect";
import { generateClients } from "../../tools/clients.ts";
import { writePythonClient } from "../support/python_client.ts";
import { unless } from "../support/test_if.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("the generated parts of the TypeScript client fit openapi.json: run `deno task clients`", async () => {
  for (const [name, text] of await generateClients()) {
    const present = await Deno.readTextFile(new URL(name, ROOT));
    expect(present === text ? "" : `${name} is out of date`).toBe("");
  }
});

Deno.test({
  name: "the Python client has every method of the TypeScript client, with and without `await`",
  ignore: unless(Deno.build.os === "linux", "the Python of other systems is anywhere"),
  async fn() {
    const folder = `${await writePythonClient()}/computer_control`;
    const generated = [...await generateClients()];
    const [, typescript] = generated.find(([name]) => name.endsWith("operations.gen.ts"))!;
    const methods = readMethods(typescript, /^(?:export class (\w+)| {2}(\w+)\(.*)/gm);
    expect(methods).toContain("Mouse left_click");
    for (const [file, prefix] of [["_operations.py", ""], ["_async_operations.py", "Async"]]) {
      const python = await Deno.readTextFile(`${folder}/${file}`);
      const own = readMethods(python, /^(?:class (\w+)| {4}(?:async )?def ([a-z]\w*))/gm);
      expect(own.map((method) => method.slice(prefix!.length))).toEqual(methods);
    }
  },
});

/** `Mouse left_click`, in the order of the text, each once. */
function readMethods(text: string, pattern: RegExp): string[] {
  let group = "";
  const methods = [...text.matchAll(pattern)].map(([, name, method]) => {
    group = name ?? group;
    return method === undefined ? [] : [`${group} ${snake(method)}`];
  });
  return [...new Set(methods.flat())];
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
