/** Where the pixels of a shared monitor are for the portal, and where the cursor is. */

import type { Point, Size } from "../../../types/mod.ts";
import type { PipeWireStream } from "../../pipewire/stream.ts";
import { PointerPosition } from "../pointer_position.ts";
import type { PointedMonitor } from "./input.ts";
import type { PortalPoint } from "./notifications.ts";
import type { PortalSession, SharedMonitor } from "./open_session.ts";
import { denied } from "./refusals.ts";

export class MonitorPointer implements PointedMonitor {
  readonly #position: PointerPosition;

  constructor(
    private readonly monitor: SharedMonitor,
    private readonly stream: Pick<PipeWireStream, "size" | "cursor" | "cursorKey">,
  ) {
    this.#position = new PointerPosition(stream);
  }

  /** In the desktop's own units. */
  get logicalSize(): Size {
    return this.monitor.size ?? this.stream.size;
  }

  locate(pixel: Point, session: PortalSession): PortalPoint {
    const { node } = findMonitor(session, this.monitor);
    const [from, to] = [this.stream.size, this.logicalSize];
    this.#position.move(pixel);
    return {
      node,
      x: toUnits(pixel.x, from.width, to.width),
      y: toUnits(pixel.y, from.height, to.height),
    };
  }

  /** @throws ServiceError `unavailable`: the cursor is on another monitor, or hidden */
  position(): Promise<Point> {
    return this.#position.read();
  }
}

/** The session that controls can be another one than that of the pictures. */
function findMonitor(session: PortalSession, shown: SharedMonitor): SharedMonitor {
  const { monitors } = session;
  if (monitors.includes(shown)) return shown;
  const same = monitors.find(({ position: { x, y } }) =>
    x === shown.position.x && y === shown.position.y
  );
  if (same === undefined) throw denied("otherMonitor");
  return same;
}

/** The middle of the pixel, so that rounding in between does not hit another one. */
function toUnits(pixel: number, pixels: number, units: number): number {
  return pixels === units ? pixel : (pixel + 0.5) * units / pixels;
}
