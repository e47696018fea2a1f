/** Records of browsers among which another program has put something else. */

import { expect } from "expect";
import { recordBrowser, recordedBrowsers } from "../../../src/platform/browser/browser_records.ts";
import { unless } from "../../support/test_if.ts";

const ignore = unless(Deno.build.os === "linux", "processes are told from later ones on Linux");

Deno.test({
  name: "recordedBrowsers() waits for no FIFO and reads no device without an end",
  ignore,
  async fn() {
    const stateDir = await Deno.makeTempDir();
    using _own = recordBrowser([stateDir], Deno.pid);
    const fifo = `${stateDir}/browsers/12345`;
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    await Deno.symlink("/dev/full", `${stateDir}/browsers/12346`); // reads as /dev/zero does
    // whoever reads the FIFO waits until this has ended
    await using writer = new Deno.Command("sh", {
      args: ["-c", 'exec sleep 3 <>"$0"', fifo],
      stdin: "null",
    }).spawn();
    const start = performance.now();

    expect(recordedBrowsers([stateDir])).toEqual([Deno.pid]);

    expect(performance.now() - start).toBeLessThan(1_000);
    writer.kill("SIGKILL");
    await Deno.remove(stateDir, { recursive: true });
  },
});
