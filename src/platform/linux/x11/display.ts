/** An X display: one connection, the screen behind it, and its input devices. */

import { inTime } from "../../../core/deadline.ts";
import { ServiceError } from "../../../core/errors.ts";
import { available, missing } from "../../capability.ts";
import type {
  Available,
  Capability,
  DeliveryStatus,
  DeliveryTracker,
  DeliveryTracking,
  Input,
} from "../../types/mod.ts";
import { AtspiAccessibility } from "../atspi/accessibility.ts";
import { failWithoutBus } from "../atspi/find_bus.ts";
import { LinuxClipboard } from "../clipboard/linux_clipboard.ts";
import type { LinuxDisplay } from "../linux_display.ts";
import { createHiddenWindow, readAccessibilityBus } from "./window_queries.ts";
import { X11Changes } from "./changes.ts";
import type { Xkb, XTest } from "./client.ts";
import { requireExtension, X11Connection } from "./connection.ts";
import { X11Focus } from "./focus.ts";
import { decideDeliveryStatus } from "./delivery_status.ts";
import { X11Keyboard } from "./keyboard.ts";
import { X11Mouse } from "./mouse.ts";
import {
  InputTally,
  PressProbe,
  type Recorded,
  type RecordExtension,
  RecordStream,
} from "./record_stream.ts";
import { X11Screen } from "./screen.ts";
import { X11Clipboard } from "./selection/clipboard.ts";
import { XOpenError } from "./setup.ts";
import { X11Windows } from "./windows/windows.ts";

interface X11DisplayOptions {
  readonly displayNum: number;
  /** The X display name, for example `:1`. */
  readonly xDisplay: string;
  /**
   * How long a scratch keycode keeps its character when the program does not report that it has
   * caught up.
   */
  readonly keymapSettleMs: number;
  /**
   * The address of the accessibility bus of the session, where the display itself names none.
   * @throws ServiceError `unavailable`: there is none
   */
  findAccessibilityBus?(): Promise<string>;
}

/** Opens an X display. @throws XOpenError */
export function openX11Display(options: X11DisplayOptions) {
  return X11Connection.openFor(options.xDisplay, async (connection) => {
    const input = await openInput(connection, options.keymapSettleMs);
    return createDisplay(options, connection, input);
  });
}

function createDisplay(
  { displayNum, xDisplay, findAccessibilityBus = failWithoutBus }: X11DisplayOptions,
  connection: X11Connection,
  input: Capability<X11Input>,
) {
  const pixels = new X11Screen(connection, "single pixels are small");
  const focus = available(new X11Focus(connection));
  const clipboard = new LinuxClipboard(() => X11Clipboard.open(xDisplay));
  const windows = new X11Windows(xDisplay);
  const accessibility = new AtspiAccessibility({
    findBus: async () => await readAccessibilityBus(connection) ?? await findAccessibilityBus(),
    windows: () => available(windows),
  });
  let changes: Promise<X11Changes> | undefined;
  let opened: X11Changes | undefined;

  async function openChanges(): Promise<X11Changes> {
    try {
      return opened = await X11Changes.open(xDisplay);
    } catch (error) {
      changes = undefined;
      if (!(error instanceof XOpenError)) throw error;
      throw new ServiceError("unavailable", `Cannot follow the display: ${error.message}`, {
        cause: error,
      });
    }
  }

  return {
    displayNum,
    name: xDisplay,
    screen: { backend: "x11", name: xDisplay },
    /** Programs that find a Wayland session would open their windows there. */
    variables: { DISPLAY: xDisplay, WAYLAND_DISPLAY: "" },
    serverRun: crypto.randomUUID(), // a lost connection never comes back
    input,
    focus,
    delivery: focus,
    deliveryTracker: input.ready ? available(new X11DeliveryTracker(connection, input.use)) : input,
    realInput: available({
      watch: async (used) => (await import("./real_input.ts")).watchRealInput(xDisplay, used),
    }),
    clipboard: available(clipboard),
    windows: available(windows),
    accessibility: available(accessibility),
    /** `false` once the server has gone; the display must then be opened again. */
    get connected() {
      return connection.connected;
    },
    get size() {
      return connection.size;
    },
    onLoss(listener) {
      connection.onLoss(({ isIdle }) => listener({ mayBePressed: !isIdle || isPressed(input) }));
    },
    pixel: (at) => pixels.pixel(at),
    watch() {
      if (opened?.connected === false) opened = changes = undefined;
      return changes ??= openChanges();
    },
    async [Symbol.asyncDispose]() {
      try {
        await windows[Symbol.asyncDispose]();
        await clipboard.close();
        if (connection.connected && input.ready) await input.use.keyboard.use.close();
      } catch (error) {
        if (connection.connected) throw error; // otherwise the server has gone and holds nothing down
      } finally {
        accessibility[Symbol.dispose]();
        connection[Symbol.dispose]();
        (await changes?.catch(() => undefined))?.[Symbol.dispose]();
      }
    },
  } satisfies LinuxDisplay;
}

function isPressed(input: Capability<X11Input>): boolean {
  return input.ready && (input.use.mouse.isPressed || input.use.keyboard.use.isPressed);
}

interface X11Input extends Input {
  readonly mouse: X11Mouse;
  readonly keyboard: Available<X11Keyboard>;
  readonly xtest: XTest;
}

async function openInput(
  connection: X11Connection,
  keymapSettleMs: number,
): Promise<Capability<X11Input>> {
  const xtest = await requireExtension<XTest>(connection, "xtest");
  const xkb = await requireExtension<Xkb>(connection, "xkb");
  if (!xtest || !xkb) {
    const lacking = xtest ? "XKEYBOARD" : "XTEST";
    return missing(
      `The X server at "${connection.name}" has no ${lacking} extension, which input needs`,
    );
  }
  xtest.GrabControl(true); // menus and screenshot tools that grab the server cannot block input
  const keyboard = await X11Keyboard.open({ connection, xtest, xkb, keymapSettleMs });
  const mouse = new X11Mouse(connection, xtest);
  return available({
    driver: "x11",
    mouse,
    keyboard: available(keyboard),
    xtest,
    confirm: () => connection.confirm(),
    async releaseAll() {
      await keyboard.releaseAll();
      mouse.releaseAll();
      await connection.confirm();
    },
  });
}

// Reports which programs got the input: records what the server hands to its clients, and asks it
// about the presses that it does not report.

/** How long the server may take to begin or to end reporting. */
const ANSWER_TIMEOUT_MS = 2_000;

class X11DeliveryTracker implements DeliveryTracker {
  #record: Promise<RecordExtension | undefined> | undefined;
  #probeWindow: number | undefined;

  constructor(
    private readonly connection: X11Connection,
    private readonly input: X11Input,
  ) {}

  async track(): Promise<DeliveryTracking> {
    const { connection, input: { xtest, mouse, keyboard: { use: keyboard } } } = this;
    const record = await (this.#record ??= requireExtension<RecordExtension>(connection, "record"));
    if (record === undefined) throw this.#unsupported("has no RECORD extension");
    this.#probeWindow ??= createHiddenWindow(connection, { overrideRedirect: 1 });
    const probeWindow = this.#probeWindow;
    const [tally, probe] = [new InputTally(), new PressProbe(connection, xtest, probeWindow)];
    const use = (recorded: Recorded) => tally.add(recorded);
    const stream = await RecordStream.open(connection.name, { probeWindow, use });
    if (stream === undefined) {
      throw this.#unsupported("is not on this computer, or accepts no other connection");
    }
    await using ending = new AsyncDisposableStack();
    ending.use(stream);
    await inTime(
      stream.started,
      ANSWER_TIMEOUT_MS,
      () => this.#unsupported("does not respond"),
    );
    const before = await probe.probe("button");
    mouse.afterPress = () => probe.afterButton();
    keyboard.afterPress = () => probe.afterKey();
    ending.defer(() => {
      mouse.afterPress = keyboard.afterPress = undefined;
    });
    const open = ending.move();
    return {
      finish: async (): Promise<DeliveryStatus> => {
        mouse.afterPress = keyboard.afterPress = undefined;
        const answers = await Promise.all(probe.answers);
        const after = await probe.probe("key");
        if (connection.connected) record.DisableContext(stream.context);
        connection.client.pack_stream.flush();
        const late = () =>
          new ServiceError("unavailable", `The X server at "${connection.name}" does not respond`);
        await inTime(stream.ended, ANSWER_TIMEOUT_MS, late); // it has the input already
        const probes = { answers, before, after, clientMask: stream.clientMask };
        return await decideDeliveryStatus(connection, tally, probes);
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    };
  }

  #unsupported(why: string): ServiceError {
    return new ServiceError("unsupported", `The X server at "${this.connection.name}" ${why}`);
  }
}
