/** Reports whether the service is alive, and whether it can do its work. */

import { z } from "zod";
import type { Config } from "../../config/config.ts";
import type { Keychain, Port, Readiness } from "../../platform/types/mod.ts";
import type { Context } from "../context.ts";
import type { ResultOf } from "../outcomes.ts";
import type { Session } from "../session.ts";

const State = z.object({
  ready: z.boolean(),
  reason: z.string().describe("The reason, in one sentence."),
});
const schema = z.object({ ready: z.boolean(), display: State, keychain: State });

export const READINESS_ANSWER = {
  oneOf: {
    ready: { status: 200, description: "The service is ready.", schema },
    notReady: {
      status: 503,
      description: "The display is not available; the body says why.",
      schema,
    },
  },
} as const;

export function getHealth() {
  return { status: "ok" } as const;
}

/** Without the display the service is not ready; a missing keychain is only reported. */
export async function getReadiness(
  { platform, config, session }: Context,
): Promise<ResultOf<typeof READINESS_ANSWER>> {
  const [display, keychain] = await Promise.all([
    platform.displays.readiness(),
    keychainReadiness(platform.keychain, config, session),
  ]);
  const body = { ready: display.ready, display, keychain };
  return { outcome: display.ready ? "ready" : "notReady", body };
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
