/** An error that a program on the bus has answered with. */

import { ServiceError } from "../../../core/errors.ts";

export class BusError extends ServiceError {
  override readonly name = "BusError";
  /** Who has answered. */
  readonly destination: string;

  /** @param errorName such as `org.freedesktop.DBus.Error.ServiceUnknown` */
  constructor(readonly errorName: string, readonly text: string, { destination }: {
    readonly destination: string;
  }) {
    const why = text === "" ? errorName : `${text} (${errorName})`;
    super("unavailable", `"${destination}" answers on the bus: ${why}`);
    this.destination = destination;
  }

  /** Whether the answer was one that nobody can use. */
  get isDamaged(): boolean {
    return this.errorName === TOO_LONG || this.errorName === WRONG_TYPES;
  }

  /** Whether no such program runs, and none can be started. */
  get isServiceMissing(): boolean {
    return SERVICE_MISSING.includes(this.errorName);
  }
}

/** Names of answers that are not passed on. */
export const TOO_LONG = "org.freedesktop.DBus.Error.LimitsExceeded";
export const WRONG_TYPES = "org.freedesktop.DBus.Error.InvalidSignature";

const SERVICE_MISSING = [
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
];
