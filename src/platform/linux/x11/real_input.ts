/**
 * Input of the real devices of an X display, on a connection of its own: raw events name the device
 * from which they come (The X Input Extension, version 2.2, chapter 4.8).
 */

import { ServiceError } from "../../../core/errors.ts";
import { SharedRun } from "../../../core/shared_run.ts";
import type { RealInputWatch } from "../../types/mod.ts";
import type { Callback } from "./client.ts";
import { requireExtension, X11Connection } from "./connection.ts";

interface XInput {
  /** The server's version 2.x; `null` where it is older. */
  readonly xi2: { readonly minorVersion: number } | null;
  XIQueryDevice(device: number, callback: Callback<readonly Device[]>): void;
  XISelectEvents(window: number, masks: readonly object[]): void;
}

interface Device {
  readonly deviceId: number;
  readonly use: number;
  readonly name: string;
}

const DEVICES = { all: 0, masters: 1 } as const;
/** The `use` of a pointer that moves the cursor, and of a keyboard that types. */
const ATTACHED = [3, 4];
const RAW_EVENTS = ["RawKeyPress", "RawButtonPress", "RawMotion", "RawTouchBegin"];

/**
 * Calls `used` at each input that no program injects.
 * @throws XOpenError; ServiceError `unsupported` where the server does not tell
 */
export function watchRealInput(name: string, used: () => void): Promise<RealInputWatch> {
  return X11Connection.openFor(name, async (connection) => {
    const refuse = (why: string) =>
      new ServiceError("unsupported", `The X server at "${name}" ${why}`);
    const xinput = await requireExtension<XInput>(connection, "xinput");
    if (xinput === undefined || (xinput.xi2?.minorVersion ?? 0) < 2) {
      throw refuse("lacks XInput 2.2, which tells real input from that of programs");
    }
    /** The devices that count: one that is not known yet does not. */
    let real: ReadonlySet<number> = new Set();
    const reading = new SharedRun(async () => {
      const devices = await connection.call<readonly Device[]>((done) =>
        xinput.XIQueryDevice(DEVICES.all, done)
      );
      if (devices.some((each) => each.name.startsWith("xwayland-"))) {
        throw refuse("is XWayland, which gets the input of X programs only");
      }
      // programs inject through a pointer and a keyboard whose names contain XTEST
      const counting = devices.filter((each) =>
        ATTACHED.includes(each.use) && !each.name.includes("XTEST")
      );
      real = new Set(counting.map(({ deviceId }) => deviceId));
    });
    connection.onEvent((event) => {
      if (event.name === "XIHierarchyChanged") reading.run().catch(() => {}); // it has gone
      else if (event.name?.startsWith("XIRaw") && real.has(event.sourceId)) used();
    });
    xinput.XISelectEvents(connection.root, [
      { deviceId: DEVICES.all, mask: ["HierarchyChanged"] },
      { deviceId: DEVICES.masters, mask: RAW_EVENTS },
    ]);
    await reading.run();
    return connection;
  });
}
