/**
 * The computer as a model's actions see it: a display, whose pictures it takes and whose points it
 * names in coordinates of its own, with a mouse and a keyboard, whose keys have any vendor's names.
 * Each call is one of our operations.
 */

import { pause } from "../../core/deadline.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Point, Size } from "../../core/geometry.ts";
import { fitSize, parseFit } from "../../imaging/fit.ts";
import type { CallResult, Context } from "../context.ts";
import type { InputScope } from "../input_scope.ts";
import { checkCurrent, findFrame } from "../input/frames.ts";
import { type FieldNames, namingFields } from "./actions.ts";
import { type Box, Coordinates, type CoordinateSpace } from "./coordinate_space.ts";
import { domKeyNames, keyName } from "./key_names.ts";
import { type AgentPicture, type ComputerInput, takePicture } from "./pictures.ts";

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
  readonly space: "pictures" | "0..999" | "0..1000";
  /** The model's names of our operations' fields, for the descriptions of failures. */
  readonly fieldNames: FieldNames;
  /** Bounds of the pictures besides `fit`. */
  readonly max?: Size | undefined;
  /** For callers whose mouse also works where the operations of the display are disabled. */
  readonly screenSize?: () => Promise<Size>;
  /** See {@link takePicture}. */
  readonly maxBytes?: number;
  /** The size to which the model scales a picture of a size: its coordinates are pixels of that. */
  readonly resize?: (size: Size) => Size;
}

export type ButtonName = "left" | "middle" | "right" | "back" | "forward";

export interface ClickOptions {
  readonly button: ButtonName;
  /** 1 to 3. */
  readonly count?: number;
  /** Without it, at the cursor. */
  readonly at?: Spot | undefined;
  readonly modifiers?: readonly string[];
}

interface DragOptions {
  /** Without it, at the cursor. */
  readonly from?: Spot | undefined;
  readonly path?: readonly Spot[];
  readonly to: Spot;
  readonly modifiers?: readonly string[];
}

interface ScrollOptions {
  readonly at?: Spot | undefined;
  /** Notches to the right; negative is left. */
  readonly right?: number;
  /** Notches down; negative is up. */
  readonly down?: number;
  readonly modifiers?: readonly string[];
}

/** Time without a change after which the display counts as still, in milliseconds. */
const STILL_MS = 150;

export class AgentComputer implements AsyncDisposable {
  /** Has what the turn leaves pressed. */
  #pressed: InputScope | undefined;
  /** Whether something may have changed the display since the last picture. */
  #acted: boolean;

  constructor(private readonly context: Context, readonly options: ComputerOptions) {
    this.#acted = options.after_action;
  }

  /** Calls an operation on this display by name or OpenAPI id; see {@link Calls}. */
  async call(
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    inputScope?: InputScope,
  ): Promise<CallResult> {
    const { actor, calls, signal, requestId } = this.context;
    const { display_num, fieldNames } = this.options;
    return await namingFields(fieldNames, async () => {
      const prepared = calls.prepare(name, { ...input, display_num });
      if (!prepared.operation.readOnly) this.#acted = true;
      return await prepared.run({ actor, requestId, signal, ...(inputScope && { inputScope }) });
    });
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

  async screenshot(): Promise<AgentPicture> {
    await this.#settle();
    return await takePicture(this, this.options);
  }

  /**
   * A part of the display in the display's own pixels, enlarged to the size of a screenshot.
   * @throws FieldError on `field`
   */
  async zoom(box: Box, field: string): Promise<AgentPicture> {
    await this.#settle();
    const region = (await this.coordinates()).areaOnScreen(box, field);
    const max = this.#fitted(await this.#screenSize());
    const { fit: _fit, ...options } = this.options;
    return await takePicture(this, { ...options, region, max, enlarge: true });
  }

  /** Converts between the model's coordinates and the screen as it is now. */
  async coordinates(): Promise<Coordinates> {
    const screen = await this.#screenSize();
    return new Coordinates(await this.#findSpace(screen), screen, this.options.resize);
  }

  async #screenSize(): Promise<Size> {
    const { screenSize } = this.options;
    return await screenSize?.() ?? json<Size>(await this.call("getScreenSize"));
  }

  /** The size of a picture of the whole display. */
  #fitted(screen: Size): Size {
    const { fit, max_edge: maxEdge, max } = this.options;
    return fitSize(screen, {
      fit: parseFit(fit),
      maxEdge,
      maxWidth: max?.width,
      maxHeight: max?.height,
    });
  }

  async #findSpace(screen: Size): Promise<CoordinateSpace> {
    const { space, frame: id, display_num: displayNum } = this.options;
    if (id !== undefined) {
      const frame = findFrame(this.context, id, { displayNum });
      await checkCurrent(this.context, frame);
      return { kind: "frame", frame };
    }
    if (space === "pictures") return { kind: "picture", size: this.#fitted(screen) };
    return { kind: "thousandths", max: space === "0..999" ? 999 : 1000 };
  }

  /** The pixel of the screen as `x` and `y`, or the element as `ref`; nothing without a spot. */
  async #locate(spot: Spot | undefined): Promise<Partial<Point> | { ref: string }> {
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

  async click({ button, count = 1, at, modifiers = [] }: ClickOptions): Promise<void> {
    const keys = modifiers.map(keyName);
    if (button !== "back" && button !== "forward") {
      const input = { ...await this.#locate(at), modifiers: keys, click_count: count };
      await this.call(`${button}Click`, input);
      return;
    }
    await this.withKeys(keys, async () => {
      const found = await this.#locate(at);
      for (let time = 0; time < count; time++) {
        await this.call("mouseDown", { button, ...found });
        await this.call("mouseUp", { button });
      }
    });
  }

  async move(to: Spot): Promise<void> {
    await this.call("moveMouse", await this.#locate(to));
  }

  async drag({ from, path = [], to, modifiers = [] }: DragOptions): Promise<void> {
    const coordinates = await this.coordinates();
    const map = (spot: Spot) => "ref" in spot ? spot : coordinates.toScreen(spot.point, spot.field);
    await this.call("dragMouse", {
      from: from && map(from),
      path: path.map(map),
      ...map(to),
      modifiers: modifiers.map(keyName),
    });
  }

  async scroll({ at, right = 0, down = 0, modifiers = [] }: ScrollOptions): Promise<void> {
    await this.call("scrollMouse", {
      ...await this.#locate(at),
      clicks: down === 0 ? 0 : -down,
      horizontal_clicks: right,
      modifiers: modifiers.map(keyName),
    });
  }

  /** Presses a button; it stays pressed after the turn, unless the client leaves. */
  async pressButton(button: ButtonName, at?: Spot): Promise<void> {
    await this.call("mouseDown", { button, ...await this.#locate(at) }, this.#holding());
  }

  async releaseButton(button: ButtonName, at?: Spot): Promise<void> {
    await this.call("mouseUp", { button, ...await this.#locate(at) });
  }

  /** Presses keys together, `repeat` times; see {@link keyName} for the names. */
  async pressKeys(
    keys: readonly string[],
    { repeat = 1, durationMs = 0 }: { readonly repeat?: number; readonly durationMs?: number } = {},
  ): Promise<void> {
    const key = keys.map(keyName).join("+");
    await this.call("pressKey", { key, repeat, duration_ms: durationMs });
  }

  /** Presses keys together; see {@link domKeyNames} for the names. */
  async hotkey(keys: readonly string[]): Promise<void> {
    await this.call("pressHotkey", { keys: domKeyNames(keys) });
  }

  /** Presses a key; it stays pressed after the turn, unless the client leaves. */
  async holdKey(key: string): Promise<void> {
    await this.call("holdKey", { key: keyName(key) }, this.#holding());
  }

  async releaseKey(key: string): Promise<void> {
    await this.call("releaseKey", { key: keyName(key) });
  }

  /** Holds keys while `act` runs, also one that cannot take modifiers itself. */
  async withKeys(keys: readonly string[], act: () => Promise<void>): Promise<void> {
    await using held = this.#openScope();
    for (const key of keys) await this.call("holdKey", { key: keyName(key) }, held);
    await act();
    for (const key of keys.toReversed()) await this.releaseKey(key);
  }

  /** @param ref the element that gets the keyboard first */
  async type(text: string, ref?: string): Promise<void> {
    await this.call("typeText", { text, ref });
  }

  #openScope(): InputScope {
    return this.context.calls.openInputScope(this.context.signal);
  }

  #holding(): InputScope {
    this.#pressed ??= this.#openScope();
    this.#pressed.signal.throwIfAborted(); // release-all has ended it
    return this.#pressed;
  }

  /** Releases what the turn has pressed when its client has left. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.context.signal.aborted) await this.#pressed?.[Symbol.asyncDispose]();
    else this.#pressed?.leave();
  }
}

function json<T = Point>(result: CallResult): T {
  if (result.kind !== "json") throw new TypeError("The operation returned no JSON");
  return result.value as T;
}
