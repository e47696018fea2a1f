/** Requests of the untyped package that only windows need, and what else the answers to others have. */

import type { Callback, XClient } from "../client.ts";
import type { X11Connection } from "../connection.ts";

export interface WindowClient extends XClient {
  /** As the server draws it, in pixels relative to its parent. */
  GetGeometry(
    drawable: number,
    callback: Callback<{ width: number; height: number; borderWidth: number }>,
  ): void;
  /** `destX` and `destY` are the point as `to` counts it. */
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    callback: Callback<{ child: number; destX: number; destY: number }>,
  ): void;
  /** `klass` 1: it can show something. */
  GetWindowAttributes(
    window: number,
    callback: Callback<{ klass: number; mapState: number; overrideRedirect: number }>,
  ): void;
  /** The children from the bottom to the top. */
  QueryTree(window: number, callback: Callback<{ parent: number; children: number[] }>): void;
  /** @param values `stackMode` 0: on top */
  ConfigureWindow(
    window: number,
    values: { x?: number; y?: number; width?: number; height?: number; stackMode?: number },
  ): void;
  /** @param revertTo 1: to the window under the pointer */
  SetInputFocus(window: number, revertTo: number): void;
}

export function windowClient({ client }: X11Connection): WindowClient {
  return client as WindowClient;
}
