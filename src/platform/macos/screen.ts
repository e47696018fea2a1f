/** Takes pictures of one display with `screencapture`, through a file in a private folder. */

import { decode } from "fast-png";
import { ServiceError } from "../../core/errors.ts";
import { wholeUnits } from "../../imaging/boxes.ts";
import { cutOut } from "../../imaging/picture.ts";
import type {
  CaptureOptions,
  CursorState,
  MeasuredScreen,
  Picture,
  Region,
  ScreenAddress,
  Size,
  UsePicture,
} from "../types/mod.ts";
import type { HelperResult } from "../helper_program.ts";
import { needsScreenRecording, runProgram } from "./programs.ts";

/** In points, which span all displays; the origin is the primary display's top left corner. */
export interface Placement extends Region {
  /** Pixels per point: 2 on a Retina display. */
  readonly scale: number;
}

/** The API counts pixels, as on every system. */
export function sizeInPixels({ width, height, scale }: Placement): Size {
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Describes a screen as plain data, so that any thread can open it. */
export interface ScreenSource {
  /** The path of screencapture. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly placement: Placement;
  /**
   * Whether screen recording is permitted; without it macOS may show the desktop without windows.
   */
  readonly permitted: boolean | null;
}

/** "could not create image from display", "... from rect". */
const NO_IMAGE = /could not create image/i;

export class MacosScreen implements MeasuredScreen {
  readonly connected = true;

  constructor(private readonly source: ScreenSource) {}

  async capture<T>(region: Region, { cursor }: CaptureOptions, use: UsePicture<T>): Promise<T> {
    if (this.source.permitted === false) throw needsScreenRecording();
    const { scale } = this.source.placement;
    const points = wholeUnits(region, scale);
    const picture = decodePicture(await this.#takeFile(points, cursor));
    const width = Math.round(points.width * scale);
    const height = Math.round(points.height * scale);
    if (picture.width !== width || picture.height !== height) throw changed();
    const x = region.x - Math.round(points.x * scale);
    const y = region.y - Math.round(points.y * scale);
    const drawn = cursor === "shown" ? this.cursor() : undefined;
    return use(cutOut(picture, { ...region, x, y }), drawn);
  }

  size(): Size {
    return sizeInPixels(this.source.placement);
  }

  /**
   * macOS does not report the cursor, so it counts as changed at any time, anywhere on the screen.
   */
  cursor(): CursorState {
    return { box: { x: 0, y: 0, ...this.size() }, key: crypto.randomUUID() };
  }

  close(): void {}

  async #takeFile(points: Region, cursor: CaptureOptions["cursor"]): Promise<Uint8Array> {
    const folder = await Deno.makeTempDir({ prefix: "computer-control-" });
    try {
      const path = `${folder}/screen.png`;
      await this.#take(points, [...(cursor === "shown" ? ["-C"] : []), path]);
      return await Deno.readFile(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw failed("it wrote no picture");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }

  /** `-x` turns the sound off; `-R` takes points, which span all displays. */
  async #take(points: Region, more: readonly string[]): Promise<void> {
    const { program, timeoutMs, placement } = this.source;
    const rectangle = [placement.x + points.x, placement.y + points.y, points.width, points.height];
    const args = ["-x", "-t", "png", `-R${rectangle.join()}`, ...more];
    const result = await runProgram({ program, args, timeoutMs });
    if (result.code !== 0 || NO_IMAGE.test(result.stderr)) throw this.#refusal(result);
  }

  /** The same message stands for a missing permission and for a sleeping display. */
  #refusal({ code, stderr }: HelperResult): ServiceError {
    if (NO_IMAGE.test(stderr) && this.source.permitted === null) return needsScreenRecording();
    return failed(NO_IMAGE.test(stderr) ? "it gets no image" : `it ended with ${code}`);
  }
}

function failed(state: string): ServiceError {
  return new ServiceError(
    "unavailable",
    `Cannot take a picture with "screencapture": ${state}; check that the display is awake and the screen is not locked`,
  );
}

function changed(): ServiceError {
  return new ServiceError("conflict", "The screen was resized in the meantime: try again");
}

// Decodes the PNG files of screencapture.

/** @throws ServiceError `unavailable`: not a PNG file in colour. */
function decodePicture(file: Uint8Array): Picture {
  try {
    return toPicture(decode(file));
  } catch (cause) {
    const text = `Cannot take a picture: "screencapture" wrote a file that is not a PNG picture`;
    throw new ServiceError("unavailable", text, { cause });
  }
}

function toPicture({ width, height, channels, depth, data }: ReturnType<typeof decode>): Picture {
  if (channels < 3 || (depth !== 8 && depth !== 16)) throw new Error("no colours");
  const pixels = new Uint32Array(width * height);
  const shift = depth - 8;
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    pixels[i] = (data[at]! >> shift) << 16 | (data[at + 1]! >> shift) << 8 |
      (data[at + 2]! >> shift);
  }
  return { width, height, pixels };
}

// Opens a screen by its address: the name contains everything that a picture needs.

export function screenAddress(source: ScreenSource): ScreenAddress<"screencapture"> {
  return { backend: "screencapture", name: JSON.stringify(source) };
}

export function openMacosScreen(name: string): MacosScreen {
  return new MacosScreen(JSON.parse(name) as ScreenSource);
}
