/** Describes the service: version, system, chosen backends, limits. */

import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { DEFAULT_LIMITS, type Limits, mapLimits } from "../../config/limits.ts";
import { within } from "../../core/deadline.ts";
import { importModules } from "../../core/errors.ts";
import { GROUPS } from "../../core/groups.ts";
import type { Capability, Keychain, Readiness } from "../../platform/types/mod.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { Control } from "../control/control.ts";
import { type ControlState, MODES } from "../control/state.ts";
import { isScreenOf } from "../on_desk.ts";
import type { ResultOf } from "../operation.ts";
import type { Session } from "../session.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";

export const SystemInfo = z.object({
  version: z.string(),
  name: z.string().nullable().describe("The computer's name in the base address, or `null`."),
  system: z.enum(["linux", "macos", "windows"]),
  backends: z.array(z.object({
    job: z.enum(["display", "input", "keychain"]),
    chosen: z.string().nullable().describe("The backend in use."),
    reason: z.string().describe("The reason why it was chosen, and the others were not."),
  })),
  redaction: z.object({
    state: z.enum(["on", "incomplete", "off"]),
    reason: z.string().describe("The reason, in one sentence."),
  }).describe("The state of the redaction of stored secrets in the output of commands."),
  pictures: z.array(z.object({
    display: z.string().describe("The system's name of the display, for example `:1`."),
    way: z.enum(["shared_memory", "socket"])
      .describe(
        "`shared_memory`: the X server writes pictures into the service's memory; `socket`: it sends them, which takes longer.",
      ),
    reason: z.string().describe("The reason for the choice."),
  })).describe("The method by which pictures are read, for each X display of which one was taken."),
  control: z.object({
    mode: z.enum(MODES),
    by: z.string().nullable().describe("The name of who has control, has paused, or has a lease."),
  }).describe("Who may act now; `control/state` says more."),
  disabled_groups: z.array(z.enum(GROUPS)),
  read_only: z.boolean(),
  limits: z.object(
    byNameInInfo({
      ...describeAll("Fixed, in the unit that ends its name."),
      ...mapLimits(({ flag, help }) => z.number().describe(`Set by \`--${flag}\`: ${help}.`)),
    }),
  ).describe("All limits; some have a flag."),
});

export function getSystemInfo(
  { platform, config, session, actor }: Context,
): z.output<typeof SystemInfo> {
  return {
    version: config.version,
    name: config.name ?? null,
    system: platform.system,
    backends: platform.backends().map((choice) => ({ ...choice })),
    redaction: describeRedaction(config, session),
    pictures: [...session.readings].filter(([display]) => mayKnow(session, actor, display))
      .map(([display, reading]) => ({ display, ...reading })),
    control: describeControl(session.use(Control).state),
    disabled_groups: [...config.disabled],
    read_only: config.readOnly,
    limits: limitsByName(config.limits),
  };
}

/** A token of one desk knows of no other display. */
function mayKnow({ desks }: Session, { desk: bound }: Actor, screen: string): boolean {
  if (bound === undefined) return true;
  const own = desks.get(bound)?.platform.virtual?.display;
  return own !== undefined && isScreenOf(screen, own);
}

function describeControl({ mode, by }: ControlState): z.output<typeof SystemInfo>["control"] {
  return { mode, by: by?.name ?? null };
}

/** The limits by their names in the answer: `max_body_bytes`. */
export function limitsByName(limits: Limits): Record<string, number> {
  return byNameInInfo({ ...limits });
}

function describeAll(text: string): Record<string, z.ZodNumber> {
  const names = Object.keys(DEFAULT_LIMITS);
  return Object.fromEntries(names.map((name) => [name, z.number().describe(text)]));
}

function byNameInInfo<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [nameInSystemInfo(name), value]));
}

function describeRedaction(
  { redact }: Config,
  session: Session,
): z.output<typeof SystemInfo>["redaction"] {
  const { gap, settled } = session.use(KnownSecrets);
  if (!redact) return { state: "off", reason: "disabled by --no-redact" };
  if (gap !== undefined) return { state: "incomplete", reason: gap };
  if (settled) return { state: "on", reason: "the keychain has been read" };
  return { state: "on", reason: "output is held back until the keychain has been read" };
}

/** Converts `maxBodyBytes` to `max_body_bytes`. */
export function nameInSystemInfo(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// Reports whether the service is alive, and whether it can do its work.

const State = z.object({
  ready: z.boolean(),
  reason: z.string().describe("The reason, in one sentence."),
});
const schema = z.object({
  ready: z.boolean(),
  display: State,
  keychain: State,
  audit: State.optional().describe(
    "With `--audit-file`: whether the operations are written to the file now.",
  ),
});

export const READINESS_ANSWER = {
  oneOf: {
    ready: { status: 200, description: "The service is ready.", schema },
    notReady: {
      status: 503,
      description: "The display is not available; the body says why.",
      schema,
    },
  },
} as const;

export function getHealth() {
  return { status: "ok" } as const;
}

/** Without the display the service is not ready; a missing keychain or audit file is only reported. */
export async function getReadiness(
  { platform, config, session }: Context,
): Promise<ResultOf<typeof READINESS_ANSWER>> {
  const [display, keychain] = await Promise.all([
    platform.displays.readiness(),
    keychainReadiness(platform.keychain, config, session),
  ]);
  const audit = config.auditFile === undefined ? {} : { audit: await auditState(session) };
  const body = { ready: display.ready, display, keychain, ...audit };
  return { outcome: display.ready ? "ready" : "notReady", body };
}

/** Loaded only where there is such a file. */
async function auditState(session: Session): Promise<Readiness> {
  const { AuditFile } = await importModules(() => import("../trail/audit_file.ts"));
  return session.use(AuditFile).state;
}

async function keychainReadiness(
  keychain: Capability<Keychain>,
  config: Config,
  session: Session,
): Promise<Readiness> {
  if (config.disabled.has("keychain")) {
    return { ready: false, reason: "Disabled by --disable" };
  }
  return keychain.ready ? await session.use(KeychainReadiness).of(keychain.use) : keychain;
}

/** A prober gives up after about a second and then considers the whole service dead. */
const PROBE_TIMEOUT_MS = 200;

/** For callers that cannot wait for a slow keychain to answer. */
class KeychainReadiness {
  #pending: Promise<Readiness> | undefined;

  /** Queries once at a time: repeated calls share the query that is pending. */
  async of(keychain: Keychain): Promise<Readiness> {
    this.#pending ??= keychain.readiness().finally(() => this.#pending = undefined);
    const pending = this.#pending;
    if (await within(pending, PROBE_TIMEOUT_MS)) return await pending;
    return { ready: false, reason: `The keychain did not respond within ${PROBE_TIMEOUT_MS} ms` };
  }
}
