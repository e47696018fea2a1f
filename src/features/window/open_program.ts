/** Starts a program, or opens a file or a URL, and waits for the window that opens. */

import { requireGroup } from "../switched_off.ts";
import { abortAfter, within } from "../../core/deadline.ts";
import { ServiceError, ValueFault } from "../../core/errors.ts";
import { requirePort } from "../../platform/open_port.ts";
import type { Display, Window, WindowId, Windows } from "../../platform/types/mod.ts";
import type { ManagedProcess } from "../bash/managed_process.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/path.ts";
import { createRedactor } from "../secrets/redact.ts";
import { lookUntil } from "./look_until.ts";
import { Opening, shownFirst } from "./opening.ts";
import { toEntries, type WindowEntry } from "./window_answer.ts";

/** By which the script that starts a program says that it cannot. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
/** Of what a program has written at its end. */
const MAX_LAST_LINE = 200;
const FIRST_DISPLAY = 1;

export interface OpenInput {
  readonly program?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  readonly wait_for_window: boolean;
  readonly timeout_ms: number;
  readonly display_num: number;
}

interface Opened {
  readonly process_id: number;
  readonly window: WindowEntry | null;
}

export async function openWithWindow(context: Context, input: OpenInput): Promise<Opened> {
  checkAllowed(context, input);
  const program = await chooseProgram(context, input);
  const display = await context.platform.displays.open(input.display_num);
  const windows = input.wait_for_window ? requirePort(display.windows) : undefined;
  const before = windows && new Set((await windows.list(context.signal)).map(({ id }) => id));
  const process = await start(context, program, display);
  if (windows === undefined) return { process_id: process.pid, window: null };
  using waiting = abortAfter(input.timeout_ms, context.signal);
  const window = await waitForWindow(windows, process, {
    ...{ before: before!, name: program[0]!, signal: waiting.signal },
  });
  context.signal.throwIfAborted();
  const [entry = null] = await toEntries(context, window === undefined ? [] : [window]);
  return { process_id: process.pid, window: entry };
}

/** Who must not run commands must not start programs this way. */
function checkAllowed({ config }: Context, { path }: OpenInput): void {
  requireGroup(config, "bash");
  if (path !== undefined) requireGroup(config, "filesystem");
}

async function chooseProgram(
  { platform, config }: Context,
  { program, args = [], path, url }: OpenInput,
): Promise<readonly string[]> {
  if (program !== undefined) return [program, ...args];
  const { opener } = requirePort(platform.processes);
  if (url !== undefined) return [...opener, url];
  if (path === undefined) throw new ValueFault("program", "Give one of program, path and url");
  const resolved = resolvePath(path, config.home, "path");
  const action = { action: "Cannot open", path: resolved, field: "path" } as const;
  await translating(action, () => Deno.lstat(resolved));
  return [...opener, resolved];
}

async function start(
  { session, config, signal }: Context,
  program: readonly string[],
  { displayNum, variables }: Display,
): Promise<ManagedProcess> {
  const process = await session.shell.start({
    command: program.join(" "),
    program,
    // commands have the variables of the first display anyway
    ...(displayNum === FIRST_DISPLAY || variables === undefined ? {} : { env: variables }),
    input: false,
  }, {
    ...{ signal, maxRuntimeMs: undefined },
    redactor: createRedactor(config, session.knownSecrets),
  });
  process.remembered = true;
  return process;
}

interface Waiting {
  readonly before: ReadonlySet<WindowId>;
  /** Of the program, for messages. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** `undefined`: none has opened in time. */
async function waitForWindow(
  windows: Windows,
  process: ManagedProcess,
  { before, name, signal }: Waiting,
): Promise<Window | undefined> {
  let found: Window | undefined;
  const opening = new Opening();
  await lookUntil(windows, signal, async (changed) => {
    const hasEnded = process.exitCode !== undefined;
    const added = shownFirst((await windows.list(signal)).filter(({ id }) => !before.has(id)));
    found = await findOwn(process, added) ?? (hasEnded ? added[0] : undefined);
    if (found === undefined && hasEnded) await checkEnd(process, name);
    if (found === undefined) return false;
    const restMs = opening.restMs(found);
    return restMs === 0 || !await within(changed, restMs, signal);
  }, process.answered);
  return found;
}

async function findOwn(
  process: ManagedProcess,
  windows: readonly Window[],
): Promise<Window | undefined> {
  for (const window of windows) {
    if (window.pid !== null && await process.holds(window.pid)) return window;
  }
  return undefined;
}

/** @throws ServiceError when the program has failed */
async function checkEnd(process: ManagedProcess, name: string): Promise<void> {
  if (process.exitCode === 0) return;
  if (process.exitCode === NOT_FOUND) {
    throw new ServiceError("not_found", `There is no program "${name}" that can be started`);
  }
  if (process.exitCode === NOT_RUNNABLE) {
    throw new ServiceError("permission_denied", `"${name}" may not be run, or is no program`);
  }
  await process.answered;
  const { text } = await process.output.readInTurns(0);
  const last = text.trim().split("\n").at(-1)!.slice(0, MAX_LAST_LINE);
  const message = `"${name}" has ended with ${process.exitCode} before it opened a window`;
  throw new ServiceError("conflict", last === "" ? message : `${message}: ${last}`);
}
