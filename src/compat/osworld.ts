/** The interface of the server that OSWorld runs in its virtual machines. */

import type { CompatApp } from "./compat.ts";

export function addRoutes(_app: CompatApp): void {}
