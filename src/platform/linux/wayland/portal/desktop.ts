/** The open sessions of the portals, and whether they still are. */

import { type MessageBus, onProgramGone } from "../../bus/types.ts";
import { type Control, KeptControl } from "./control.ts";
import type { PortalSession } from "./open_session.ts";
import { PORTAL } from "./names.ts";

export interface DesktopParts {
  /** Of this desktop alone. */
  readonly bus: MessageBus;
  /** The session whose monitors are the displays. */
  readonly pictures: PortalSession;
  /** By default, the session of the pictures controls, too. */
  readonly control?: Control;
}

export class PortalDesktop implements Disposable {
  readonly bus: MessageBus;
  readonly pictures: PortalSession;
  readonly control: Control;
  /** Resolves when the desktop ends the session of the pictures while the portal runs on. */
  readonly stopped: Promise<void>;
  #isOpen = true;
  #gone: Disposable | undefined;

  private constructor({ bus, pictures, control = new KeptControl(pictures) }: DesktopParts) {
    this.bus = bus;
    this.pictures = pictures;
    this.control = control;
    this.stopped = pictures.closed.then(() => {
      this.#isOpen = false;
    });
    bus.closed.then(() => this.#isOpen = false);
  }

  static async open(parts: DesktopParts): Promise<PortalDesktop> {
    const desktop = new PortalDesktop(parts);
    const { destination } = PORTAL;
    desktop.#gone = await onProgramGone(parts.bus, destination, () => desktop.#isOpen = false);
    return desktop;
  }

  /** `false` once a session, the portal or the bus has ended. */
  get connected(): boolean {
    return this.#isOpen && this.bus.connected;
  }

  /** Ends the sessions; the desktop releases what they hold down. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    this.#gone?.[Symbol.dispose]();
    this.control[Symbol.dispose]();
    this.pictures[Symbol.dispose]();
    this.bus[Symbol.dispose]();
  }
}
