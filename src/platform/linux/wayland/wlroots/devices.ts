/** The input devices that this service adds to a compositor: a keyboard, and a pointer per output. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Input, Port, Size } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import { EventClock } from "../event_clock.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { Seat } from "../seat.ts";
import { WlrootsKeyboard } from "./keyboard.ts";
import { type PointerState, WlrootsMouse } from "./mouse.ts";

const POINTER_VERSION = 2;
/** The first in which a pointer can be tied to an output. */
const OUTPUT_VERSION = 2;

export interface InputOptions {
  readonly displayNum: number;
  readonly output: WaylandObject<"wl_output">;
  /** The size of the output's picture now, as it is turned. */
  size(): Size;
}

/** The devices of one compositor; disposing them releases what is down. */
export class WlrootsDevices implements AsyncDisposable {
  readonly #state: PointerState = { at: undefined, down: new Map() };
  readonly #pointers: WaylandObject<"zwlr_virtual_pointer_v1">[] = [];

  private constructor(
    private readonly client: WaylandClient,
    private readonly clock: EventClock,
    private readonly seat: Port<Seat>,
    private readonly keyboard: Port<WlrootsKeyboard>,
  ) {}

  /** @param keymapSettleMs see `--keymap-settle` */
  static async open(
    client: WaylandClient,
    { keymapSettleMs }: { readonly keymapSettleMs: number },
  ): Promise<WlrootsDevices> {
    const clock = new EventClock();
    const seat = await portOf(Seat.open(client));
    if (!seat.ready) return new WlrootsDevices(client, clock, seat, seat);
    const keyboard = await portOf(
      WlrootsKeyboard.open({ client, seat: seat.use, clock, keymapSettleMs }),
    );
    return new WlrootsDevices(client, clock, seat, keyboard);
  }

  /** The input of the display that shows an output; all displays share the keyboard. */
  inputFor(options: InputOptions): Port<Input> {
    const { client, clock, seat, keyboard } = this;
    if (!seat.ready) return seat;
    if (client.globals.version("zwlr_virtual_pointer_manager_v1") < OUTPUT_VERSION) {
      return missing(
        `The Wayland compositor at "${client.name}" lets no program move the mouse: it has no ` +
          `zwlr_virtual_pointer_manager_v1 of version ${OUTPUT_VERSION}`,
      );
    }
    const manager = client.bind("zwlr_virtual_pointer_manager_v1", POINTER_VERSION);
    const pointer = manager.send(
      "create_virtual_pointer_with_output",
      seat.use.object,
      options.output,
    );
    manager.send("destroy");
    this.#pointers.push(pointer);
    const mouse = new WlrootsMouse({
      ...options,
      pointer,
      clock,
      state: this.#state,
    });
    return available(new WlrootsInput(client, mouse, keyboard));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keyboard } = this;
    if (!client.connected) return; // nothing is held down on a compositor that has gone
    if (keyboard.ready) keyboard.use.close();
    for (const mouse of new Set(this.#state.down.values())) mouse.releaseAll();
    for (const pointer of this.#pointers) pointer.send("destroy");
    await client.roundtrip().catch(() => {}); // it has gone meanwhile
  }
}

class WlrootsInput implements Input {
  readonly driver = "wlroots";

  constructor(
    private readonly client: WaylandClient,
    readonly mouse: WlrootsMouse,
    readonly keyboard: Port<WlrootsKeyboard>,
  ) {}

  /** The compositor has sent it on to the programs by then. */
  confirm(): Promise<void> {
    return this.client.roundtrip();
  }

  /** Releases what this service holds down; devices of others cannot be released. */
  async releaseAll(): Promise<void> {
    if (this.keyboard.ready) this.keyboard.use.releaseAll();
    this.mouse.releaseAll();
    await this.confirm();
  }
}

/** What the compositor lacks is a reason; that it has gone is an error. */
async function portOf<T>(opening: Promise<T>): Promise<Port<T>> {
  try {
    return available(await opening);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "unsupported")) throw error;
    return missing(error.message);
  }
}
