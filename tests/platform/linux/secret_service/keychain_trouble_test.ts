/** The Secret Service when its programs and its bus misbehave. */

import { expect } from "expect";
import { secretService } from "../../../../src/platform/linux/secret_service/keychain.ts";
import { runPrivately } from "../../../../src/platform/keychain/private_file.ts";
import type { Keychain } from "../../../../src/platform/types/mod.ts";
import { fakeHost } from "../../../support/fake_host.ts";
import { testFolder } from "../../../support/folder.ts";
import { type Keyring, startKeyring } from "../../../support/keyring.ts";
import { waitFor } from "../../../support/wait.ts";
import { writeProgram } from "../../../support/written_program.ts";

/** The keychain of a real keyring, with a script in place of `secret-tool`. */
async function startWithTool(keyring: Keyring, script: string, timeoutMs = 20_000) {
  const folder = await testFolder();
  const tool = `${folder.path}/secret-tool`;
  await writeProgram(tool, `#!/bin/sh\n${script}\n`);
  const env = { DBUS_SESSION_BUS_ADDRESS: keyring.address };
  const host = { ...fakeHost({ env }), which: () => tool };
  const keychain: Keychain = await secretService(host, { timeoutMs }).open();
  return { ...folder, keychain };
}

for (
  const [what, script] of [
    ["is killed", 'kill -KILL "$$"'],
    ["crashes", 'kill -SEGV "$$"'],
    ["fails without a word", "exit 2"],
    ["complains", "echo trouble >&2; exit 1"],
  ] as const
) {
  Deno.test(`secretService() takes no item for missing or deleted when secret-tool ${what}`, async () => {
    await using keyring = await startKeyring("unlocked");
    await using tool = await startWithTool(keyring, script);
    const { keychain } = tool;
    for (
      const use of [
        () => keychain.read("a"),
        () => keychain.remove("a"),
        () => keychain.write("a", "b"),
      ]
    ) {
      await expect(use()).rejects.toMatchObject({ code: "unavailable" });
    }
  });
}

Deno.test("secretService() makes the changes of a name one after the other, the last one last", async () => {
  await using keyring = await startKeyring("unlocked");
  // the first of them takes longest
  const slow = 'case "$1" in store) mkdir "$0.first" 2>/dev/null && sleep 0.3;; esac';
  await using tool = await startWithTool(keyring, `${slow}\nexec /usr/bin/secret-tool "$@"`);
  const { keychain } = tool;
  const done: string[] = [];
  await Promise.all([
    keychain.write("a", "first").then(() => done.push("first")),
    keychain.write("a", "second").then(() => done.push("second")),
    keychain.write("a", "third").then(() => done.push("third")),
  ]);
  expect(done).toEqual(["first", "second", "third"]);
  expect(await keychain.read("a")).toBe("third");
});

Deno.test("runPrivately() gives up on a program whose children hold its output open", async () => {
  await using folder = await testFolder();
  const pids = `${folder.path}/pid`;
  const asked = runPrivately({
    program: "sh",
    args: ["-c", `sleep 1000 & echo $! > ${pids}; wait`],
    timeoutMs: 2_000,
  });
  await expect(asked).rejects.toThrow('"sh" did not respond within 2000 ms');
  const pid = await waitFor(async () => Number(await Deno.readTextFile(pids)) || undefined);
  Deno.kill(pid, "SIGKILL");
});

Deno.test("secretService() leaves no connection open on a bus that hangs", async () => {
  const path = await Deno.makeTempFile();
  await Deno.remove(path);
  using listener = Deno.listen({ transport: "unix", path });
  const host = fakeHost({ env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` } });
  const keychain = await secretService(host, { timeoutMs: 50 }).open();
  for (let time = 0; time < 3; time++) {
    const asked = keychain.names();
    using connection = await listener.accept();
    await expect(asked).rejects.toThrow("did not respond within 50 ms");
    // a connection that is gone refuses what is written to it; one that is only half closed takes it
    await waitFor(async () => {
      try {
        await connection.write(new Uint8Array(1));
        return false;
      } catch {
        return true;
      }
    }, { what: "the end of the connection", timeoutMs: 10_000 });
  }
});
