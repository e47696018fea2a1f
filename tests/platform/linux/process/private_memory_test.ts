/** Commands have the rights of the service's user, and still do not see into the service. */

import { expect } from "expect";
import { startCommand } from "../../../support/command.ts";
import { succeeds, testIf } from "../../../support/test_if.ts";

const TOKEN = "not-for-commands-0123456789";
const HIDDEN = ["environ", "maps", "fd/0", "exe", "cwd"];

/** Root reads everything; without capabilities it is a user like any other. */
const AS_PLAIN_USER = Deno.uid() === 0
  ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
  : [];
const [program, ...args] = [...AS_PLAIN_USER, "true"];
const fits = Deno.build.os === "linux" && await succeeds(program!, args);

testIf(fits, "needs Linux, and `setpriv` when root runs it")(
  "a command cannot read the token, the memory or the files of the service",
  async () => {
    const state = await Deno.makeTempDir();
    {
      await using service = await startCommand(
        ["--display", ":4095", "--no-setup", "--keychain", "file", "--state-dir", state],
        { COMPUTER_CONTROL_TOKEN: TOKEN },
        AS_PLAIN_USER,
      );
      const run = async (body: Record<string, unknown>) => {
        const answer = await fetch(`${service.address}/api/bash/command`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
          body: JSON.stringify(body),
        });
        return (await answer.json()).output;
      };
      for (const name of HIDDEN) {
        const file = `/proc/${service.pid}/${name}`;
        const command = `{ readlink ${file} || head -c 100 ${file}; } >/dev/null 2>&1 && echo read`;
        expect({ file, read: await run({ command }) }).toEqual({ file, read: "" });
      }
      expect(await run({ command: "cat /proc/$PPID/environ; env" })).not.toContain(
        TOKEN,
      );
      // the service itself still follows what it starts, by either way
      expect(await run({ command: "cat; pwd", cwd: "/", stdin: "hi\n" })).toBe("hi\n/\n");
      expect(await run({ command: "head -c 1 /proc/$$/environ >/dev/null && echo own" }))
        .toBe("own\n");
    }
    await Deno.remove(state, { recursive: true });
  },
);
