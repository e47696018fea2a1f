/** Keeps a real program from running for a while, as a computer does that is busy with something else. */

import { within } from "../../../src/core/deadline.ts";
import { waitFor } from "../../support/wait.ts";
import type { TestX } from "../../support/x_client.ts";
import { stateOf } from "./processes.ts";

/** A server that answers later than this is kept by the program. */
const KEPT_MS = 1_000;
/** What the program had sent before it was stopped has been processed before the last of these. */
const ROUND_TRIPS = 3;

/**
 * Stops a program until the result is disposed, while others can use the X server: GTK keeps that
 * for itself (GrabServer) for moments, for example to find what is below the pointer, and would then
 * stop every other program, too.
 */
export async function stopProgram(x: TestX, pid: number): Promise<Disposable> {
  return await waitFor(async () => {
    using stopping = new DisposableStack();
    Deno.kill(pid, "SIGSTOP");
    stopping.defer(() => Deno.kill(pid, "SIGCONT"));
    await waitFor(() => stateOf(pid) === "T", { what: "the program to stop" });
    for (let trip = 0; trip < ROUND_TRIPS; trip++) {
      if (!await within(x.keysDown(), KEPT_MS)) return undefined;
    }
    return stopping.move();
  }, { what: "the program to stop without the X server" });
}
