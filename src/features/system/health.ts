/** Whether the service is alive, and whether it can do its work. */

import { type Context, WithStatus } from "../operation.ts";

export function getHealth() {
  return { status: "ok" };
}

/** 503 with the same body when the display is not there. */
export async function getReadiness({ platform }: Context) {
  const display = await platform.displays.readiness();
  const body = { ready: display.ready, display };
  return display.ready ? body : new WithStatus(503, body);
}
