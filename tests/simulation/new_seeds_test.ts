/** The service in worlds that nobody has tried before, for three minutes: `deno task simulate` has the seed again. */

import { expect } from "expect";
import { fileURLToPath } from "node:url";

Deno.test("three minutes of new seeds find nothing", async () => {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", "simulate", "--minutes", "3"],
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  console.log(output);
  expect([success, /: (\d+) failed$/m.exec(output)?.[1]]).toEqual([true, "0"]);
});
