/** The X extensions that are needed to read the screen and about windows, with types for the parts that are used. */

import type { Callback } from "./client.ts";
import type { X11Connection } from "./connection.ts";

/** MIT-SHM: pictures through memory that is shared with the server. */
export interface Shm {
  Attach(segment: number, shmid: number, readOnly: boolean, callback: Callback<void>): void;
  Detach(segment: number): void;
  GetImage(
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planes: number,
    format: number,
    segment: number,
    offset: number,
    callback: Callback<{ size: number }>,
  ): void;
}

/** XFIXES, version 5. */
export interface Fixes {
  CreateRegion(region: number, rectangles: readonly XRectangle[]): void;
  FetchRegion(region: number, callback: Callback<{ rectangles: readonly XRectangle[] }>): void;
  GetCursorImage(callback: Callback<XCursorImage>): void;
}

export interface XRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface XCursorImage extends XRectangle {
  readonly xhot: number;
  readonly yhot: number;
  readonly cursorSerial: number;
  /** ARGB32, least significant byte first, premultiplied. */
  readonly cursorImage: Uint8Array;
}

/** DAMAGE, version 1.1. */
export interface Damage {
  readonly majorOpcode: number;
  readonly ReportLevel: { readonly NonEmpty: number };
  Create(damage: number, drawable: number, level: number): void;
  /** Moves the damaged area into the region `parts` and rearms the event. */
  Subtract(damage: number, repair: number, parts: number): void;
}

/** X-Resource, version 1.2. */
export interface Resources {
  readonly ClientIdMask: { readonly LocalClientPID: number };
  QueryVersion(major: number, minor: number, callback: Callback<readonly number[]>): void;
  QueryClientIds(
    specs: readonly { readonly client: number; readonly mask: number }[],
    callback: Callback<ClientIds>,
  ): void;
}

export type ClientIds = readonly { readonly value: readonly number[] }[];

/** Returns the extension, or `undefined` when the server lacks it. */
export async function requireExtension<T>(
  connection: X11Connection,
  name: string,
): Promise<T | undefined> {
  try {
    return await connection.call<T>((done) => connection.client.require(name, done as never));
  } catch (error) {
    if (!connection.connected) throw error;
    return undefined;
  }
}

/** Exempts this connection from server grabs (by a menu, a screenshot tool). */
export async function ignoreGrabs(connection: X11Connection): Promise<void> {
  const xtest = await requireExtension<{ GrabControl(impervious: boolean): void }>(
    connection,
    "xtest",
  );
  xtest?.GrabControl(true);
}
