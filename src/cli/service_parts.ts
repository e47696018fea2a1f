/** What serving over HTTP and on stdio share: how the service begins, and how its parts end in time. */

import { type Config, ConfigError } from "../config/config.ts";
import type { Limits } from "../config/limits.ts";
import { within } from "../core/deadline.ts";
import { isThere } from "../core/files.ts";
import { flushLog, log } from "../core/log.ts";
import { Control } from "../features/control/control.ts";
import { DisplaySessions } from "../features/input/display_sessions.ts";
import { foldersIn } from "../features/on_desk.ts";
import { Session } from "../features/session.ts";
import { checkBinding } from "../http/address.ts";
import { Tokens } from "../http/tokens/tokens.ts";
import type { Host } from "../platform/host.ts";
import { endByKernel, protectMemory } from "../platform/mod.ts";
import { checkStateFolder } from "../platform/private_folder.ts";
import type { Platform } from "../platform/types/mod.ts";
import { CommandError, isTelemetryOn, orCommandError } from "./command.ts";
import { holdUnpacked } from "./launch.ts";
import { KnownSecrets } from "../features/secrets/known_secrets.ts";
import { Files } from "../features/filesystem/files.ts";

/**
 * Time limit of each step of a shutdown (release, answer, close) after the grace period; commands
 * that ignore the signal take longer.
 */
export const STEP_MS = 1_000;

/**
 * Opens the state of a service, and first finishes what an earlier run has left undone.
 * @throws CommandError for `--yield-to-person` where that is not possible
 */
export async function openSession(platform: Platform, config: Config): Promise<Session> {
  const session = new Session(platform, config.limits, config);
  if (isTelemetryOn()) {
    const { Spans } = await import("../features/telemetry/spans.ts");
    session.spans = new Spans(config.version);
  }
  await session.use(Files).recover();
  session.use(DisplaySessions); // its end releases what is pressed, in pages too
  session.use(Control).requireApproval(config.approve);
  if (config.redact) session.use(KnownSecrets).ready(); // started early, so that no command waits for it
  if (config.auditFile !== undefined) {
    const { AuditFile } = await import("../features/trail/audit_file.ts");
    session.use(AuditFile);
  }
  if (await isThere(foldersIn(config.stateDir)).catch(() => false)) {
    const { Desks } = await import("../features/desks/desks.ts");
    void session.use(Desks).clean();
  }
  const { yieldToPersonMs: restMs } = config;
  if (restMs === undefined) return session;
  const { YieldToPerson } = await import("../features/control/yield_to_person.ts");
  await YieldToPerson.begin(session, { restMs, log }).catch((cause) => {
    throw new CommandError(`--yield-to-person works on X11 and Windows only: ${cause.message}`, {
      cause,
    });
  });
  return session;
}

/**
 * Checks the state folder before its first use: its contents determine which files are removed, and
 * what the keychain's key is.
 */
export async function checkState({ stateDir }: Config): Promise<void> {
  await orCommandError(checkStateFolder(stateDir));
}

/**
 * Who may call.
 * @throws CommandError when the file of tokens cannot be used; ConfigError when flags contradict it
 */
export async function openTokens(config: Config): Promise<Tokens> {
  const tokens = await orCommandError(Tokens.open(config));
  if (config.noAuth && tokens.required) {
    throw new ConfigError(
      '--no-auth contradicts the tokens of the state folder: leave it out, or revoke them ("computer-control token list")',
    );
  }
  checkBinding({ ...config, hasTokens: tokens.required });
  return tokens;
}

/**
 * Checks what `--approve` names: a wrong name would let through what a person is to see first.
 * @throws CommandError
 */
export async function checkApproved({ approve, limits }: Config, tokens: Tokens): Promise<void> {
  if (approve.size === 0) return;
  const { findUnknownNames } = await import("../features/control/approved_names.ts");
  const unknown = await findUnknownNames(approve, limits);
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(", ");
    throw new CommandError(`--approve ${names}: there is no such operation`);
  }
  if (tokens.hasProgram) return;
  log.warn("with --approve programs need tokens without the scope control, or approve themselves", {
    example: "computer-control token add agent --scopes view,input",
  });
}

/**
 * From now on `--help-webhook` hears of programs that ask for a person.
 * @param ports of this service
 * @throws CommandError for an address of its own
 */
export async function openHelpWebhook(
  { helpWebhook, host }: Config,
  session: Session,
  { ports, console }: { readonly ports: readonly number[]; readonly console: string },
): Promise<void> {
  if (helpWebhook === undefined) return;
  const webhook = await import("../features/control/help_webhook.ts");
  if (webhook.isOwnAddress(helpWebhook, { host, ports })) {
    throw new CommandError(`--help-webhook "${helpWebhook}": is an address of this service`);
  }
  session.use(Control).help.onRequest = webhook.helpWebhook(helpWebhook, { console, log });
}

/**
 * Limits the time for closing the platform: a display that hangs must not delay the end, and the
 * program's end releases everything.
 */
export function endingInTime(platform: Platform): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => withTimeout(platform[Symbol.asyncDispose](), STEP_MS) };
}

/**
 * How long Deno may take for exporting what was traced when the program ends; its three exports take
 * at most 10 s each by default.
 */
const EXPORTS_MS = 30_000;

/**
 * Ends the program when stopping has taken `ms` milliseconds: whatever hangs, a file system that does
 * not answer above all, must not keep the service. Where the main thread itself hangs (Deno's
 * exporter can wait for ever at the end of a program, denoland/deno#33157), the kernel ends it.
 */
export async function endAtLatest(
  ms: number,
  host: Pick<Host, "os">,
  exportsMs = EXPORTS_MS,
): Promise<void> {
  setTimeout(async () => {
    log.error("stopping takes too long: the program ends now", { ms });
    await flushLog();
    Deno.exit(1);
  }, ms);
  await endByKernel(host, Math.ceil((ms + exportsMs) / 1_000));
}

/** The longest time that stopping takes by its own limits, in milliseconds. */
export function stopWithinMs({ shutdownGraceMs, killAfterMs }: Limits): number {
  return shutdownGraceMs + killAfterMs + 5 * STEP_MS;
}

/** Resolves when the work is done or the time is up; an error of the work is logged. */
export async function withTimeout(work: PromiseLike<unknown>, timeoutMs: number): Promise<void> {
  const logged = Promise.resolve(work).catch((error) =>
    log.error("stopping failed", { error: String(error) })
  );
  await within(logged, timeoutMs);
}

/**
 * What comes first: protects the memory before any program starts that could read it, removes old
 * versions of a self-extracting file, and survives what nobody handles.
 * @param unpacked the folder that a self-extracting file has unpacked
 */
export async function beginService(host: Host, unpacked: string | undefined): Promise<void> {
  await protectMemory(host);
  if (isTelemetryOn()) (await import("../features/telemetry/spans.ts")).hideAddresses();
  if (unpacked !== undefined) {
    holdUnpacked(unpacked)
      .catch((error) => log.warn("cannot remove old versions", { error: String(error) }));
  }
  // an unhandled error in one request must not end the others, nor leave keys down
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log.error("unhandled rejection", { error: event.reason?.stack ?? String(event.reason) });
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    log.error("unhandled error", { error: event.error?.stack ?? event.message });
  });
}
