/** The outputs of a compositor (its monitors), as wl_output and zxdg_output_v1 describe them. */

import type { Region, Size } from "../../types/mod.ts";
import type { WaylandClient } from "./client.ts";
import type { GlobalEntry } from "./globals.ts";
import { findScale, type Transform, turnSize } from "./output_geometry.ts";
import type { WaylandObject } from "./protocols/types.ts";

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
    return turnSize(this.#described.mode, this.transform);
  }

  /** Its place on the desktop, in logical units. */
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

  /** Takes over what the compositor has told of it by now; see {@link WaylandClient.readArrived}. */
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

  /** Those that are plugged in and described, in the order in which the compositor told of them. */
  list(): Output[] {
    return [...this.#outputs.values()].filter((each) => each.isDescribed);
  }

  find(name: string): Output | undefined {
    return this.list().find((each) => each.name === name);
  }

  /** Calls `listener` when an output comes, goes or changes. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  offChange(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  #add(global: GlobalEntry): void {
    if (global.interface !== "wl_output") return;
    const { client } = this;
    this.#outputs.set(global.name, new Output(client, global, this.#manager, () => this.#tell()));
  }

  #remove({ name }: GlobalEntry): void {
    const output = this.#outputs.get(name);
    if (output === undefined) return;
    this.#outputs.delete(name);
    output.unplug();
    this.#tell();
  }

  #tell(): void {
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
