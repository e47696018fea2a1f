/** Descriptors that run out at any step of an edit: the old file or the new one, and the service goes on. */

import { expect } from "expect";
import { startCommand } from "../../support/command.ts";
import { leaveDescriptors } from "../../support/file_limit.ts";
import { testFolder } from "../../support/folder.ts";
import { unless } from "../../support/test_if.ts";

/** Files up to 64 KiB are edited in the main thread, others in one of their own. */
const SIZES = { small: 1_000, large: 200_000 };
const MAX_LEFT = 40;
/** Without a descriptor no connection is accepted, and the client gives up. */
const PATIENCE_MS = 5_000;

Deno.test({
  name: "edits while each number of descriptors is left make the old file or the new one",
  ignore: unless(
    Deno.build.os === "linux" && Deno.uid() === 0,
    "only root on Linux sees the descriptors of the service, and changes their limit",
  ),
  async fn() {
    await using folder = await testFolder();
    await using service = await startCommand(["--no-setup", "--display", ":65535"]);
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 4 });
    const edit = async (path: string, old_str: string, new_str: string): Promise<number> => {
      const response = await fetch(`${service.address}/api/editor/str-replace`, {
        ...{ method: "POST", headers: { "content-type": "application/json" }, client },
        signal: AbortSignal.timeout(PATIENCE_MS),
        body: JSON.stringify({ path, old_str, new_str }),
      });
      await response.body?.cancel();
      return response.status;
    };
    const texts = new Map<string, string>();
    for (const [name, size] of Object.entries(SIZES)) {
      for (const links of [1, 2]) {
        const path = `${folder.path}/${name}-${links}`;
        texts.set(path, "version-0\n".padEnd(size, "x"));
        await Deno.writeTextFile(path, texts.get(path)!);
        if (links === 2) await Deno.link(path, `${path}-too`);
      }
    }
    const names = namesIn(folder.path);
    const statuses = new Set<number>();
    for (let left = 0; left <= MAX_LEFT; left += 2) {
      const fresh = new Map<string, number>();
      {
        await using _few = await leaveDescriptors(service.pid, left);
        await Promise.all([...texts].map(async ([path, text]) => {
          const version = text.split("\n")[0]!;
          fresh.set(path, await edit(path, version, `version-${left + 1}`).catch(() => 0));
        }));
      }
      for (const [path, status] of fresh) {
        statuses.add(status);
        const old = texts.get(path)!;
        const wanted = old.replace(/^version-\d+/, `version-${left + 1}`);
        const now = await Deno.readTextFile(path);
        const expected = status === 204 ? [wanted] : status === 0 ? [old, wanted] : [old];
        expect([path, status, expected.includes(now)]).toEqual([path, status, true]);
        texts.set(path, now);
      }
      expect(namesIn(folder.path)).toEqual(names);
    }
    client.close();
    expect(statuses).toContain(204);
    expect([...statuses].filter((status) => ![0, 204, 503].includes(status))).toEqual([]);
    expect(statuses.size).toBeGreaterThan(1);
  },
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
