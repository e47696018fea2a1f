/**
 * Asks macOS, through one process, about its displays, the session and the permissions of this
 * service, and caches the answer briefly.
 */

import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { Placement } from "./screen.ts";
import { needsAccessibility, type Programs, runProgram, SCRIPT_TOOLS } from "./programs.ts";

/** How long an answer stays valid. */
const FRESH_MS = 2_000;

export interface MacScreen extends Placement {
  readonly name: string | null;
}

/** One answer; `null` where this version of macOS does not report a value. */
export interface DesktopState {
  /** The primary one first. */
  readonly screens: readonly MacScreen[];
  readonly accessibility: boolean | null;
  readonly recording: boolean | null;
  /** Why the session cannot be used: it is locked, or another user's session is on the screen. */
  readonly closed: string | undefined;
  /** `com.apple.keylayout.US`. */
  readonly layout: string | null;
}

export class Desktop {
  #state: DesktopState | undefined;
  #reportedAt = -Infinity;
  #asking: Promise<DesktopState> | undefined;

  constructor(private readonly programs: Programs) {}

  /** The last answer, however old. */
  get last(): DesktopState | undefined {
    return this.#state;
  }

  get fresh(): DesktopState | undefined {
    return performance.now() - this.#reportedAt < FRESH_MS ? this.#state : undefined;
  }

  /**
   * Returns the cached answer if it is fresh, else asks.
   * @throws ServiceError `unavailable`: macOS does not answer.
   */
  read(): Promise<DesktopState> {
    const { fresh } = this;
    if (fresh !== undefined) return Promise.resolve(fresh);
    return this.#asking ??= this.#ask().finally(() => this.#asking = undefined);
  }

  /**
   * Asks again even if the cached answer is fresh, for input that must not fail halfway.
   * @throws ServiceError `unavailable` for a closed session, `permission_denied`
   */
  async requireInput(): Promise<DesktopState> {
    this.#reportedAt = -Infinity;
    const state = await this.read();
    checkOpen(state);
    this.checkInput();
    return state;
  }

  /** @throws ServiceError `permission_denied` if the last answer says so */
  checkInput(): void {
    if (this.#state?.accessibility === false) throw needsAccessibility();
  }

  async #ask(): Promise<DesktopState> {
    const program = this.programs.find("osascript");
    if (program === undefined) throw notReported(`"osascript" does not exist`);
    const { timeoutMs } = this.programs;
    const args = ["-l", "JavaScript", "-e", DESKTOP_SCRIPT];
    const { code, stdout } = await runProgram({ program, args, timeoutMs });
    if (code !== 0) throw notReported(`"osascript" ended with ${code}`);
    const { session, ...answer } = readAnswer(stdout);
    this.#reportedAt = performance.now();
    return this.#state = { ...answer, closed: closedBy(session) };
  }
}

/** @throws ServiceError `unavailable` */
export function checkOpen({ closed }: DesktopState): void {
  if (closed !== undefined) throw new ServiceError("unavailable", `Nothing was done: ${closed}`);
}

const Answer = z.object({
  screens: z.array(z.object({
    name: z.string().nullable(),
    x: z.number(),
    y: z.number(),
    width: z.number().min(1),
    height: z.number().min(1),
    scale: z.number().positive(),
  })),
  accessibility: z.boolean().nullable(),
  recording: z.boolean().nullable(),
  session: z.object({ locked: z.boolean(), onConsole: z.boolean() }).nullable(),
  layout: z.string().nullable(),
});

function readAnswer(text: string): z.output<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(text));
  } catch (cause) {
    throw notReported(`"osascript" returned an unexpected answer`, cause);
  }
}

function closedBy(session: z.output<typeof Answer>["session"]): string | undefined {
  if (session?.locked) return "the screen of this Mac is locked: a person must unlock it";
  if (session?.onConsole !== false) return undefined;
  return "the screen of this Mac shows the session of another user";
}

function notReported(why: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `macOS did not report its displays: ${why}`, { cause });
}

// The script for `osascript -l JavaScript` that reports the displays, the session and the
// permissions; it requests no permission and changes nothing.

/**
 * Prints one JSON object. Each value is read independently; a value that this version of macOS does
 * not report is `null`.
 * - NSScreen counts upwards from the bottom left corner of the primary display; `y` is converted to
 *   count from its top, as mouse events and screencapture do.
 * - CGPreflightScreenCaptureAccess (macOS 10.15) is not among the functions that the bridge knows.
 * - CGSSessionScreenIsLocked is in the session only while it is locked.
 */
export const DESKTOP_SCRIPT = `${SCRIPT_TOOLS}
ObjC.import("AppKit");
ObjC.import("CoreGraphics");
ObjC.import("ApplicationServices");

function screens() {
  const all = $.NSScreen.screens;
  const count = Number(all.count);
  const found = [];
  for (let i = 0; i < count; i++) {
    const screen = all.objectAtIndex(i);
    const { origin, size } = screen.frame;
    const primary = all.objectAtIndex(0).frame.size.height;
    found.push({
      name: attempt(() => screen.localizedName.js, null),
      x: Number(origin.x),
      y: Number(primary - origin.y - size.height),
      width: Number(size.width),
      height: Number(size.height),
      scale: Number(screen.backingScaleFactor),
    });
  }
  return found;
}

function recording() {
  try {
    ObjC.bindFunction("CGPreflightScreenCaptureAccess", ["bool", []]);
  } catch (_) {}
  return Boolean($.CGPreflightScreenCaptureAccess());
}

function session() {
  const now = ObjC.deepUnwrap(ObjC.castRefToObject($.CGSessionCopyCurrentDictionary()));
  if (!now) return null;
  return {
    locked: Boolean(now.CGSSessionScreenIsLocked),
    onConsole: now.kCGSSessionOnConsoleKey === undefined || Boolean(now.kCGSSessionOnConsoleKey),
  };
}

function layout() {
  const settings = $.NSUserDefaults.alloc.initWithSuiteName("com.apple.HIToolbox");
  return settings.stringForKey("AppleCurrentKeyboardLayoutInputSourceID").js;
}

function run() {
  return JSON.stringify({
    screens: attempt(screens, null),
    accessibility: attempt(() => Boolean($.AXIsProcessTrusted()), null),
    recording: attempt(recording, null),
    session: attempt(session, null),
    layout: attempt(layout, null),
  });
}
`;
