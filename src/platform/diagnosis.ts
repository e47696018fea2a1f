/**
 * What `doctor` finds out about a computer: how a check is made and what its result is, what is
 * particular to a system, and the checks of a display through its port.
 */

import type { Config } from "../config/config.ts";
import { ServiceError } from "../core/errors.ts";
import type { Size } from "../core/geometry.ts";
import type { Group } from "../core/groups.ts";
import { openEncoder } from "../imaging/encode.ts";
import type { Host } from "./host.ts";
import type { OpenedKeychain } from "./keychain/open_keychain.ts";
import { openScreen } from "./screens.ts";
import type { Display, Displays, Screen } from "./types/mod.ts";

/** Makes the checks of one area one after the other; changes nothing that lasts. */
type ExamineArea = (examine: Examine, host: Host, config: Config) => Promise<void>;

export interface Diagnosis {
  readonly display: ExamineArea;
  readonly programs: ExamineArea;
  readonly permissions: ExamineArea;
  openKeychain(host: Host, config: Config): Promise<OpenedKeychain>;
  /** Names the process that listens on a TCP port of this computer, if this user may know. */
  findPortOwner(port: number): Promise<string | undefined>;
  /** The command that names it. */
  portCommand(port: number): string;
}

// The result of one check, and how it is made.

/**
 * `ok`: it works. `note`: it does not, or works with limits, and nobody has asked for it. `failed`:
 * it was asked for, and does not work.
 */
export type Status = "ok" | "note" | "failed";

export interface Verdict {
  readonly status: Status;
  /** What was found: half a sentence. */
  readonly detail: string;
  /** The command or the flag that mends it. */
  readonly mend?: string;
}

/** Makes one check, with a time limit, and reports it under this name. Never throws. */
export type Examine = (
  name: string,
  check: () => Verdict | Promise<Verdict>,
  options?: ExamineOptions,
) => Promise<Verdict>;

export interface ExamineOptions {
  /** Whether it was asked for; otherwise what fails is only noted. */
  readonly asked?: boolean;
  /** Its own time limit, in milliseconds. */
  readonly limitMs?: number;
  /** What it means when the time is up. */
  readonly late?: Omit<Verdict, "status">;
  /** What mends an error that the check throws. */
  readonly mend?: string;
}

export function ok(detail: string): Verdict {
  return { status: "ok", detail };
}

export function note(detail: string, mend?: string): Verdict {
  return { status: "note", detail, ...mend !== undefined && { mend } };
}

export function failed(detail: string, mend?: string): Verdict {
  return { status: "failed", detail, ...mend !== undefined && { mend } };
}

/** The time since `start` (`performance.now()`), as text: `3.1 ms`. */
export function sinceText(start: number): string {
  return formatTime(performance.now() - start);
}

function formatTime(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

// What the flags ask for: everything that they do not switch off.

export function findWanted({ disabled, readOnly }: Config) {
  const isOn = (group: Group) => !disabled.has(group);
  const input = !readOnly && (isOn("mouse") || isOn("keyboard"));
  return {
    screen: isOn("display") || isOn("mouse") || isOn("keyboard"),
    pictures: isOn("display"),
    input,
    keyboard: !readOnly && isOn("keyboard"),
    keychain: isOn("keychain"),
  };
}

// Checks display 1 through the ports, where nothing particular is known about the system.

interface DisplayCapabilityOptions {
  readonly config: Config;
  /** What mends a display that cannot be used. */
  readonly mend: string;
  /** How long each connection to it may take, where that is longer than other checks. */
  readonly limitMs?: number;
}

export async function examineDisplayCapability(
  examine: Examine,
  displays: Pick<Displays, "open" | "readiness">,
  { config, mend, limitMs }: DisplayCapabilityOptions,
): Promise<void> {
  const wanted = findWanted(config);
  const limit = limitMs === undefined ? { mend } : { mend, limitMs };
  const { status } = await examine("display", async () => {
    const { ready, reason } = await displays.readiness();
    return ready ? ok(reason) : failed(reason, mend);
  }, { asked: wanted.screen, ...limit });
  if (status !== "ok") return;
  const display = await displays.open(1);
  await examine("test picture", async () => {
    const screen = "capture" in display.screen ? display.screen : await openScreen(display.screen);
    try {
      return await takeTestPicture(screen, display.size);
    } finally {
      if (screen !== display.screen) screen.close();
    }
  }, { asked: wanted.pictures, ...limit });
  await examine("test input", () => checkInput(display, mend), { asked: wanted.input, ...limit });
}

/** Moves the cursor to where it is, where that can be known. */
async function checkInput({ input }: Display, mend: string): Promise<Verdict> {
  if (!input.ready) return failed(input.reason, mend);
  const { mouse } = input.use;
  const at = await mouse.position().catch((error) => {
    if (error instanceof ServiceError && error.code === "unsupported") return undefined;
    throw error;
  });
  const start = performance.now();
  if (at === undefined) {
    await input.use.confirm();
    return ok(`the devices answered in ${sinceText(start)}; the position of the cursor is unknown`);
  }
  mouse.move(at);
  await input.use.confirm();
  return ok(`the cursor was moved to its own position in ${sinceText(start)}, nothing was clicked`);
}

// Takes a test picture of a screen, and measures how long that takes.

/** The first picture also pays for memory and compilation. */
const PICTURES = 3;

/** @throws the error of the screen */
export async function takeTestPicture(screen: Screen, size: Size): Promise<Verdict> {
  const encode = await openEncoder("png", 80);
  const region = { x: 0, y: 0, ...size };
  let captured = Infinity;
  let encoded = Infinity;
  let bytes = 0;
  for (let count = 0; count < PICTURES; count++) {
    const start = performance.now();
    await screen.capture(region, { cursor: "hidden" }, (picture) => {
      const taken = performance.now();
      bytes = encode(picture).length;
      captured = Math.min(captured, taken - start);
      encoded = Math.min(encoded, performance.now() - taken);
    });
  }
  const text = `${size.width}x${size.height} captured in ${formatTime(captured)}, ` +
    `then encoded as a PNG of ${Math.ceil(bytes / 1_024)} KiB in ${formatTime(encoded)}`;
  const { reading } = screen;
  if (reading?.way !== "socket") return ok(reading ? `${text}, through shared memory` : text);
  return note(`${text}, through the socket, which is slower: ${reading.reason}`);
}
