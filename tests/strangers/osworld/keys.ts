/**
 * The steps of a task's script: lines of Python for `pyautogui`, as OSWorld's agents send them. A person could press
 * all of it: shortcuts, mnemonics and what LibreOffice's search for commands (Shift+Esc) finds in the menus.
 */

/** A line that opens a window, which is waited for before the next one. */
export interface Opening {
  readonly line: string;
  /** A part of its title. */
  readonly window: string;
}

export type Step = string | Opening;

/** How long something takes that no window shows, in seconds. */
const SHORT_PAUSE = 0.5;
const LONG_PAUSE = 1;

/** ASCII only: `pyautogui` types nothing else. */
function quote(text: string): string {
  return JSON.stringify(text); // is Python's, too
}

/** Keys pressed together: `hotkey("ctrl", "shift", "end")`. */
export function hotkey(...keys: readonly string[]): string {
  return `pyautogui.hotkey(${keys.map(quote).join(", ")})`;
}

export function press(key: string, times = 1): string {
  return times === 1
    ? `pyautogui.press(${quote(key)})`
    : `pyautogui.press(${quote(key)}, presses=${times}, interval=0.05)`;
}

export function write(text: string): string {
  return `pyautogui.write(${quote(text)}, interval=0.02)`;
}

export function pause(seconds = SHORT_PAUSE): string {
  return `time.sleep(${seconds})`;
}

/** Presses a key several times while others are down. */
export function holding(keys: readonly string[], key: string, times: number): readonly string[] {
  if (times === 0) return [];
  return [
    ...keys.map((held) => `pyautogui.keyDown(${quote(held)})`),
    press(key, times),
    ...keys.toReversed().map((held) => `pyautogui.keyUp(${quote(held)})`),
  ];
}

export function opens(window: string, line: string): Opening {
  return { line, window };
}

/** Performs the command of the menus whose label begins so (LibreOffice from 7.2). */
export function command(label: string): readonly string[] {
  return [...findCommand(label), press("enter"), pause(LONG_PAUSE)];
}

/** The same for a command that opens a window. */
export function commandOpens(window: string, label: string): readonly Step[] {
  return [...findCommand(label), opens(window, press("enter"))];
}

function findCommand(label: string): readonly string[] {
  return [hotkey("shift", "esc"), pause(LONG_PAUSE), write(label), pause(LONG_PAUSE)];
}

/** An item of a menu by the letters that are underlined (en-US). */
export function menu(name: string, item: string): readonly string[] {
  return [hotkey("alt", name), pause(), press(item), pause(LONG_PAUSE)];
}

/** Replaces everywhere, by the dialog that the three programs share. */
export function replaceAll(
  find: string,
  replace: string,
  { matchCase = false } = {},
): readonly Step[] {
  return [
    opens("Find and Replace", hotkey("ctrl", "h")),
    hotkey("ctrl", "a"),
    write(find),
    ...(matchCase ? [hotkey("alt", "t")] : []),
    hotkey("alt", "p"),
    hotkey("ctrl", "a"),
    write(replace),
    hotkey("alt", "l"),
    pause(LONG_PAUSE),
    press("esc"), // what Calc says of it
    pause(),
    press("esc"),
    pause(),
  ];
}
