/** An error that a program on the bus has answered with. */

import { ServiceError } from "../../../core/errors.ts";

export class BusError extends ServiceError {
  override readonly name = "BusError";

  /** @param errorName such as `org.freedesktop.DBus.Error.ServiceUnknown` */
  constructor(readonly errorName: string, readonly text: string, { destination }: {
    readonly destination: string;
  }) {
    const why = text === "" ? errorName : `${text} (${errorName})`;
    super("unavailable", `"${destination}" answers on the bus: ${why}`);
  }

  /** Whether no such program runs, and none can be started. */
  get isServiceMissing(): boolean {
    return SERVICE_MISSING.includes(this.errorName);
  }
}

const SERVICE_MISSING = [
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
];
