/** Displays as input operations use them: per set of devices one order of input, and what is held down. */

import type { Limits } from "../../config/limits.ts";
import { droppedInput, ignoreCode, ServiceError } from "../../core/errors.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { Display, Input, Keyboard, Mouse } from "../../platform/types/mod.ts";
import type { InputScope } from "../input_scope.ts";
import { Figures } from "../figures.ts";
import type { Session } from "../session.ts";
import { ClickHistory } from "./click_history.ts";
import { HeldInput, InputLock } from "./input_lock.ts";

/** How long a release of all input waits for the browser. */
const RELEASE_TIMEOUT_MS = 2_000;
/** The second one is for a display whose loss the first one has noticed. */
const RELEASE_ATTEMPTS = 2;

/** State of the input devices, shared by all displays that use them. */
interface InputDevices {
  readonly held: HeldInput;
  readonly inputLock: InputLock;
  readonly clicks: ClickHistory;
}

/** One display as operations use it. */
export interface DisplaySession extends InputDevices {
  readonly display: Display;
  readonly input: Input;
  /** Those of the service. */
  readonly limits: Limits;
  /** @throws ServiceError `unsupported` where the display has no keyboard. */
  readonly keyboard: Keyboard;
}

export class DisplaySessions implements AsyncDisposable {
  /** Those whose operations release-all ends as a whole. */
  readonly inputScopes = new Set<InputScope>();
  readonly #displaySessions = new Map<number, DisplaySession>();
  readonly #devices = new WeakMap<Keyboard | Mouse, InputDevices>();
  #hasEnded = false;

  constructor(private readonly session: Session) {
    const { now } = session.use(Figures);
    now.set("input_waiting", () => this.#sum(({ inputLock }) => inputLock.waiting));
    now.set("held_keys", () => this.#sum(({ held }) => held.keys.length));
    now.set("held_buttons", () => this.#sum(({ held }) => held.buttons.length));
  }

  /**
   * The session of a display; synchronous if the display is open.
   * @throws ServiceError `unavailable` when there is no such display, `unsupported` when it accepts
   * no input.
   */
  open(displayNum: number): DisplaySession | Promise<DisplaySession> {
    const display = this.session.platform.displays.open(displayNum);
    return display instanceof Promise
      ? display.then((opened) => this.#makeDisplaySession(opened))
      : this.#makeDisplaySession(display);
  }

  /**
   * Ends all input operations on all displays and releases every key and button.
   * @param by whose operations go on, because one of them requests this
   */
  async releaseAll(by?: InputScope): Promise<void> {
    const reason = droppedInput();
    for (const inputScope of this.inputScopes) if (inputScope !== by) inputScope.end(reason);
    const displays = [...this.#displaySessions.values()].map((each) => this.#releaseAllOn(each));
    await Promise.all([...displays, this.#releaseInPages()]);
  }

  /** Displays that share their devices count once. */
  #sum(figure: (devices: InputDevices) => number): number {
    const own = new Map([...this.#displaySessions.values()].map((each) => [each.held, each]));
    return own.values().reduce((sum, each) => sum + figure(each), 0);
  }

  /** A browser that hangs or ends releases nothing, whoever waits for it. */
  async #releaseInPages(): Promise<void> {
    const { browser } = this.session.platform;
    if (!browser.ready) return;
    await browser.use.run("release", {}, AbortSignal.timeout(RELEASE_TIMEOUT_MS)).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.releaseAll();
  }

  async #releaseAllOn(displaySession: DisplaySession): Promise<void> {
    await displaySession.inputLock.preempt(async () => {
      displaySession.held.clear();
      displaySession.clicks.settle();
      let isReleased = false;
      for (let attempt = 1; attempt <= RELEASE_ATTEMPTS && !isReleased; attempt++) {
        const { input } = await this.#reopen(displaySession);
        await ignoreCode("unavailable", async () => {
          await input.releaseAll();
          isReleased = true;
        });
      }
    });
  }

  /** A display that was lost can be there again; at the end of the service nothing waits for that. */
  async #reopen(displaySession: DisplaySession): Promise<DisplaySession> {
    if (this.#hasEnded) return displaySession;
    try {
      return await this.open(displaySession.display.displayNum);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return displaySession;
    }
  }

  #makeDisplaySession(display: Display): DisplaySession {
    const known = this.#displaySessions.get(display.displayNum);
    if (known?.display === display) return known;
    const input = requireCapability(display.input);
    const displaySession: DisplaySession = {
      display,
      input,
      limits: this.session.limits,
      get keyboard() {
        return requireCapability(input.keyboard);
      },
      ...this.#findDevices(input, known),
    };
    this.#displaySessions.set(display.displayNum, displaySession);
    return displaySession;
  }

  /** Displays that share a keyboard also share its held keys and the order of all input. */
  #findDevices({ keyboard, mouse }: Input, known: DisplaySession | undefined): InputDevices {
    const device = keyboard.ready ? keyboard.use : mouse;
    return this.#devices.getOrInsertComputed(device, () => {
      const { limits } = this.session;
      known?.held.clear(); // on a reopened display nothing is held: it was released when that was opened
      return {
        held: new HeldInput(limits),
        inputLock: known?.inputLock ?? new InputLock(limits.maxWaitingInput),
        clicks: new ClickHistory(),
      };
    });
  }
}
