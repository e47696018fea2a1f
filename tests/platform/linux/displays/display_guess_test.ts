/** checkGuess(): which X server may be taken for the user's desktop, with real ones. */

import { expect } from "expect";
import { createLog } from "../../../../src/core/log.ts";
import { thisHost } from "../../../../src/platform/host.ts";
import { checkGuess } from "../../../../src/platform/linux/displays/find_display.ts";
import { startVirtualDisplay } from "../../../../src/platform/linux/virtual/x_display.ts";
import { testFolder } from "../../../support/folder.ts";
import { serverPid } from "../../../support/processes.ts";
import { waitFor } from "../../../support/wait.ts";
import { startXvfb } from "../../../support/xvfb.ts";

const uid = Deno.uid();

Deno.test("checkGuess() takes an X server of our own user", async () => {
  await using xvfb = await startXvfb();
  await checkGuess(xvfb.display, uid);
});

Deno.test("checkGuess() leaves an X server of another user alone", async () => {
  await using xvfb = await startXvfb();
  await expect(checkGuess(xvfb.display, uid! + 1)).rejects.toMatchObject({
    kind: "not_ours",
    message: `the X server at "${xvfb.display}" belongs to another user`,
  });
});

Deno.test("checkGuess() says that there is no server", async () => {
  await expect(checkGuess(":4994", uid)).rejects.toMatchObject({ kind: "absent" });
});

Deno.test("checkGuess() knows the virtual display of any instance, also after a new start", async () => {
  await using folder = await testFolder();
  const options = {
    size: { width: 320, height: 240 },
    stateDir: folder.path,
    log: createLog(() => {}),
  };
  await using virtual = await startVirtualDisplay(thisHost(), options);
  const refusal = {
    kind: "not_ours",
    message: `the X server at "${virtual.display}" is the virtual display of another instance`,
  };
  await expect(checkGuess(virtual.display, uid)).rejects.toMatchObject(refusal);
  Deno.kill(serverPid(virtual.display), "SIGKILL");
  await waitFor(() => !virtual.running, { what: "the end of the server to be noticed" });
  await waitFor(() => virtual.running, { what: "a new server" });
  await expect(checkGuess(virtual.display, uid)).rejects.toMatchObject(refusal);
});
