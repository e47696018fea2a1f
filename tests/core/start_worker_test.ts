/** Threads are not started when there is no descriptor left for them, which would end the program. */

import { expect } from "expect";
import { unless } from "../support/test_if.ts";

const SCRIPT = `
import { startWorker } from "${new URL("../../src/core/worker_thread.ts", import.meta.url)}";
const files = [];
try {
  while (true) files.push(Deno.openSync(Deno.execPath()));
} catch {
  for (let count = 0; count < 2; count++) files.pop().close();
}
try {
  startWorker(new URL("data:text/javascript,"));
} catch (error) {
  console.log(error.code);
}
for (const file of files) file.close();
const worker = startWorker(new URL("data:text/javascript,self.postMessage('started')"));
worker.onmessage = ({ data }) => (console.log(data), worker.terminate());
`;

Deno.test({
  name: "startWorker() refuses when descriptors run out, and starts when there are some again",
  ignore: unless(Deno.build.os === "linux", "the limit of descriptors is set by a shell of Linux"),
  async fn() {
    const { stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", 'ulimit -n 100; exec "$@"', "sh", Deno.execPath(), "eval", SCRIPT],
      env: { NO_COLOR: "1" },
    }).output();
    const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    expect({ said, failed }).toEqual({ said: "unavailable\nstarted\n", failed: "" });
  },
});
