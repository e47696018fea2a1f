/** The desktop portal as a way to control a Wayland session: with a permission that is stored. */

import { openHeldBus } from "../../bus/held_connection.ts";
import { openBus } from "../../bus/message_bus.ts";
import type { MessageBus } from "../../bus/types.ts";
import { isMemoryPrivate } from "../../private_memory.ts";
import { sessionBusAddress } from "../../bus/address.ts";
import { available, missing } from "../../../open_port.ts";
import type { WaylandBackend, WaylandContext } from "../backend.ts";
import { Consent } from "./consent.ts";
import { grantRecordPath } from "./grant_record.ts";
import { openPortalWayland } from "./session.ts";

/** What a person has decided, for as long as the service runs. */
const consents = new WeakMap<WaylandContext, Consent>();

export const PORTAL: WaylandBackend = {
  name: "portal",
  fits: () => true,
  reason: "the desktop portal, with the permission that grant portal has stored",
  async open(context) {
    const { host, config } = context;
    const isGranted = host.exists(grantRecordPath(config.stateDir));
    if (!isGranted && !consents.has(context)) {
      return missing("not allowed yet: run computer-control grant portal in the session");
    }
    return available(await openPortalWayland(await consentOf(context).open(), context));
  },
};

function consentOf(context: WaylandContext): Consent {
  const known = consents.get(context);
  if (known !== undefined) return known;
  const { host, config, log, compositor } = context;
  const consent = new Consent({
    stateDir: config.stateDir,
    openBus: () => openVisibleBus(sessionBusAddress(host)),
    compositorRun: () => describeSocket(compositor.path),
    log,
  });
  consents.set(context, consent);
  return consent;
}

/** The portal opens `/proc/PID/root` of who calls it, which a service with private memory denies. */
async function openVisibleBus(address: string): Promise<MessageBus> {
  return await (isMemoryPrivate() ? openHeldBus(address) : openBus(address));
}

/** A compositor that starts again makes its socket anew. */
function describeSocket(path: string): string {
  try {
    const { dev, ino, ctime, mtime } = Deno.statSync(path);
    return [dev, ino, ctime?.getTime(), mtime?.getTime()].join(" ");
  } catch {
    return "";
  }
}
