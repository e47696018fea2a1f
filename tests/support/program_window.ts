/** Windows of a program that runs in the test itself: it says what the test wants, and closes or not. */

import { Buffer } from "node:buffer";
import { type TestX, type WindowOptions } from "./x_client.ts";

export interface ProgramWindowOptions extends WindowOptions {
  readonly title?: string;
  /** The class of WM_CLASS. */
  readonly app?: string;
  /** What it does when it is asked to close; without it, it does not take part in that. */
  readonly onClose?: "closes" | "ignores";
  /** It refuses every other size. */
  readonly fixedSize?: boolean;
  /** It takes only multiples of so many pixels. */
  readonly sizeStep?: number;
}

const PREDEFINED = {
  WM_NAME: 39,
  STRING: 31,
  WM_CLASS: 67,
  WM_NORMAL_HINTS: 40,
  WM_SIZE_HINTS: 41,
};
const ATOM = 4;
const CARDINAL = 6;
const RESIZE_INCREMENT = 1 << 6;
const MIN_AND_MAX_SIZE = (1 << 4) | (1 << 5);

/** Opens many windows with titles of 6 kB, the first one below the others. */
export async function openCrowd(x: TestX, size: number): Promise<number[]> {
  const { client, root } = x;
  const atom = (name: string) => x.call<number>((done) => client.InternAtom(false, name, done));
  const [netName, utf8] = await Promise.all(["_NET_WM_NAME", "UTF8_STRING"].map(atom));
  const opened = Array.from({ length: size }, (_, index) => {
    const window = client.AllocID();
    client.CreateWindow(window, root, index % 1_000, 0, 50, 50, 0, 0, 0, 0, { backgroundPixel: 0 });
    client.ChangeProperty(0, window, netName!, utf8!, 8, Buffer.from("é".repeat(3_000)));
    client.MapWindow(window);
    return window;
  });
  await x.waitUntilViewable(opened.at(-1)!);
  return opened;
}

/** Opens a window that a window manager may touch; resolves when it is on the screen. */
export async function openProgramWindow(
  x: TestX,
  options: ProgramWindowOptions = {},
): Promise<number> {
  const { client } = x;
  const {
    title = "",
    app,
    onClose,
    fixedSize = false,
    sizeStep,
    width = 200,
    height = 200,
  } = options;
  const atom = (name: string) => x.call<number>((done) => client.InternAtom(false, name, done));
  const [netName, utf8, protocols, deleteWindow, pid] = await Promise.all(
    ["_NET_WM_NAME", "UTF8_STRING", "WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_PID"].map(atom),
  );
  return await x.openWindow({
    managed: true,
    ...options,
    prepare: (window) => {
      client.ChangeProperty(0, window, netName!, utf8!, 8, Buffer.from(title));
      client.ChangeProperty(0, window, pid!, CARDINAL, 32, [Deno.pid]);
      if (app !== undefined) {
        const bytes = Buffer.from(`${app.toLowerCase()}\0${app}\0`);
        client.ChangeProperty(0, window, PREDEFINED.WM_CLASS, PREDEFINED.STRING, 8, bytes);
      }
      if (fixedSize || sizeStep !== undefined) {
        const hints = Array.from({ length: 18 }, () => 0);
        hints[0] = fixedSize ? MIN_AND_MAX_SIZE : RESIZE_INCREMENT;
        [hints[5], hints[6], hints[7], hints[8]] = [width, height, width, height];
        [hints[9], hints[10]] = [sizeStep ?? 0, sizeStep ?? 0];
        const { WM_NORMAL_HINTS, WM_SIZE_HINTS } = PREDEFINED;
        client.ChangeProperty(0, window, WM_NORMAL_HINTS, WM_SIZE_HINTS, 32, hints);
      }
      if (onClose !== undefined) {
        client.ChangeProperty(0, window, protocols!, ATOM, 32, [deleteWindow!]);
      }
      if (onClose === "closes") {
        client.on(
          "event",
          ((event: { name: string; wid: number; data: number[] }) => {
            if (event.name !== "ClientMessage" || event.wid !== window) return;
            if (event.data[0] === deleteWindow) client.DestroyWindow(window);
          }) as never,
        );
      }
    },
  });
}
