/** The desktop portal as a backend of a Wayland session: with a permission that is stored. */

import { inTime } from "../../../../core/deadline.ts";
import { ServiceError, tryTo } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { available, missing } from "../../../capability.ts";
import type { Capability } from "../../../types/mod.ts";
import { type MessageBus, onlyFile, sessionBusAddress } from "../../bus/types.ts";
import { findBrokerCommand, openVisibleBus } from "../../bus/connection_broker.ts";
import { LinuxClipboard } from "../../clipboard/linux_clipboard.ts";
import { openPipeWireStream } from "../../pipewire/stream.ts";
import type { WaylandBackend, WaylandContext, WaylandSession } from "../backend.ts";
import { KWIN_OPEN_TIMEOUT_MS, WaylandClient } from "../client.ts";
import { BusClipboard, openDataClipboard, selectionCalls } from "../clipboards.ts";
import { createStreamedDisplay } from "../display.ts";
import { type ActiveLayout, GnomeLayout, KdeLayout } from "../input/active_layout.ts";
import { Seat } from "../seat.ts";
import { openPortalDesktop, type PortalDesktop } from "./desktop.ts";
import { MonitorPointer, Notifications, PortalDevices } from "./input.ts";
import {
  grantRecordPath,
  readGrantRecord,
  removeGrantRecord,
  writeGrantRecord,
} from "./open_session.ts";
import { CLIPBOARD, denied, isDenied, PORTAL as PORTAL_OBJECT, SCREEN_CAST } from "./requests.ts";

/** What a person has decided, for as long as the service runs. */
const consents = new WeakMap<WaylandContext, Consent>();

export const PORTAL: WaylandBackend = {
  name: "portal",
  matches: () => true,
  reason: "the desktop portal, with the permission stored by grant portal",
  async open(context) {
    const { host, config } = context;
    const isGranted = host.exists(grantRecordPath(config.stateDir));
    if (!isGranted && !consents.has(context)) {
      return missing("not allowed yet: run computer-control grant portal in the session");
    }
    return available(await openPortalWayland(await consentOf(context).open(), context));
  },
};

function consentOf(context: WaylandContext): Consent {
  const { host, config, log, compositor } = context;
  const openBus = () =>
    openVisibleBus({ bus: sessionBusAddress(host), command: findBrokerCommand() });
  const compositorRun = () => describeSocket(compositor.path);
  return consents.getOrInsertComputed(
    context,
    () => new Consent({ stateDir: config.stateDir, openBus, compositorRun, log }),
  );
}

/** A compositor that starts again makes its socket anew. */
function describeSocket(path: string): string {
  const info = tryTo(() => Deno.statSync(path));
  return info ? [info.dev, info.ino, info.ctime?.getTime(), info.mtime?.getTime()].join(" ") : "";
}

// Opens the portal's sessions by the permission that `grant portal` has left, and remembers what the
// person at the desktop has decided, so that nobody is asked the same again and again.

interface ConsentOptions {
  readonly stateDir: string;
  /** Opens a connection to the session bus. */
  readonly openBus: () => Promise<MessageBus>;
  /** Names the run of the compositor: it is another one after a restart. */
  readonly compositorRun: () => string;
  readonly log: Log;
  /** How long callers wait for a session; a permission is restored within milliseconds. */
  readonly patienceMs?: number;
  /** How long a dialogue stays open for an answer. */
  readonly dialogueMs?: number;
}

const PATIENCE_MS = 5_000;
const DIALOGUE_MS = 120_000;

interface Attempt {
  readonly opened: Promise<PortalDesktop>;
  readonly patientUntil: number;
}

/** Holds until something else is granted or the compositor restarts. */
interface Decision {
  readonly about: string;
  readonly error: ServiceError;
}

export class Consent {
  #attempt: Attempt | undefined;
  #decision: Decision | undefined;
  /** Resolves when the end of a session is noted. */
  #noted: Promise<void> | undefined;

  constructor(private readonly options: ConsentOptions) {}

  /**
   * Opens the sessions; callers that come during an attempt share it. A dialogue that appears stays
   * open when nobody waits any more, and a later call gets what was allowed in it.
   * @throws ServiceError `permission_denied`: a person has to allow it, and how; `unavailable`;
   *   `unsupported`.
   */
  async open(): Promise<PortalDesktop> {
    const { patienceMs = PATIENCE_MS } = this.options;
    this.#attempt ??= this.#begin(patienceMs);
    const { opened, patientUntil } = this.#attempt;
    const remainingMs = Math.max(0, patientUntil - performance.now());
    const desktop = await inTime(opened, remainingMs, () => denied("asking"));
    this.#attempt = undefined;
    return desktop;
  }

  #begin(patienceMs: number): Attempt {
    const opened = this.#open();
    opened.catch(() => this.#attempt = undefined); // it can fail when nobody waits any more
    return { opened, patientUntil: performance.now() + patienceMs };
  }

  async #open(): Promise<PortalDesktop> {
    const { stateDir, dialogueMs = DIALOGUE_MS } = this.options;
    await this.#noted;
    const record = await readGrantRecord(stateDir);
    if (record === undefined) throw denied("notGranted");
    const about = this.#describe(record);
    if (this.#decision?.about === about) throw this.#decision.error;
    const bus = await this.options.openBus();
    try {
      const desktop = await openPortalDesktop(record, {
        bus,
        dialogueMs,
        store: async (next) => {
          if (next === undefined) await removeGrantRecord(stateDir);
          else await writeGrantRecord(stateDir, next);
        },
      });
      desktop.stopped.then(() => this.#noted = this.#noteStop().catch(() => {}));
      return desktop;
    } catch (error) {
      bus[Symbol.dispose]();
      if (isDenied(error)) this.#decision = { about, error };
      throw error;
    }
  }

  /** A session that the person has ended must not come back by itself. */
  async #noteStop(): Promise<void> {
    this.options.log.warn("the desktop has ended the session of its portal");
    const record = await readGrantRecord(this.options.stateDir);
    this.#decision = { about: this.#describe(record), error: denied("stopped") };
  }

  #describe(record: unknown): string {
    return JSON.stringify([record, this.options.compositorRun()]);
  }
}

// The monitors that a person shares by the desktop portal: as displays.

const NO_WINDOWS =
  "The desktop portal has no interface for windows: use accessibility/snapshot to read their content";

/** @param desktop belongs to the session from now on, also when this fails */
async function openPortalWayland(
  desktop: PortalDesktop,
  { compositor, config }: WaylandContext,
): Promise<WaylandSession> {
  using opening = new DisposableStack();
  opening.use(desktop);
  const client = opening.use(
    await WaylandClient.open(compositor.path, { openTimeoutMs: KWIN_OPEN_TIMEOUT_MS }),
  );
  const { bus, control } = desktop;
  const layout = await openLayout(client, bus);
  const clipboard = await openClipboard(client, desktop);
  const devices = new PortalDevices(new Notifications(bus, control), {
    layout,
    clipboard,
    clipboardTyping: config.clipboardTyping,
    socket: compositor.path,
  });
  control.onSession(() => devices.wake());
  // from left to right: the portal does not report which one is the primary
  const monitors = desktop.pictures.monitors.toSorted((a, b) =>
    a.position.x - b.position.x || a.position.y - b.position.y
  );
  const isConnected = () => desktop.connected && client.connected;
  const opened = opening.move();
  return {
    get connected() {
      return isConnected();
    },
    numbers: () => monitors.map((_, index) => index + 1),
    async openDisplay(displayNum, name) {
      const monitor = monitors[displayNum - 1];
      if (monitor === undefined) throw notShared(displayNum, monitors.length);
      const file = await openPipeWireRemote(desktop);
      const stream = await openPipeWireStream({ node: monitor.node, file });
      const pointer = new MonitorPointer(monitor, stream);
      return createStreamedDisplay({
        displayNum,
        name,
        stream,
        desktop: "The desktop portal",
        input: devices.inputOf(pointer),
        clipboard,
        windows: missing(NO_WINDOWS),
        output: () => ({
          name: `monitor ${displayNum}`,
          scale: stream.size.width / pointer.logicalSize.width,
        }),
        isConnected,
      });
    },
    [Symbol.asyncDispose]() {
      opened.dispose();
      return Promise.resolve();
    },
  };
}

/** A connection to PipeWire that reaches the shared monitors alone. */
async function openPipeWireRemote({ bus, pictures }: PortalDesktop): Promise<number> {
  const reply = await bus.call({
    ...PORTAL_OBJECT,
    interface: SCREEN_CAST,
    member: "OpenPipeWireRemote",
    signature: "oa{sv}",
    body: [pictures.handle, []],
  });
  return onlyFile(reply, "The desktop portal");
}

function notShared(displayNum: number, count: number): ServiceError {
  const shared = count === 1 ? "one monitor is shared" : `${count} monitors are shared`;
  return new ServiceError(
    "unavailable",
    `Cannot open display ${displayNum}: ${shared} with this service; computer-control grant portal ` +
      "lets you choose others",
  );
}

// The keyboard layout of whatever desktop the portal belongs to.

/** Plasma reports which layout is active by interfaces of its own. */
async function openLayout(client: WaylandClient, bus: MessageBus): Promise<ActiveLayout> {
  if (client.globals.find("org_kde_kwin_keystate") === undefined) {
    return await GnomeLayout.open(client, bus);
  }
  return await KdeLayout.open(client, await Seat.open(client), bus);
}

/** The clipboard of the desktop, by its portal or by its compositor. */
async function openClipboard(
  client: WaylandClient,
  { bus, pictures }: PortalDesktop,
): Promise<Capability<LinuxClipboard>> {
  if (pictures.hasClipboard) {
    const typed = await openPortalClipboard(bus, pictures.handle);
    return available(new LinuxClipboard(() => Promise.resolve(typed)));
  }
  const clipboard = await openDataClipboard(client, client.bind("wl_seat", 5));
  if (clipboard.ready) return clipboard;
  return missing(
    "This desktop's portal has no clipboard: it needs org.freedesktop.portal.Clipboard (GNOME 45)",
  );
}

// The Clipboard portal, for sessions that may use it.
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Clipboard.html

/** @param handle of a session that has the clipboard */
function openPortalClipboard(bus: MessageBus, handle: string): Promise<BusClipboard> {
  return BusClipboard.open(selectionCalls({
    name: "The desktop portal",
    options: { types: "mime_types", isOwner: "session_is_owner" },
    isOpen: () => bus.connected,
    call: (member, signature, body) =>
      bus.call({
        ...PORTAL_OBJECT,
        interface: CLIPBOARD,
        member,
        signature: `o${signature}`,
        body: [handle, ...body],
      }),
    async on(member, listener) {
      await bus.on({ interface: CLIPBOARD, member }, ({ body: [session, ...body] }) => {
        if (session === handle) listener(body);
      });
    },
  }));
}
