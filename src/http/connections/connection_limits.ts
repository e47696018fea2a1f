/**
 * Computes how many connections to allow: the configured limits, less what the service needs for
 * its own work.
 */

import type { Limits } from "../../config/limits.ts";
import { type ConnectionLimits, EXTRA } from "./connections.ts";

/**
 * Descriptors for commands, files, displays and the runtime; half of all descriptors if there are
 * few.
 */
const RESERVED = 384;

/** @param descriptors how many descriptors the process may have open */
export function connectionLimits(limits: Limits, descriptors: number): ConnectionLimits {
  const free = Math.max(8, descriptors - Math.min(RESERVED, descriptors / 2));
  return {
    max: Math.floor(Math.min(limits.maxConnections, Math.max(8, free - EXTRA))),
    maxPerAddress: limits.maxConnectionsPerAddress,
    headerMs: limits.headerTimeoutMs,
    bodyMs: limits.bodyTimeoutMs,
    writeMs: limits.writeTimeoutMs,
    idleMs: limits.idleTimeoutMs,
  };
}
