/** Reads the pictures of a stream in any thread, from the memory of its newest frame. */

import { pause } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import type { Host } from "../../host.ts";
import type { CaptureOptions, CursorPicture, Region, Screen, UsePicture } from "../../types/mod.ts";
import { connectFile } from "../sockets/message_socket.ts";
import { cursorState, drawCursor, type VisibleCursor } from "./cursor.ts";
import { copyPixels } from "./frame.ts";
import { SharedFrame } from "./shared_frame.ts";

/** @param name of the {@link ScreenAddress}, which no one but the stream makes: that of the frame */
export function openPipeWireScreen(name: string): SharedScreen {
  return new SharedScreen(new SharedFrame(BigInt(name)));
}

export class SharedScreen implements Screen {
  constructor(private readonly shared: SharedFrame) {}

  get connected(): boolean {
    return !this.shared.isClosed;
  }

  async capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    const { width, height } = region;
    const { pixels, cursor } = await this.#copy(region);
    const picture = { width, height, pixels };
    if (options.cursor === "hidden" || cursor === undefined) return use(picture);
    options.beforeCursor?.(picture);
    drawCursor(picture, region, cursor);
    return use(picture, cursorState(cursor));
  }

  /** `undefined` while the cursor is hidden or on another screen. */
  async cursor(): Promise<VisibleCursor | undefined> {
    let found: VisibleCursor | undefined;
    while (!this.shared.read(({ cursor }) => found = cursor)) await pause(1);
    return found;
  }

  async cursorPicture(): Promise<CursorPicture | undefined> {
    const cursor = await this.cursor();
    if (cursor?.image === undefined) return undefined;
    const { position, image } = cursor;
    return { position, hotspot: image.hotspot, image };
  }

  close(): void {} // it owns nothing

  async #copy(region: Region) {
    let copy: { pixels: Uint32Array<ArrayBuffer>; cursor: VisibleCursor | undefined } | undefined;
    let size: { readonly width: number; readonly height: number } | undefined;
    const tryCopy = () =>
      this.shared.read(({ frame, cursor }) => {
        size = frame;
        const isInside = frame !== undefined && region.x + region.width <= frame.width &&
          region.y + region.height <= frame.height;
        if (isInside) copy = { pixels: copyPixels(frame, region), cursor };
      });
    while (!tryCopy()) await pause(1);
    if (copy !== undefined) return copy;
    if (size !== undefined) throw new ServiceError("conflict", RESIZED);
    throw new ServiceError("unavailable", this.connected ? NO_PICTURE : ENDED);
  }
}

const RESIZED = "The screen was resized in the meantime: try again";
const NO_PICTURE = "The compositor has sent no picture yet: try again";
const ENDED = "The pictures of the screen have ended: try again";

// Connects to the PipeWire of a session.

/**
 * The descriptor of a connection, which the caller passes on or closes.
 * @throws ServiceError `unavailable`: it does not run
 */
export function connectPipeWire({ env, uid }: Host): number {
  const folder = env["PIPEWIRE_RUNTIME_DIR"] || env["XDG_RUNTIME_DIR"] || `/run/user/${uid}`;
  const name = env["PIPEWIRE_REMOTE"] || "pipewire-0";
  try {
    return connectFile(name.startsWith("/") ? name : `${folder}/${name}`);
  } catch (error) {
    const { message } = error as Error;
    const text = `Cannot take pictures: ${message}: start PipeWire and wireplumber`;
    throw new ServiceError("unavailable", text, { cause: error });
  }
}
