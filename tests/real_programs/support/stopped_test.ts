/** A program that a test stops does not stop the X server for all others. */

import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { within } from "../../../src/core/deadline.ts";
import { lineReader } from "../../support/lines.ts";
import { TestX } from "../../support/x_client.ts";
import { startXvfb } from "../../support/xvfb.ts";
import { stateOf } from "./processes.ts";
import { stopProgram } from "./stopped.ts";

const CONFIG = fileURLToPath(new URL("../../../deno.dev.json", import.meta.url));
const KEEPER = fileURLToPath(new URL("./server_keeper.ts", import.meta.url));

Deno.test("stopProgram() stops a program when it no longer keeps the X server for itself", async () => {
  await using xvfb = await startXvfb();
  using x = await TestX.open(xvfb.display);
  await using keeper = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--cached-only", "-c", CONFIG, KEEPER, xvfb.display],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const lines = lineReader(keeper.stdout);
  await lines.until(/kept/);
  {
    using _stopped = await stopProgram(x, keeper.pid);
    expect(stateOf(keeper.pid)).toBe("T");
    expect(await within(x.keysDown(), 10_000)).toBe(true);
  }
  expect(stateOf(keeper.pid)).not.toBe("T");
  keeper.kill("SIGKILL");
  await lines.cancel();
});
