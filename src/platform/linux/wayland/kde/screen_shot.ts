/**
 * Takes pictures by KWin's D-Bus interface `org.kde.KWin.ScreenShot2`, which sends raw pixels through
 * a pipe.
 * https://invent.kde.org/plasma/kwin/-/blob/master/src/plugins/screenshot/org.kde.KWin.ScreenShot2.xml
 */

import { ServiceError } from "../../../../core/errors.ts";
import type { CaptureOptions, Picture, Region } from "../../../types/mod.ts";
import { BusError } from "../../bus/bus_error.ts";
import type { MessageBus } from "../../bus/types.ts";
import { Pipe } from "../wire/pipe.ts";
import { GRANT_ADVICE } from "./interfaces.ts";

const SCREEN_SHOT = {
  destination: "org.kde.KWin",
  path: "/org/kde/KWin/ScreenShot2",
  interface: "org.kde.KWin.ScreenShot2",
} as const;

/** How long KWin may take to answer, and to send the next part of a picture. */
const ANSWER_MS = 10_000;
const IDLE_MS = 5_000;

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
    const raw = readFormat(await this.#ask(shot, cursor === "shown", pipe));
    const byteLength = raw.stride * raw.height;
    if (this.#bytes.length < byteLength) this.#bytes = new Uint8Array(byteLength);
    const bytes = this.#bytes.subarray(0, byteLength);
    const count = await pipe.read(bytes, { idleMs: IDLE_MS }).catch((cause) => {
      throw new ServiceError("unavailable", `Cannot read the screen: ${cause.message}`, { cause });
    });
    if (count === byteLength) return toPicture(bytes, raw);
    throw new ServiceError("unavailable", "Cannot read the screen: KWin sent half a picture");
  }

  async #ask(shot: Shot, hasCursor: boolean, pipe: Pipe): Promise<unknown> {
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
      const asked = this.bus.call(
        { ...SCREEN_SHOT, ...call, files: [pipe.writing] },
        { timeoutMs: ANSWER_MS },
      );
      pipe.closeWriting();
      return (await asked).body[0];
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
      `Cannot read the screen: KWin does not let this program take pictures: ${GRANT_ADVICE}`,
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
      `Cannot read the screen: KWin sends pictures of an unknown format (${format})`,
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

function swapRedAndBlue(words: Uint32Array): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    words[i] = (word & 0xff00) | (word & 0xff) << 16 | (word >>> 16) & 0xff;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && value as number > 0;
}
