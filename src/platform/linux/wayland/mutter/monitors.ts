/** The monitors of a GNOME desktop, in the order of their display numbers: the primary one first. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Point } from "../../../../core/geometry.ts";
import type { MessageBus } from "../../bus/types.ts";
import { SERVICES } from "./names.ts";

export interface Monitor {
  /** The connector, such as `eDP-1` or `Meta-0`. */
  readonly name: string;
  /** In the coordinates of the desktop. */
  readonly position: Point;
  readonly scale: number;
  readonly isPrimary: boolean;
}

/** `(x, y, scale, transform, primary, [(connector, vendor, product, serial)], properties)` */
type LogicalMonitor = readonly [
  number,
  number,
  number,
  number,
  boolean,
  readonly (readonly [string, string, string, string])[],
  object,
];

/**
 * Monitors that show the same picture count once.
 * @throws ServiceError `unavailable`: there is none
 */
export async function readMonitors(bus: MessageBus): Promise<Monitor[]> {
  const { body } = await bus.call({ ...SERVICES.displayConfig, member: "GetCurrentState" });
  const [, , logical] = body as readonly [number, unknown, readonly LogicalMonitor[]];
  const monitors = logical.flatMap(([x, y, scale, , isPrimary, [first]]): Monitor[] =>
    first === undefined ? [] : [{ name: first[0], position: { x, y }, scale, isPrimary }]
  );
  if (monitors.length === 0) {
    throw new ServiceError("unavailable", "The desktop has no monitor now: connect one");
  }
  return monitors.sort((a, b) =>
    Number(b.isPrimary) - Number(a.isPrimary) || a.position.x - b.position.x ||
    a.position.y - b.position.y
  );
}
