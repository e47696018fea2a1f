/** Reads a screen through a separate connection, so that pictures never delay input. */

import { ServiceError } from "../../../core/errors.ts";
import { Semaphore } from "../../../core/locks.ts";
import type {
  CaptureOptions,
  CursorPicture,
  Reading,
  Region,
  Screen,
  UsePicture,
} from "../../types/mod.ts";
import { type Fixes, ignoreGrabs, requireExtension, X11Connection } from "./connection.ts";
import {
  cursorState,
  describeCursor,
  drawCursor,
  readCursor,
  SharedMemory,
  X11Screen,
} from "./screen.ts";
import { describeOpenFailure } from "./setup.ts";

/** @throws ServiceError */
export async function openX11Screen(name: string): Promise<Screen> {
  try {
    return await X11ScreenReader.open(name);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const failure = describeOpenFailure(name, error);
    throw new ServiceError("unavailable", `Cannot read the screen: ${failure}`, { cause: error });
  }
}

export class X11ScreenReader implements Screen {
  /** One picture at a time, until it has been used: all share one memory segment. */
  readonly #memory = new Semaphore({ capacity: 1 });
  readonly cursorPicture?: () => Promise<CursorPicture | undefined>;

  private constructor(
    private readonly connection: X11Connection,
    private readonly screen: X11Screen,
    private readonly fixes: Fixes | undefined,
  ) {
    if (fixes === undefined) return;
    this.cursorPicture = async () => describeCursor(await readCursor(connection, fixes));
  }

  /** @throws XOpenError; ServiceError `unsupported` for a screen without true colours. */
  static open(name: string): Promise<X11ScreenReader> {
    return X11Connection.openFor(name, async (connection) => {
      await ignoreGrabs(connection);
      const memory = await SharedMemory.open(connection);
      const fixes = await requireExtension<Fixes>(connection, "fixes");
      return new X11ScreenReader(connection, new X11Screen(connection, memory), fixes);
    });
  }

  get connected(): boolean {
    return this.connection.connected;
  }

  get reading(): Reading {
    return this.screen.reading;
  }

  async capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    const { result } = await this.#memory.run(async () => {
      const { picture, cursor } = await this.#picture(region, options);
      return { result: use(picture, cursor) }; // boxed: a promised result must not hold the lock
    });
    return result;
  }

  /** A picture that is being read or used keeps its memory until it is done: it would be read where nothing is mapped. */
  close(): void {
    this.connection[Symbol.dispose]();
    void this.#memory.run(() => this.screen.close());
  }

  async #picture(region: Region, { cursor }: CaptureOptions) {
    const { width, height } = region;
    const image = cursor === "shown" && this.fixes
      ? await readCursor(this.connection, this.fixes)
      : undefined;
    const picture = { width, height, pixels: await this.screen.pixels(region) };
    if (image) drawCursor(picture, region, image);
    return { picture, cursor: image && cursorState(image) };
  }
}
