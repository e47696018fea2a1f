/** The input devices that this service adds to a compositor: a keyboard and a pointer. */

import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Input, Port } from "../../../types/mod.ts";
import type { WaylandClient } from "../client.ts";
import { EventClock } from "../event_clock.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { Seat } from "../seat.ts";
import { WlrootsKeyboard } from "./keyboard.ts";
import { type OutputPlace, type PointerState, releaseButtons, WlrootsMouse } from "./mouse.ts";

const POINTERS = "zwlr_virtual_pointer_manager_v1";

/** The devices of one compositor; disposing them releases what is down. */
export class WlrootsDevices implements AsyncDisposable {
  readonly #state: PointerState = { at: undefined, down: new Set() };

  private constructor(
    private readonly client: WaylandClient,
    private readonly clock: EventClock,
    private readonly pointer: Port<WaylandObject<"zwlr_virtual_pointer_v1">>,
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
    return new WlrootsDevices(client, clock, openPointer(client, seat.use), keyboard);
  }

  /**
   * The input of a display that shows an output; all displays share the devices.
   * @param place where its output is now
   */
  inputFor(displayNum: number, place: () => OutputPlace): Port<Input> {
    const { client, clock, pointer, keyboard } = this;
    if (!pointer.ready) return pointer;
    const state = this.#state;
    const mouse = new WlrootsMouse({ displayNum, pointer: pointer.use, clock, state, place });
    return available(new WlrootsInput(client, mouse, keyboard));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keyboard, pointer } = this;
    if (!client.connected) return; // nothing is held down on a compositor that has gone
    if (keyboard.ready) keyboard.use.close();
    if (pointer.ready) {
      releaseButtons(pointer.use, { clock: this.clock, down: this.#state.down });
      pointer.use.send("destroy");
    }
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

function openPointer(
  client: WaylandClient,
  seat: Seat,
): Port<WaylandObject<"zwlr_virtual_pointer_v1">> {
  if (client.globals.find(POINTERS) === undefined) {
    return missing(
      `The Wayland compositor at "${client.name}" lets no program move the mouse: it has no ${POINTERS}`,
    );
  }
  const manager = client.bind(POINTERS, 1);
  const pointer = manager.send("create_virtual_pointer", seat.object);
  manager.send("destroy");
  return available(pointer);
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
