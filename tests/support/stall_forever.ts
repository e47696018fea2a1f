/** A program whose main thread is kept for ever by a request, beside a watchdog; started by a test. */

import { startWatchdog } from "./watchdog.ts";

const watchdog = startWatchdog();
const caller = { remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 } } as const;
const request = new Request("http://localhost/api/sample/loop?secret=1", { method: "POST" });

watchdog.watch(() => {
  while (true);
})(request, caller);
