/** What the watchdog of a service has logged, and what of it is a fault. */

import { MAX_STALL_MS } from "../../src/cli/watchdog.ts";

const STALL = / warn main thread held up ms=\d+ cpu_ms=(\d+) /;

/**
 * The lines about work that computed for too long. Others are not counted: whoever stops the service
 * by a signal, or makes its disk slow, holds it up too.
 */
export function stallsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => Number(STALL.exec(line)?.[1] ?? 0) > MAX_STALL_MS);
}
