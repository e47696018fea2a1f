/** Takes back what the desktop has stored for our tokens. */

import type { MessageBus } from "../../bus/types.ts";
import type { GrantRecord } from "./grant_record.ts";

const STORE = {
  destination: "org.freedesktop.impl.portal.PermissionStore",
  path: "/org/freedesktop/impl/portal/PermissionStore",
  interface: "org.freedesktop.impl.portal.PermissionStore",
} as const;

/** Whether everything that the tokens restore is forgotten. */
export async function forgetTokens(bus: MessageBus, record: GrantRecord): Promise<boolean> {
  const entries = [["remote-desktop", record.remoteDesktop], ["screencast", record.screenCast]];
  const results = await Promise.allSettled(
    entries.filter(([, token]) => token !== undefined).map((body) =>
      bus.call({ ...STORE, member: "Delete", signature: "ss", body })
    ),
  );
  return results.length > 0 && results.every(({ status }) => status === "fulfilled");
}
