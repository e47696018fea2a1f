/** The interface of the HTTP server of agent-sandbox. */

import type { CompatApp } from "./compat.ts";

export function addRoutes(_app: CompatApp): void {}
