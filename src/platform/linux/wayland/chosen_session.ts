/**
 * The session of the compositor that `WAYLAND_DISPLAY` names: chooses the backend when it is first
 * opened, because only the compositor knows what it offers, and opens it again after a restart.
 */

import type { Config } from "../../../config/config.ts";
import { ServiceError } from "../../../core/errors.ts";
import { available } from "../../open_port.ts";
import { AtspiAccessibility } from "../atspi/accessibility.ts";
import { findSessionAccessibilityBus } from "../atspi/find_bus.ts";
import type { LinuxDisplay } from "../displays.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "./backend.ts";

export class ChosenSession implements AsyncDisposable {
  #backend: WaylandBackend | undefined;
  #session: WaylandSession | undefined;
  #opening: Promise<WaylandSession> | undefined;
  #refusal: string | undefined;
  readonly #accessibilities: AtspiAccessibility[] = [];

  constructor(
    private readonly context: WaylandContext,
    private readonly backends: readonly WaylandBackend[],
  ) {}

  /** The name of the backend in use; `undefined` before the first success. */
  get backend(): string | undefined {
    return this.#backend?.name;
  }

  /** Why that backend is in use. */
  get reason(): string {
    return this.#backend?.reason ?? "";
  }

  /** Why no backend can control the compositor, if that was the last answer. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** The numbers of the displays that there are now. */
  numbers(): readonly number[] {
    return this.#session?.connected ? this.#session.numbers() : [];
  }

  /**
   * @throws ServiceError `unsupported`: no backend can control the compositor; `unavailable`: it
   *   does not answer, or has no such output
   */
  readonly open = async (displayNum: number, name: string): Promise<LinuxDisplay> => {
    const session = this.#session?.connected ? this.#session : await this.#openSession();
    const display = await session.openDisplay(displayNum, name);
    const accessibility = new AtspiAccessibility({
      findBus: () => findSessionAccessibilityBus(this.context.host),
      origin: display.origin ?? "display",
      windows: () => display.windows,
    });
    this.#accessibilities.push(accessibility);
    display.accessibility = available(accessibility);
    return display;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const session = await this.#opening?.catch(() => undefined) ?? this.#session;
    for (const each of this.#accessibilities) each[Symbol.dispose]();
    await session?.[Symbol.asyncDispose]();
  }

  #openSession(): Promise<WaylandSession> {
    return this.#opening ??= this.#openAgain().finally(() => this.#opening = undefined);
  }

  async #openAgain(): Promise<WaylandSession> {
    const lost = this.#session;
    this.#session = undefined;
    await lost?.[Symbol.asyncDispose]();
    return this.#session = await this.#choose();
  }

  /** The first backend that is ready, at each opening: after an update it can be another one. */
  async #choose(): Promise<WaylandSession> {
    const { host, config, log, compositor } = this.context;
    const reasons: string[] = [];
    for (const backend of this.backends) {
      if (!isAsked(backend, config) || !backend.fits(host, config)) continue;
      const session = await backend.open(this.context);
      if (session.ready) {
        if (this.#backend !== backend) log.info("wayland session opened", { by: backend.name });
        this.#backend = backend;
        this.#refusal = undefined;
        return session.use;
      }
      reasons.push(`${backend.name}: ${session.reason}`);
    }
    this.#refusal = `Cannot control the Wayland compositor at "${compositor.name}": ` +
      `${reasons.join("; ")}; --virtual-display works beside it`;
    throw new ServiceError("unsupported", this.#refusal);
  }
}

/** Whether `--wayland-backend` names it, or none. */
function isAsked({ name }: WaylandBackend, { waylandBackend }: Config): boolean {
  return waylandBackend === "auto" || waylandBackend === name;
}
