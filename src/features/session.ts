/**
 * The service's state while it runs: that of each feature from its first use, and per display the
 * input queue and what is held down.
 */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import type { Limits } from "../config/limits.ts";
import { requireCapability } from "../platform/capability.ts";
import type { Display, Input, Keyboard, Mouse, Platform, Reading } from "../platform/types/mod.ts";
import { Frames } from "./input/frames.ts";
import type { NamedOperation } from "./call/call_names.ts";
import { Refs } from "./targets/refs.ts";
import { Files } from "./filesystem/files.ts";
import { HeldInput, InputLock } from "./input/input_lock.ts";
import { ClickHistory } from "./input/click_history.ts";

/** How long a release of all input waits for the browser. */
const RELEASE_TIMEOUT_MS = 2_000;
/** Elements whose refs are remembered. */
const MAX_REFS = 50_000;

/** State of the input devices, shared by all displays that use them. */
interface InputDevices {
  readonly held: HeldInput;
  readonly inputLock: InputLock;
  readonly clicks: ClickHistory;
}

/** Runs several operations that press keys and buttons. */
interface EndableInputScope {
  end(reason: ServiceError): void;
}

/** What decides whether an operation becomes a chapter of a recording. */
export interface NotedOperation extends NamedOperation {
  readonly readOnly: boolean;
  readonly runsOthers?: boolean;
}

type Ending = Partial<Disposable & AsyncDisposable>;

/** State that a feature keeps while the service runs: a class with a way to make it. */
interface FeatureState<State> {
  openIn(session: Session): State;
}

/** One display as operations use it. */
export interface DisplaySession extends InputDevices {
  readonly display: Display;
  readonly input: Input;
  /** @throws ServiceError `unsupported` where the display has no keyboard. */
  readonly keyboard: Keyboard;
}

export class Session implements AsyncDisposable {
  /** The pictures that were sent recently. */
  readonly frames: Frames;
  /** The elements that snapshots have named. */
  readonly refs = new Refs(MAX_REFS);
  /** How the screens were read of which a picture was taken, by the system's name of the display. */
  readonly readings = new Map<string, Reading>();
  /** Notes an operation that begins; absent while nothing has been recorded. */
  noteOperation?: (operation: NotedOperation, input: unknown) => void;
  readonly #states = new Map<FeatureState<object>, Ending>();
  #hasEnded = false;
  readonly #displaySessions = new Map<number, DisplaySession>();
  readonly #devices = new WeakMap<Keyboard | Mouse, InputDevices>();

  /** Those whose operations release-all ends as a whole. */
  readonly inputScopes = new Set<EndableInputScope>();
  readonly files: Files;
  readonly stateDir: string;

  constructor(
    readonly platform: Platform,
    readonly limits: Limits,
    { stateDir }: Pick<Config, "stateDir">,
  ) {
    this.frames = new Frames(limits.maxFrames);
    this.files = new Files({ platform, stateDir, limits });
    this.stateDir = stateDir;
  }

  /**
   * The state of a feature, which is made when it is first used: who does not use the feature has
   * none of its modules. It ends with the session.
   */
  use<State extends object>(feature: FeatureState<State>): State {
    const known = this.#states.get(feature);
    if (known !== undefined) return known as State;
    const state = feature.openIn(this);
    this.#states.set(feature, state as Ending);
    if (this.#hasEnded) end(state as Ending);
    return state;
  }

  /**
   * The session of a display; synchronous if the display is open.
   * @throws ServiceError `unavailable` when there is no such display, `unsupported` when it accepts
   * no input.
   */
  displaySession(displayNum: number): DisplaySession | Promise<DisplaySession> {
    const display = this.platform.displays.open(displayNum);
    return display instanceof Promise
      ? display.then((opened) => this.#makeDisplaySession(opened))
      : this.#makeDisplaySession(display);
  }

  /**
   * Ends all input operations on all displays and releases every key and button.
   * @param by whose operations go on, because one of them asks for this
   */
  async releaseAll(by?: EndableInputScope): Promise<void> {
    const reason = new ServiceError("conflict", "Dropped: all input was released in the meantime");
    for (const inputScope of this.inputScopes) if (inputScope !== by) inputScope.end(reason);
    const displays = [...this.#displaySessions.values()].map(releaseAllOn);
    await Promise.all([...displays, this.#releaseInPages()]);
  }

  /** A browser that hangs or ends releases nothing, whoever waits for it. */
  async #releaseInPages(): Promise<void> {
    const { browser } = this.platform;
    if (!browser.ready) return;
    await browser.use.run("release", {}, AbortSignal.timeout(RELEASE_TIMEOUT_MS)).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await Promise.all([...[...this.#states.values()].map(end), this.releaseAll()]);
    this.files[Symbol.dispose]();
  }

  #makeDisplaySession(display: Display): DisplaySession {
    const known = this.#displaySessions.get(display.displayNum);
    if (known?.display === display) return known;
    const input = requireCapability(display.input);
    const displaySession: DisplaySession = {
      display,
      input,
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
    const shared = this.#devices.get(device);
    if (shared) return shared;
    known?.held.clear(); // on a reopened display nothing is held by us
    const devices = {
      held: new HeldInput(this.limits.maxHoldMs),
      inputLock: known?.inputLock ?? new InputLock(this.limits.maxWaitingInput),
      clicks: new ClickHistory(),
    };
    this.#devices.set(device, devices);
    return devices;
  }
}

async function end(state: Ending): Promise<void> {
  state[Symbol.dispose]?.();
  await state[Symbol.asyncDispose]?.();
}

async function releaseAllOn(displaySession: DisplaySession): Promise<void> {
  await displaySession.inputLock.preempt(async () => {
    displaySession.held.clear();
    displaySession.clicks.settle();
    try {
      await displaySession.input.releaseAll();
    } catch (error) {
      // a closed display holds nothing down
      if (!(error instanceof ServiceError && error.code === "unavailable")) throw error;
    }
  });
}
