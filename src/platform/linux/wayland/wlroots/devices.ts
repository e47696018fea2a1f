/** The input devices that this service adds to a compositor: a keyboard and a pointer. */

import { pause } from "../../../../core/deadline.ts";
import { ServiceError } from "../../../../core/errors.ts";
import { available, missing } from "../../../open_port.ts";
import type { Input, Port } from "../../../types/mod.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import type { WaylandClient } from "../client.ts";
import { DataControl } from "../data_control.ts";
import { EventClock } from "../event_clock.ts";
import type { WaylandObject } from "../protocols/types.ts";
import { Seat } from "../seat.ts";
import { WlrootsKeyboard } from "./keyboard.ts";
import { type OutputPlace, type PointerState, releaseButtons, WlrootsMouse } from "./mouse.ts";

/**
 * Programs start to listen when a seat gets its first mouse, and miss what it presses until then.
 */
const FIRST_POINTER_MS = 300;
const POINTERS = "zwlr_virtual_pointer_manager_v1";

/** The devices of one compositor; disposing them releases what is down. */
export class WlrootsDevices implements AsyncDisposable {
  readonly #state: PointerState = { at: undefined, down: new Set() };

  private constructor(
    private readonly client: WaylandClient,
    private readonly clock: EventClock,
    private readonly pointer: Port<WaylandObject<"zwlr_virtual_pointer_v1">>,
    private readonly keyboard: Port<WlrootsKeyboard>,
    readonly clipboard: Port<LinuxClipboard>,
  ) {}

  /** @param keymapSettleMs see `--keymap-settle` */
  static async open(
    client: WaylandClient,
    { keymapSettleMs }: { readonly keymapSettleMs: number },
  ): Promise<WlrootsDevices> {
    const clock = new EventClock();
    const seat = await portOf(Seat.open(client));
    if (!seat.ready) return new WlrootsDevices(client, clock, seat, seat, seat);
    const keyboard = await portOf(
      WlrootsKeyboard.open({ client, seat: seat.use, clock, keymapSettleMs }),
    );
    const isFirst = !seat.use.hasPointer;
    const pointer = openPointer(client, seat.use);
    if (isFirst && pointer.ready) await pause(FIRST_POINTER_MS);
    const clipboard = await openClipboard(client, seat.use);
    return new WlrootsDevices(client, clock, pointer, keyboard, clipboard);
  }

  /**
   * The input of a display that shows an output; all displays share the devices.
   * @param place where its output is now; `undefined` once it was unplugged
   */
  inputFor(displayNum: number, place: () => OutputPlace | undefined): Port<Input> {
    const { client, clock, pointer, keyboard } = this;
    if (!pointer.ready) return pointer;
    const state = this.#state;
    const mouse = new WlrootsMouse({ displayNum, pointer: pointer.use, clock, state, place });
    const isPlugged = () => place() !== undefined;
    return available(new WlrootsInput({ client, displayNum, mouse, keyboard, isPlugged }));
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

interface WlrootsInputOptions {
  readonly client: WaylandClient;
  readonly displayNum: number;
  readonly mouse: WlrootsMouse;
  readonly keyboard: Port<WlrootsKeyboard>;
  isPlugged(): boolean;
}

class WlrootsInput implements Input {
  readonly driver = "wlroots";
  readonly mouse: WlrootsMouse;
  readonly keyboard: Port<WlrootsKeyboard>;

  constructor(private readonly options: WlrootsInputOptions) {
    this.mouse = options.mouse;
    this.keyboard = options.keyboard;
  }

  /**
   * The compositor has sent it on to the programs by then.
   * @throws ServiceError `unavailable` also when the output was unplugged meanwhile
   */
  async confirm(): Promise<void> {
    const { client, displayNum, isPlugged } = this.options;
    await client.roundtrip();
    if (isPlugged()) return;
    throw new ServiceError("unavailable", `The output of display ${displayNum} was unplugged`);
  }

  /** Releases what this service holds down; devices of others cannot be released. */
  async releaseAll(): Promise<void> {
    if (this.keyboard.ready) this.keyboard.use.releaseAll();
    this.mouse.releaseAll();
    await this.options.client.roundtrip();
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

async function openClipboard(client: WaylandClient, seat: Seat): Promise<Port<LinuxClipboard>> {
  const typed = await portOf(DataControl.open(client, seat.object));
  return typed.ready ? available(new LinuxClipboard(() => Promise.resolve(typed.use))) : typed;
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
