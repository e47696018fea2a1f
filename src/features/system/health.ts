/** Whether the service is alive, and whether it can do its work. */

import { WithStatus } from "../operation.ts";
import type { Config } from "../../config/config.ts";
import type { Keychain, Port, Readiness } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { Session } from "../session.ts";

export function getHealth() {
  return { status: "ok" };
}

/** 503 with the same body when the display is not there; a keychain that is not there is told only. */
export async function getReadiness({ platform, config, session }: Context) {
  const [display, keychain] = await Promise.all([
    platform.displays.readiness(),
    keychainReadiness(platform.keychain, config, session),
  ]);
  const body = { ready: display.ready, display, keychain };
  return display.ready ? body : new WithStatus(503, body);
}

async function keychainReadiness(
  keychain: Port<Keychain>,
  config: Config,
  session: Session,
): Promise<Readiness> {
  if (config.disabled.has("keychain")) {
    return { ready: false, reason: "Switched off by --disable" };
  }
  return keychain.ready ? await session.keychainReadiness.of(keychain.use) : keychain;
}
