/** Programs in a session of their own: who leads it, and how they are ended. */

import assert from "node:assert/strict";
import { spawnInSession } from "../../../src/platform/helper_program.ts";
import { killSession, sendSignal } from "../../../src/platform/posix/process_table.ts";
import { waitFor } from "../../support/wait.ts";

const SILENT = { stdin: "null", stderr: "null" } as const;
/** The session and the group of the process itself, from its line of `/proc`. */
const OWN_GROUP = "read -r pid name state parent group session rest </proc/self/stat";

Deno.test("a program in a session of its own leads it, and its number is the one that is known", async () => {
  const command = ["/bin/sh", "-c", `${OWN_GROUP}; echo $pid $group $session`] as const;
  const child = spawnInSession(command, { ...SILENT, stdout: "piped" });
  const { stdout } = await child.output();
  assert.equal(new TextDecoder().decode(stdout), `${`${child.pid} `.repeat(3).trim()}\n`);
});

Deno.test("killed in the moment of its start, nothing of a program goes on", async () => {
  for (let round = 0; round < 20; round++) {
    const command = ["/bin/sh", "-c", "sleep 1000 & sleep 1000"] as const;
    const child = spawnInSession(command, { ...SILENT, stdout: "null" });
    killSession(child);
    assert.equal((await child.status).signal, "SIGKILL");
    // what was orphaned stays in its group until init has asked for its exit code
    await waitFor(() => sendSignal(-child.pid, 0) === "nobody");
  }
});

Deno.test("a program that is not installed is not found", () => {
  assert.throws(
    () => spawnInSession(["no-such-program"], { ...SILENT, stdout: "null" }),
    Deno.errors.NotFound,
  );
});
