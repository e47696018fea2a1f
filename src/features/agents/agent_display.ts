/**
 * The display as a model sees it: pictures that it takes, and points in its own coordinates.
 */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Point, Size } from "../../core/geometry.ts";
import { fitSize, parseFit } from "../../imaging/fit.ts";
import type { CallResult } from "../call/calls.ts";
import type { Context } from "../context.ts";
import { checkCurrent, findFrame } from "../input/framed.ts";
import type { ComputerInput } from "./computer_fields.ts";
import { type Box, Coordinates, type CoordinateSpace } from "./coordinate_space.ts";
import { type AgentPicture, takePicture } from "./pictures.ts";

/** Where an action acts. */
export type Spot =
  /** A point in the model's coordinates, and the model's name of the field that holds it. */
  | { readonly point: Point; readonly field: string }
  /** An element, by a ref from a snapshot. */
  | { readonly ref: string };

export interface ComputerOptions extends ComputerInput {
  /**
   * What the model's coordinates count: `pictures` are pixels of the pictures that it is shown. A
   * `frame` in the input comes before it.
   */
  readonly space: "pictures" | "screen" | "0..999" | "0..1000";
  /** Bounds of the pictures besides `fit`. */
  readonly max?: Size | undefined;
  /** For callers whose mouse also works where the operations of the display are disabled. */
  readonly screenSize?: () => Promise<Size>;
  /** See {@link takePicture}. */
  readonly maxBytes?: number;
  /** The size to which the model scales a picture of a size: its coordinates are pixels of that. */
  readonly resize?: (size: Size) => Size;
}

/** Time without a change after which the display counts as still, in milliseconds. */
const STILL_MS = 150;

export class AgentDisplay {
  /** Whether something may have changed the display since the last picture. */
  #acted: boolean;

  constructor(
    protected readonly context: Context,
    readonly options: ComputerOptions,
  ) {
    this.#acted = options.after_action;
  }

  /** Calls an operation on this display by name or OpenAPI id; see {@link Calls}. */
  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<CallResult> {
    const { calls, signal, inputScope } = this.context;
    const { display_num } = this.options;
    const prepared = calls.prepare(name, { ...input, display_num });
    if (!prepared.operation.readOnly) this.#acted = true;
    return await prepared.run({ signal, ...(inputScope === undefined ? {} : { inputScope }) });
  }

  async wait(ms: number): Promise<void> {
    this.#acted = true;
    await pause(ms, this.context.signal);
  }

  /** Get the position of the cursor, in the model's coordinates. */
  async cursor(): Promise<Point> {
    const at = await this.call("getMousePosition");
    return (await this.coordinates()).fromScreen(json(at));
  }

  /** A picture of the whole display. */
  async screenshot(): Promise<AgentPicture> {
    await this.#settle();
    return await takePicture(this, this.context, this.options);
  }

  /**
   * A part of the display in the display's own pixels, enlarged to the size of a screenshot.
   * @throws FieldError on `field`
   */
  async zoom(box: Box, field: string): Promise<AgentPicture> {
    await this.#settle();
    const region = (await this.coordinates()).areaOnScreen(box, field);
    const max = await this.pictureSize();
    const { fit: _fit, ...options } = this.options;
    return await takePicture(this, this.context, { ...options, region, max, enlarge: true });
  }

  /** Converts between the model's coordinates and the screen as it is now. */
  async coordinates(): Promise<Coordinates> {
    const { context, options } = this;
    const screen = await this.#screenSize();
    return new Coordinates(await this.#findSpace(context, options, screen), screen, options.resize);
  }

  /** The size of a picture of the whole display. */
  async pictureSize(): Promise<Size> {
    return this.#fitted(await this.#screenSize());
  }

  async #screenSize(): Promise<Size> {
    const { screenSize } = this.options;
    return await screenSize?.() ?? json<Size>(await this.call("getScreenSize"));
  }

  #fitted(screen: Size): Size {
    const { fit, max_edge: maxEdge, max } = this.options;
    return fitSize(screen, {
      fit: parseFit(fit),
      maxEdge,
      maxWidth: max?.width,
      maxHeight: max?.height,
    });
  }

  async #findSpace(
    context: Context,
    { space, frame: id, display_num: displayNum }: ComputerOptions,
    screen: Size,
  ): Promise<CoordinateSpace> {
    if (id !== undefined) {
      const frame = findFrame(context, id, { displayNum });
      await checkCurrent(context, frame);
      return { kind: "frame", frame };
    }
    if (space === "screen") return { kind: "screen" };
    if (space === "pictures") return { kind: "picture", size: this.#fitted(screen) };
    return { kind: "thousandths", max: space === "0..999" ? 999 : 1000 };
  }

  /** The pixel of the screen as `x` and `y`, or the element as `ref`; nothing without a spot. */
  protected async locate(spot: Spot | undefined): Promise<Partial<Point> | { ref: string }> {
    if (spot === undefined) return {};
    if ("ref" in spot) return spot;
    return (await this.coordinates()).toScreen(spot.point, spot.field);
  }

  async #settle(): Promise<void> {
    const { settle_ms } = this.options;
    if (!this.#acted || settle_ms === 0) return;
    this.#acted = false;
    const stable_ms = Math.min(STILL_MS, settle_ms);
    try {
      await this.call("waitForDisplay", { until: "stable", stable_ms, timeout_ms: settle_ms });
    } catch (error) {
      this.context.signal.throwIfAborted();
      // a display that does not report changes is given the time instead
      if (!(error instanceof ServiceError && error.code === "unsupported")) throw error;
      await pause(settle_ms, this.context.signal);
    }
  }
}

function json<T = Point>(result: CallResult): T {
  if (result.kind !== "json") throw new TypeError("The operation returned no JSON");
  return result.value as T;
}
