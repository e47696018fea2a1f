/** The outputs of a compositor (its monitors), as wl_output and zxdg_output_v1 describe them. */

import { ServiceError } from "../../../core/errors.ts";
import { addMember } from "../../../core/shared_run.ts";
import type { Point, Region, Size } from "../../types/mod.ts";
import type { WaylandClient } from "./client.ts";
import type { WaylandObject } from "./protocols/mod.ts";
import type { GlobalEntry } from "./wire/connection.ts";

const OUTPUT_VERSION = 4;
const XDG_OUTPUT_VERSION = 3;
/** `wl_output.mode`: the mode in use. */
const CURRENT = 1;

/** What the compositor says of an output; complete with its `done` event. */
interface Described {
  name: string | undefined;
  /** Of its buffers. */
  mode: Size;
  transform: Transform;
  /** Where xdg-output does not say it better. */
  scale: number;
  position: { x: number; y: number };
  logical: { x?: number; y?: number; width?: number; height?: number };
}

export class Output {
  /** `false` once it was unplugged. */
  isPlugged = true;
  readonly object: WaylandObject<"wl_output">;
  #described: Described = newDescription();
  #next: Described = newDescription();
  readonly #xdg: WaylandObject<"zxdg_output_v1"> | undefined;

  constructor(
    private readonly client: WaylandClient,
    readonly global: GlobalEntry,
    manager: WaylandObject<"zxdg_output_manager_v1"> | undefined,
    private readonly onChange: () => void,
  ) {
    this.object = client.bind("wl_output", OUTPUT_VERSION, global);
    this.#listen();
    this.#xdg = manager?.send("get_xdg_output", this.object);
    if (this.#xdg !== undefined) this.#listenTo(this.#xdg);
  }

  /** As the compositor calls it: `DP-1`, `HEADLESS-1`. */
  get name(): string {
    return this.#described.name ?? `output-${this.global.name}`;
  }

  /** Whether everything is known that pictures need. */
  get isDescribed(): boolean {
    const { mode } = this.#described;
    return mode.width > 0 && mode.height > 0;
  }

  get transform(): Transform {
    return this.#described.transform;
  }

  /** The size of its picture in pixels, as people see it. */
  get size(): Size {
    return rotateSize(this.#described.mode, this.transform);
  }

  /** Its position on the desktop, in logical units. */
  get logical(): Region {
    const { position, scale, logical } = this.#described;
    const { width, height } = this.size;
    const fallback = { width: Math.round(width / scale), height: Math.round(height / scale) };
    return { ...position, ...fallback, ...logical };
  }

  /** Picture pixels per logical unit. */
  get scale(): number {
    return findScale(this.size, this.logical);
  }

  /** Takes over what the compositor has reported by now; see {@link WaylandClient.readArrived}. */
  update(): void {
    this.client.readArrived();
  }

  unplug(): void {
    this.isPlugged = false;
    this.#xdg?.send("destroy");
    if (this.object.version >= 3) this.object.send("release");
  }

  #listen(): void {
    const { object } = this;
    object.on("geometry", (x, y, _width, _height, _subpixel, _make, _model, transform) => {
      this.#next.position = { x, y };
      this.#next.transform = transform;
    });
    object.on("mode", (flags, width, height) => {
      if (flags & CURRENT) this.#next.mode = { width, height };
    });
    object.on("scale", (scale) => this.#next.scale = scale);
    object.on("name", (name) => this.#next.name = name);
    object.on("done", () => this.#take());
  }

  #listenTo(xdg: WaylandObject<"zxdg_output_v1">): void {
    xdg.on("logical_position", (x, y) => this.#next.logical = { ...this.#next.logical, x, y });
    xdg.on("logical_size", (width, height) => {
      this.#next.logical = { ...this.#next.logical, width, height };
    });
    xdg.on("name", (name) => this.#next.name ??= name);
    xdg.on("done", () => this.#take()); // of versions before 3, which are not part of the other one
  }

  #take(): void {
    this.#described = { ...this.#next };
    this.onChange();
  }
}

/** Follows the outputs that are plugged in and unplugged. */
export class Outputs {
  readonly #outputs = new Map<number, Output>();
  readonly #listeners = new Set<() => void>();
  readonly #numbers = new OutputNumbers(() => this.list().map(({ name }) => name));
  readonly #manager: WaylandObject<"zxdg_output_manager_v1"> | undefined;

  private constructor(private readonly client: WaylandClient) {
    const { globals } = client;
    this.#manager = globals.find("zxdg_output_manager_v1") === undefined
      ? undefined
      : client.bind("zxdg_output_manager_v1", XDG_OUTPUT_VERSION);
    for (const global of globals.list()) this.#add(global);
    globals.onAdded((global) => this.#add(global));
    globals.onRemoved((global) => this.#remove(global));
  }

  /** Resolves when every output is described. */
  static async open(client: WaylandClient): Promise<Outputs> {
    const outputs = new Outputs(client);
    await client.roundtrip();
    return outputs;
  }

  /** Those that are plugged in and described, in the order in which the compositor announced them. */
  list(): Output[] {
    return [...this.#outputs.values()].filter((each) => each.isDescribed);
  }

  find(name: string): Output | undefined {
    return this.list().find((each) => each.name === name);
  }

  /** The numbers of those that there are now, in ascending order. */
  numbers(): readonly number[] {
    return this.#numbers.list();
  }

  /**
   * The output with this number.
   * @throws ServiceError `unavailable`: it is not there now
   */
  at(number: number): Output {
    const name = this.#numbers.nameOf(number);
    const output = name === undefined ? undefined : this.find(name);
    if (output !== undefined) return output;
    const there = this.numbers().map((each) => `${each} is "${this.#numbers.nameOf(each)}"`);
    const which = there.length === 0 ? "it has none now" : there.join(", ");
    throw new ServiceError(
      "unavailable",
      `Cannot open display ${number}: no output of the compositor at "${this.client.name}" ` +
        `has this number (${which})`,
    );
  }

  /** Calls `listener` when an output comes, goes or changes. */
  onChange(listener: () => void): Disposable {
    return addMember(this.#listeners, listener);
  }

  #add(global: GlobalEntry): void {
    if (global.interface !== "wl_output") return;
    const { client } = this;
    this.#outputs.set(global.name, new Output(client, global, this.#manager, () => this.#notify()));
  }

  #remove({ name }: GlobalEntry): void {
    const output = this.#outputs.get(name);
    if (output === undefined) return;
    this.#outputs.delete(name);
    output.unplug();
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function newDescription(): Described {
  return {
    name: undefined,
    mode: { width: 0, height: 0 },
    transform: 0,
    scale: 1,
    position: { x: 0, y: 0 },
    logical: {},
  };
}

// The geometry of an output: its picture in pixels, as people see it, and its position on the desktop
// in logical units.

/**
 * `wl_output.transform`: quarter turns counter-clockwise by which the compositor turns what it shows
 * (0 to 3); from 4 on, flipped around the vertical axis before.
 */
export type Transform = number;

export function rotateSize({ width, height }: Size, transform: Transform): Size {
  const swapsAxes = transform % 2 === 1;
  return swapsAxes ? { width: height, height: width } : { width, height };
}

/** Denominators of scales, the simplest first: people set 1.5, compositors round to 1/120. */
const DENOMINATORS = [1, 2, 4, 5, 8, 10, 20, 100, 120];
/** Compositors round the logical size, some down. */
const ROUNDING = 1;

/** Picture pixels per logical unit: the simplest scale that gives the logical size. */
export function findScale(size: Size, logical: Size): number {
  const exact = size.width / logical.width;
  const fits = (scale: number) =>
    Math.abs(size.width / scale - logical.width) < ROUNDING &&
    Math.abs(size.height / scale - logical.height) < ROUNDING;
  const simple = DENOMINATORS.map((each) => Math.round(exact * each) / each);
  return simple.find((scale) => scale > 0 && fits(scale)) ?? exact;
}

/** Where a pixel of the picture is on the desktop: its centre, in logical units. */
export function toLogical({ x, y }: Point, size: Size, logical: Region): Point {
  return {
    x: logical.x + (x + 0.5) * logical.width / size.width,
    y: logical.y + (y + 0.5) * logical.height / size.height,
  };
}

/** The pixel of the picture at a point of the desktop; it can be outside the picture. */
export function toPixel({ x, y }: Point, size: Size, logical: Region): Point {
  return {
    x: Math.floor((x - logical.x) * size.width / logical.width),
    y: Math.floor((y - logical.y) * size.height / logical.height),
  };
}

// The numbers of the outputs: 1 is the first, and an output keeps its number while it is away.

export class OutputNumbers {
  readonly #numbers = new Map<string, number>();

  /** @param names of the outputs that there are now, in order */
  constructor(private readonly names: () => readonly string[]) {}

  /** Those in use now, in ascending order. */
  list(): readonly number[] {
    return [...this.#assigned().keys()].sort((a, b) => a - b);
  }

  /** The name of the output with this number, if it is there now. */
  nameOf(number: number): string | undefined {
    return this.#assigned().get(number);
  }

  #assigned(): ReadonlyMap<number, string> {
    const names = this.names();
    // other monitors than all before: nobody knows their numbers yet
    if (names.length > 0 && !names.some((name) => this.#numbers.has(name))) this.#numbers.clear();
    for (const name of names) {
      if (!this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size + 1);
    }
    return new Map(names.map((name) => [this.#numbers.get(name)!, name]));
  }
}
