/** A program whose stopping hangs, and with an argument its main thread; started by a test. */

import { endAtLatest } from "../../src/cli/service_parts.ts";

console.log("stopping");
await endAtLatest(50, { os: "linux" }, 950);
if (Deno.args.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
await Deno.stdin.read(new Uint8Array(1)); // which nobody writes
