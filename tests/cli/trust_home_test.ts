/** `--trust-home`: a home on a volume of a container, which its orchestrator opens to a group. */

import { expect } from "expect";
import { runCommand, startCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { unless } from "../support/test_if.ts";

const ignore = unless(Deno.build.os !== "windows", "Windows has no modes");

/** What the kubelet does with a volume when a pod has an `fsGroup`. */
async function openToGroup(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o2770);
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) await openToGroup(`${folder}/${name}`);
    else await Deno.chmod(`${folder}/${name}`, 0o660);
  }
}

Deno.test({
  name:
    "a home that others can change is refused, and used with --trust-home, also after a restart",
  ignore,
  async fn() {
    await using folder = await testFolder();
    const home = `${folder.path}/home`;
    await Deno.mkdir(home);
    await Deno.chmod(home, 0o2777);
    const env = { HOME: home };
    const refused = await runCommand(["--port", "0", "--virtual-display"], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("other users can change");
    const list = (more: Record<string, string> = {}) =>
      runCommand(["token", "list"], { ...env, ...more });
    expect((await list()).code).toBe(1);
    const trust = { COMPUTER_CONTROL_TRUST_HOME: "1" };
    const added = await runCommand(["token", "add", "one"], { ...env, ...trust });
    expect(added).toMatchObject({ code: 0, stderr: "" });
    for (let run = 1; run <= 2; run++) {
      const flags = ["--virtual-display", "320x240", "--trust-home", "--keychain", "file"];
      await using service = await startCommand(flags, env);
      const call = (path: string, body?: unknown) =>
        fetch(service.address + path, {
          method: body === undefined ? "GET" : "POST",
          headers: {
            "content-type": "application/json",
            "x-computer-control-token": added.stdout.trim(),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const stored = { service: `of run ${run}`, item: { password: "s3cret" } };
      expect((await call("/api/keychain/set-item", stored)).status).toBe(204);
      const services = await (await call("/api/keychain/list-services")).json();
      expect(services.length).toBe(run);
      const file = { path: "~/notes.txt", content: `run ${run}`, overwrite: true };
      expect((await call("/api/filesystem/write", file)).status).toBe(204);
      const ready = await (await call("/readyz")).json();
      expect(ready).toMatchObject({ ready: true, keychain: { ready: true } });
      service.signal("SIGTERM");
      expect(await service.ended).toBe(0);
      await openToGroup(home);
    }
    expect((await list(trust)).stdout).toContain("one");
    expect((await list()).stderr).toContain("chmod");
  },
});
