/** The desktop of a Mac of recorders, which is kept in a file: what its programs find and change. */

import type { ReportedElement } from "../../src/platform/macos/accessibility/accessibility.ts";

export const PROGRAMS = [
  "cliclick",
  "osascript",
  "pbcopy",
  "pbpaste",
  "screencapture",
] as const;
export type Program = typeof PROGRAMS[number];

/** How a program fails: with a code, in words, after so many commands, the first times only, or never ending. */
export interface Fault {
  code?: number;
  stderr?: string;
  after?: number;
  times?: number;
  hang?: boolean;
  /** How long it takes after it has done everything. */
  delay_ms?: number;
  /** It makes no picture. */
  nothing?: boolean;
  /** It may post no events, though macOS has not said so. */
  untrusted?: boolean;
}

/** What is on the desktop of the Mac; tests change it while the service runs. */
export interface MacDesktop {
  /** What macOS answers to the script that asks about it. */
  answer: Record<string, unknown>;
  /** Pixels per point of the pictures. */
  scale: number;
  /** How blue all pictures are, and the pixels of all displays together that are as blue as can be. */
  blue: number;
  spots: [number, number][];
  cursor: [number, number];
  /** What is pressed. */
  down: string[];
  typed: string;
  pasteboard: string;
  /** What the script for the clipboard finds there: format -> base64. */
  clipboard: { version: number; formats: Record<string, string>; passing?: boolean };
  /** What the script for windows finds, in points; the topmost first. */
  windows: MacWindow[];
  /** The process in front. */
  front: number;
  /** What the menu bar and the Dock leave of the displays. */
  areas: { x: number; y: number; width: number; height: number }[];
  /** What the script for elements finds. */
  elements: ReportedElement[];
  faults: Partial<Record<Program, Fault>>;
}

export interface MacWindow {
  number: number;
  pid: number;
  app: string;
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
  minimized: boolean;
}

const BUILT_IN = { name: "Built-in", x: 0, y: 0, width: 640, height: 400, scale: 1 };
const SECOND = { name: "LG", x: -800, y: -100, width: 800, height: 600, scale: 2 };

/** As it is before a test changes it. */
export function firstDesktop(): MacDesktop {
  return {
    answer: {
      screens: [BUILT_IN, SECOND],
      accessibility: true,
      recording: true,
      session: { locked: false, onConsole: true },
      layout: "com.apple.keylayout.US",
    },
    scale: 1,
    blue: 7,
    spots: [],
    cursor: [5, 6],
    down: [],
    typed: "",
    clipboard: { version: 1, formats: {} },
    pasteboard: "from before\n",
    windows: [],
    front: 0,
    areas: [{ x: 0, y: 24, width: 640, height: 376 }],
    elements: [],
    faults: {},
  };
}
