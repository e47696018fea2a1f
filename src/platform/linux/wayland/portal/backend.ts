/** The desktop portal as a backend of a Wayland session: with a permission that is stored. */

import { inTime } from "../../../../core/deadline.ts";
import type { ServiceError } from "../../../../core/errors.ts";
import { tryTo } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { available, missing } from "../../../capability.ts";
import { type MessageBus, sessionBusAddress } from "../../bus/types.ts";
import { findBrokerCommand, openVisibleBus } from "../../bus/connection_broker.ts";
import type { WaylandBackend, WaylandContext } from "../backend.ts";
import { openPortalDesktop, type PortalDesktop } from "./desktop.ts";
import {
  grantRecordPath,
  readGrantRecord,
  removeGrantRecord,
  writeGrantRecord,
} from "./open_session.ts";
import { denied, isDenied } from "./requests.ts";
import { openPortalWayland } from "./session.ts";

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
