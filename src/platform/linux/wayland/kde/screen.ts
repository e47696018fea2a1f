/** Reads one output of a KWin session as a screen, by an address that any thread can open. */

import { ServiceError } from "../../../../core/errors.ts";
import type { Point } from "../../../../core/geometry.ts";
import { Semaphore } from "../../../../core/locks.ts";
import { SharedRun } from "../../../../core/shared_run.ts";
import { cutOut, swapRedAndBlue } from "../../../../imaging/picture.ts";
import type {
  CaptureOptions,
  CursorState,
  MeasuredScreen,
  Picture,
  Region,
  ScreenAddress,
  Size,
  UsePicture,
} from "../../../types/mod.ts";
import { type BusEndpoint, openVisibleBus } from "../../bus/connection_broker.ts";
import { BusError, type MessageBus } from "../../bus/types.ts";
import { Pipe } from "../../sockets/pipe.ts";
import { GRANT_ADVICE, KwinScript, type ScriptHost } from "./script.ts";

/** A screen as plain data: its origin in the compositor's coordinates, and its size in pixels. */
interface ScreenSource extends BusEndpoint, Point, Size {
  readonly output: string;
  /** Pixels per unit of the compositor's coordinates. */
  readonly scale: number;
}

export function screenAddress(source: ScreenSource): ScreenAddress<"kde"> {
  return { backend: "kde", name: JSON.stringify(source) };
}

/** @throws ServiceError `unavailable` */
export async function openKdeScreen(name: string): Promise<KdeScreen> {
  const source = JSON.parse(name) as ScreenSource;
  return new KdeScreen(source, await openVisibleBus(source));
}

export class KdeScreen implements MeasuredScreen {
  readonly #shots: ScreenShots;
  /** One at a time, because all use the same memory. */
  readonly #memory = new Semaphore({ capacity: 1 });

  /** The bus is closed with it. */
  constructor(private readonly source: ScreenSource, private readonly bus: MessageBus) {
    this.#shots = new ScreenShots(bus);
  }

  get connected(): boolean {
    return this.bus.connected;
  }

  capture<T>(region: Region, options: CaptureOptions, use: UsePicture<T>): Promise<T> {
    return this.#memory.run(async () => {
      const picture = await this.#picture(region, options);
      return use(picture, options.cursor === "shown" ? this.cursor() : undefined);
    });
  }

  size(): Size {
    const { width, height } = this.source;
    return { width, height };
  }

  /** KWin does not report the cursor, so it counts as changed at any time, anywhere. */
  cursor(): CursorState {
    return { box: { x: 0, y: 0, ...this.size() }, key: crypto.randomUUID() };
  }

  close(): void {
    this.bus[Symbol.dispose]();
  }

  /** KWin renders only the area that is asked for; full pictures need no coordinates. */
  async #picture(region: Region, options: CaptureOptions): Promise<Picture> {
    const area = this.#logicalArea(region);
    if (area !== undefined) {
      const picture = await this.#shots.take({ area }, options);
      if (picture.width === region.width && picture.height === region.height) return picture;
      // another output, of another scale, begins within the area
    }
    const full = await this.#shots.take({ output: this.source.output }, options);
    const { width, height } = this.source;
    if (full.width !== width || full.height !== height) {
      throw new ServiceError("conflict", "The screen was resized in the meantime: try again");
    }
    return cutOut(full, region);
  }

  /** `undefined` for the full screen, and for areas whose coordinates are not integers. */
  #logicalArea({ x, y, width, height }: Region): Region | undefined {
    const { source } = this;
    if (width === source.width && height === source.height) return undefined;
    const [left, top, wide, high] = [x, y, width, height].map((each) => each / source.scale);
    if (![left, top, wide, high].every(Number.isInteger)) return undefined;
    return { x: source.x + left!, y: source.y + top!, width: wide!, height: high! };
  }
}

// Takes pictures by KWin's D-Bus interface `org.kde.KWin.ScreenShot2`, which sends raw pixels through
// a pipe.
// https://invent.kde.org/plasma/kwin/-/blob/master/src/plugins/screenshot/org.kde.KWin.ScreenShot2.xml

const SCREEN_SHOT = {
  destination: "org.kde.KWin",
  path: "/org/kde/KWin/ScreenShot2",
  interface: "org.kde.KWin.ScreenShot2",
} as const;

/** How long KWin may take to answer, and to send the next part of a picture. */
const ANSWER_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 5_000;

/** What to take a picture of: an output by its name, or an area in logical coordinates. */
type Shot = { readonly output: string } | { readonly area: Region };

export class ScreenShots {
  /** Kept between pictures, because memory of this size is slow to get. */
  #bytes = new Uint8Array();

  constructor(private readonly bus: MessageBus) {}

  /**
   * Takes a picture in pixels of the output; the next one overwrites it.
   * @throws ServiceError `permission_denied`, `unavailable`
   */
  async take(shot: Shot, { cursor }: CaptureOptions): Promise<Picture> {
    using pipe = Pipe.open();
    const raw = readFormat(await this.#request(shot, cursor === "shown", pipe));
    const byteLength = raw.stride * raw.height;
    if (this.#bytes.length < byteLength) this.#bytes = new Uint8Array(byteLength);
    const bytes = this.#bytes.subarray(0, byteLength);
    const count = await pipe.read(bytes, { idleMs: IDLE_TIMEOUT_MS }).catch((cause) => {
      throw new ServiceError("unavailable", `Cannot read the screen: ${cause.message}`, { cause });
    });
    if (count === byteLength) return toPicture(bytes, raw);
    throw new ServiceError(
      "unavailable",
      "Cannot read the screen: KWin sent an incomplete picture",
    );
  }

  async #request(shot: Shot, hasCursor: boolean, pipe: Pipe): Promise<unknown> {
    const options = [
      ["include-cursor", ["b", hasCursor]],
      ["native-resolution", ["b", true]],
    ];
    const call = "output" in shot
      ? { member: "CaptureScreen", signature: "sa{sv}h", body: [shot.output, options, 0] }
      : {
        member: "CaptureArea",
        signature: "iiuua{sv}h",
        body: [shot.area.x, shot.area.y, shot.area.width, shot.area.height, options, 0],
      };
    try {
      const reply = this.bus.call(
        { ...SCREEN_SHOT, ...call, files: [pipe.writing] },
        { timeoutMs: ANSWER_TIMEOUT_MS },
      );
      pipe.closeWriting();
      return (await reply).body[0];
    } catch (error) {
      throw shotError(error);
    }
  }
}

function shotError(error: unknown): unknown {
  if (!(error instanceof BusError)) return error;
  if (error.errorName.endsWith(".NoAuthorized")) {
    return new ServiceError(
      "permission_denied",
      `Cannot read the screen: KWin does not allow this program to take pictures: ${GRANT_ADVICE}`,
      { cause: error },
    );
  }
  const reason = error.isServiceMissing ? "KWin is not on the session bus" : error.text;
  return new ServiceError("unavailable", `Cannot read the screen: ${reason}`, { cause: error });
}

// Converts the raw pictures of KWin, which are in formats of Qt's QImage, to pictures.

/** What KWin says about a picture that it sends. */
interface RawFormat {
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** A value of `QImage::Format`. */
  readonly format: number;
}

/** No screen is larger, and no buffer should be. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Bytes in the order blue, green, red, unused: RGB32, ARGB32 and ARGB32_Premultiplied. */
const BLUE_FIRST = [4, 5, 6];
/** Bytes in the order red, green, blue, unused: RGBX8888, RGBA8888, RGBA8888_Premultiplied. */
const RED_FIRST = [16, 17, 18];

/**
 * Checks the answer of KWin.
 * @throws ServiceError `unsupported`
 */
export function readFormat(answer: unknown): RawFormat {
  const { type, width, height, stride, format } = (answer ?? {}) as Record<string, unknown>;
  const known = type === "raw" && isCount(width) && isCount(height) && isCount(stride) &&
    isCount(format) && stride >= 4 * width && stride % 4 === 0 && stride * height <= MAX_BYTES &&
    [...BLUE_FIRST, ...RED_FIRST].includes(format);
  if (!known) {
    throw new ServiceError(
      "unsupported",
      `Cannot read the screen: KWin sent a picture in an unknown format (${format})`,
    );
  }
  return { width, height, stride, format };
}

/**
 * The picture in these bytes: a view of them where it can be, so it changes with them.
 * @param bytes `stride` times `height`
 */
export function toPicture(bytes: Uint8Array<ArrayBuffer>, raw: RawFormat): Picture {
  const { width, height, stride, format } = raw;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, stride / 4 * height);
  if (RED_FIRST.includes(format)) swapRedAndBlue(words);
  const step = stride / 4;
  for (let row = 1; row < height && step !== width; row++) {
    words.copyWithin(row * width, row * step, row * step + width);
  }
  return { width, height, pixels: words.subarray(0, width * height) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && value as number > 0;
}

// Where the cursor is, by a script that KWin runs: no interface reports it.

const FAILURE = "Cannot read the position of the cursor";

export class CursorPosition implements AsyncDisposable {
  readonly #script: KwinScript;
  readonly #queries = new SharedRun(() => this.#query());

  constructor(host: ScriptHost) {
    const source = "answer(workspace.cursorPos.x, workspace.cursorPos.y);";
    this.#script = new KwinScript(host, { source, failure: FAILURE });
  }

  /**
   * In the compositor's coordinates. Calls that come during a query share the next one.
   * @throws ServiceError `unsupported`: this KWin runs no such script
   */
  read(): Promise<Point> {
    return this.#queries.run();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#script[Symbol.asyncDispose]();
  }

  async #query(): Promise<Point> {
    const [x, y] = await this.#script.run();
    if (typeof x === "number" && typeof y === "number") return { x, y };
    throw new ServiceError("unsupported", `${FAILURE}: KWin returned no numbers`);
  }
}
