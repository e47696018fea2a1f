/** The interface of cua's computer server. */

import type { CompatApp } from "./compat.ts";

export function addRoutes(_app: CompatApp): void {}
