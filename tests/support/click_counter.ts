/** A Tk program at the top left corner that counts clicks as its toolkit does. */

import { fileURLToPath } from "node:url";
import { lineReader } from "./lines.ts";

export interface ClickCounter extends AsyncDisposable {
  /** What has been counted since the last call; a right click by `end` closes the count. */
  counted(end: () => Promise<unknown>): Promise<string[]>;
}

export async function openClickCounter(display: string): Promise<ClickCounter> {
  const child = new Deno.Command("/usr/bin/python3", {
    args: [fileURLToPath(new URL("./click_counter.py", import.meta.url))],
    env: { DISPLAY: display },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = lineReader(child.stdout);
  await lines.until(/^ready$/);
  return {
    async counted(end) {
      const from = lines.seen.length;
      await end();
      await lines.until(/^end$/);
      return lines.seen.slice(from, -1);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await lines.rest();
      await child.status;
    },
  };
}
