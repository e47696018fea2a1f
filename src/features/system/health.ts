/** Whether the service is alive, and whether it can do its work. */

import type { Config } from "../../config.ts";
import type { Keychain, Port, Readiness } from "../../platform/types.ts";
import { type Context, WithStatus } from "../operation.ts";

export function getHealth() {
  return { status: "ok" };
}

/** 503 with the same body when the display is not there; a keychain that is not there is told only. */
export async function getReadiness({ platform, config }: Context) {
  const [display, keychain] = await Promise.all([
    platform.displays.readiness(),
    keychainReadiness(platform.keychain, config),
  ]);
  const body = { ready: display.ready, display, keychain };
  return display.ready ? body : new WithStatus(503, body);
}

function keychainReadiness(keychain: Port<Keychain>, config: Config): Promise<Readiness> {
  if (config.disabled.has("keychain")) {
    return Promise.resolve({ ready: false, reason: "Switched off by --disable" });
  }
  return keychain.ready ? keychain.use.readiness() : Promise.resolve(keychain);
}
