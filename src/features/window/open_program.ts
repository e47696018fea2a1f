/** Starts a program, or opens a file or a URL, and waits for the window that opens. */

import { abortAfter, within } from "../../core/deadline.ts";
import { FieldError, ServiceError } from "../../core/errors.ts";
import { lastLine } from "../../core/texts.ts";
import { requireCapability } from "../../platform/capability.ts";
import type { Display, Window, WindowId, Windows } from "../../platform/types/mod.ts";
import type { ManagedProcess } from "../bash/managed_process.ts";
import type { Context } from "../context.ts";
import { translating } from "../filesystem/file_errors.ts";
import { resolvePath } from "../filesystem/paths.ts";
import { createRedactor } from "../secrets/redact.ts";
import { pollUntil, toEntries, type WindowEntry } from "./window_answer.ts";
import { Shell } from "../bash/shell.ts";
import { KnownSecrets } from "../secrets/known_secrets.ts";

/** By which the script that starts a program says that it cannot. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
/** Of what a program has written at its end. */
const MAX_LAST_LINE = 200;
const FIRST_DISPLAY = 1;
const POLL_INTERVAL_MS = 20;

interface OpenInput {
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
  readonly active: boolean;
  readonly reason?: string;
}

export async function openWithWindow(context: Context, input: OpenInput): Promise<Opened> {
  const program = await chooseProgram(context, input);
  const display = await context.platform.displays.open(input.display_num);
  const windows = input.wait_for_window ? requireCapability(display.windows) : undefined;
  const listed = await windows?.list(context.signal) ?? [];
  const before = new Map(listed.map(({ id, pid }) => [id, pid]));
  const process = await start(context, program, display);
  if (windows === undefined) {
    return await answer(context, process, "The call did not wait for a window");
  }
  using waiting = abortAfter(input.timeout_ms, context.signal);
  const opened = await waitForWindow(windows, process, {
    before,
    name: program[0]!,
    signal: waiting.signal,
  });
  context.signal.throwIfAborted();
  return await answer(context, process, opened ?? `No window opened within ${input.timeout_ms} ms`);
}

interface OpenedWindow {
  readonly window: Window;
  /** Whether keys go there. */
  readonly isActive: boolean;
}

/** @param found why there is no window, if there is none */
async function answer(
  context: Context,
  { pid }: ManagedProcess,
  found: OpenedWindow | string,
): Promise<Opened> {
  if (typeof found === "string") {
    return { process_id: pid, window: null, active: false, reason: found };
  }
  const { window, isActive: active } = found;
  const [entry = null] = await toEntries(context, [window]);
  const opened = { process_id: pid, window: entry, active };
  return active ? opened : { ...opened, reason: whyInactive(window) };
}

function whyInactive(window: Window): string {
  if (window.isSplash) {
    return "The program is still starting: this window closes when the program's own opens";
  }
  if (isHidden(window)) return "The window is not visible: it may be on another desktop";
  return "The window does not have the keyboard focus: use window/focus, or click into it";
}

async function chooseProgram(
  { platform, config }: Context,
  { program, args = [], path, url }: OpenInput,
): Promise<readonly string[]> {
  if (program !== undefined) return [program, ...args];
  const { opener } = requireCapability(platform.processes);
  if (url !== undefined) return [...opener, url];
  if (path === undefined) throw new FieldError("program", "Give one of program, path and url");
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
  const process = await session.use(Shell).start({
    command: program.join(" "),
    program,
    // commands have the variables of the first display anyway
    ...(displayNum === FIRST_DISPLAY || variables === undefined ? {} : { env: variables }),
    input: false,
  }, {
    signal,
    maxRuntimeMs: undefined,
    redactor: createRedactor(config, session.use(KnownSecrets)),
  });
  process.remembered = true;
  return process;
}

interface OpeningWait {
  /** The processes of the windows that were open, by their ids, which systems give again. */
  readonly before: ReadonlyMap<WindowId, Window["pid"]>;
  /** Of the program, for messages. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Resolves with a window that has the keyboard, where it gets that; `undefined`: none has opened in time. */
async function waitForWindow(
  windows: Windows,
  process: ManagedProcess,
  { before, name, signal }: OpeningWait,
): Promise<OpenedWindow | undefined> {
  let found: Window | undefined;
  let hasKeyboard = false;
  const opening = new Opening();
  await pollUntil(windows, signal, async (changed) => {
    const hasEnded = process.exitCode !== undefined;
    hasKeyboard = false;
    const now = await windows.list(signal);
    const added = readyFirst(
      now.filter(({ id, pid }) => !before.has(id) || before.get(id) !== pid),
    );
    found = await findOwn(process, added) ?? (hasEnded ? added[0] : undefined);
    if (found === undefined && hasEnded) await checkEnd(process, name);
    if (found === undefined || found.isSplash) return false;
    // not every change of the keyboard is an event of windows
    for (;;) {
      const keyboard = await windows.hasKeyboard?.(found.id, signal) ?? isActive(found);
      hasKeyboard = keyboard === true;
      const isOver = keyboard === "never" || hasKeyboard && isActive(found);
      const remainingMs = isOver
        ? opening.remainingMs(found)
        : opening.remainingWithoutKeyboardMs(found);
      if (remainingMs === 0 || signal.aborted) return true;
      if (await within(changed, Math.min(remainingMs, POLL_INTERVAL_MS), signal)) return false;
    }
  }, process.answered);
  return found && { window: found, isActive: hasKeyboard };
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
    throw new ServiceError("not_found", `There is no executable program "${name}"`);
  }
  if (process.exitCode === NOT_RUNNABLE) {
    throw new ServiceError("permission_denied", `"${name}" is not executable, or not a program`);
  }
  await process.answered;
  const { text } = await process.output.readYielding(0);
  const last = lastLine(text).slice(0, MAX_LAST_LINE);
  const message = `"${name}" has ended with ${process.exitCode} before opening a window`;
  throw new ServiceError("conflict", last === "" ? message : `${message}: ${last}`);
}

// Windows that are being opened: window managers list them before they are visible and have the
// keyboard focus.

/** Time for a new window to become visible, in milliseconds; one of another desktop never does. */
const OPENING_MS = 500;
/** Time that a visible window has to get the keyboard focus; another window can keep it. */
const KEYBOARD_MS = 2_000;

type OpeningWindow = Pick<Window, "id" | "states" | "isSplash">;

export class Opening {
  readonly #since = new Map<string, number>();

  /** How long a hidden window may still take, in milliseconds; 0 for a visible one. */
  remainingMs(window: OpeningWindow): number {
    return isHidden(window) ? this.#remainingOf(`${window.id} hidden`, OPENING_MS) : 0;
  }

  /** The same for one that does not have the keyboard focus yet. */
  remainingWithoutKeyboardMs(window: OpeningWindow): number {
    return isHidden(window)
      ? this.remainingMs(window)
      : this.#remainingOf(`${window.id} without`, KEYBOARD_MS);
  }

  #remainingOf(what: string, ms: number): number {
    const now = performance.now();
    return Math.max(0, this.#since.getOrInsert(what, now) + ms - now);
  }
}

/** Windows with the keyboard focus first, then visible ones, and splash screens last. */
export function readyFirst<W extends OpeningWindow>(windows: readonly W[]): readonly W[] {
  return windows.toSorted((one, other) => rank(one) - rank(other));
}

function isActive({ states }: OpeningWindow): boolean {
  return states.includes("active");
}

function isHidden({ states }: OpeningWindow): boolean {
  return states.includes("hidden");
}

function rank(window: OpeningWindow): number {
  if (window.isSplash) return 3;
  if (isHidden(window)) return 2;
  return isActive(window) ? 0 : 1;
}
