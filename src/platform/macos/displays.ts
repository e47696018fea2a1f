/** The displays of macOS: number n is the n-th monitor, 1 the primary one. */

import type { Display, DisplayInfo, Displays, Readiness } from "../types/mod.ts";
import { MacosClipboard } from "./clipboard.ts";
import { checkOpen, type Desktop, type DesktopState } from "./desktop.ts";
import { type DisplayParts, MacosDisplay, NO_SCREENS, noDisplay } from "./display.ts";
import { readDisplayProfile } from "./display_profile.ts";
import { MacosDevices } from "./devices.ts";
import { sizeInPixels } from "./placement.ts";
import { INSTALL_CLICLICK, type Programs } from "./programs.ts";
import { NEEDS_ACCESSIBILITY, NEEDS_SCREEN_RECORDING } from "./refusals.ts";

export class MacosDisplays implements Displays, AsyncDisposable {
  readonly #parts: DisplayParts;
  readonly #opened = new Map<number, MacosDisplay>();

  constructor(private readonly programs: Programs, private readonly desktop: Desktop) {
    const devices = new MacosDevices(programs, desktop);
    this.#parts = { programs, desktop, devices, clipboard: new MacosClipboard(programs) };
  }

  open(displayNum: number): Display | Promise<Display> {
    const { fresh } = this.desktop;
    if (fresh !== undefined) return this.#findDisplay(displayNum, fresh);
    return this.desktop.look().then((state) => this.#findDisplay(displayNum, state));
  }

  async list(): Promise<DisplayInfo[]> {
    const [{ screens }, profile] = await Promise.all([
      this.desktop.look(),
      readDisplayProfile(this.programs),
    ]);
    return screens.map((screen, index) => ({
      displayNum: index + 1,
      name: screen.name ?? profile.find(({ id }) => id === screen.id)?.name ?? "Display",
      ...sizeInPixels(screen),
      scale: 1,
      primary: index === 0,
    }));
  }

  async readiness(): Promise<Readiness> {
    try {
      const state = await this.desktop.look();
      const faults = listFaults(state, this.programs);
      if (faults.length > 0) return { ready: false, reason: faults.join("; ") };
      const { width, height } = sizeInPixels(state.screens[0]!);
      return { ready: true, reason: `display 1 is ${width}x${height} pixels` };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const display of this.#opened.values()) await display[Symbol.asyncDispose]();
    await this.#parts.devices[Symbol.asyncDispose]();
  }

  /** @throws ServiceError `unavailable` */
  #findDisplay(displayNum: number, state: DesktopState): MacosDisplay {
    checkOpen(state);
    const shown = state.screens[displayNum - 1];
    if (shown === undefined) throw noDisplay(displayNum, state);
    const known = this.#opened.get(displayNum);
    if (known === undefined) {
      const display = new MacosDisplay(displayNum, shown, this.#parts);
      this.#opened.set(displayNum, display);
      return display;
    }
    known.shown = shown;
    return known;
  }
}

/** All reasons why display 1 cannot be used, as sentences. */
export function listFaults(state: DesktopState, programs: Programs): string[] {
  return [
    ...(state.closed === undefined ? [] : [state.closed]),
    ...(state.screens.length === 0 ? [NO_SCREENS] : []),
    ...(state.recording === false ? [NEEDS_SCREEN_RECORDING] : []),
    ...listInputFaults(state, programs),
  ];
}

/** The reasons why the mouse and keyboard cannot be used. */
export function listInputFaults(state: DesktopState, programs: Programs): string[] {
  return [
    ...(programs.find("cliclick") === undefined ? [INSTALL_CLICLICK] : []),
    ...(state.accessibility === false ? [NEEDS_ACCESSIBILITY] : []),
  ];
}
