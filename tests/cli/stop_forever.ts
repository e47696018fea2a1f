/** A program whose stopping hangs; started by a test. */

import { endAtLatest } from "../../src/cli/service_parts.ts";

console.log("stopping");
endAtLatest(50);
await Deno.stdin.read(new Uint8Array(1)); // which nobody writes
