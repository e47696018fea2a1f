/** The keyboards of the matrix: layouts, groups and locks that people really have. */

import type { RealDesktopOptions } from "./desktop.ts";

export type Keyboard = Pick<RealDesktopOptions, "layout" | "group" | "capsLock" | "numLock">;

export const KEYBOARDS = {
  "us": { layout: ["us"] },
  "de": { layout: ["de"] },
  "fr": { layout: ["fr"] },
  "us-intl": { layout: ["us", "intl"] },
  "ru": { layout: ["ru"] },
  "gr": { layout: ["gr"] },
  "us,ru group 2": { layout: ["us,ru"], group: 1 },
  "Caps Lock": { layout: ["us"], capsLock: true },
  "Num Lock": { layout: ["us"], numLock: true },
} as const satisfies Record<string, Keyboard>;

export type KeyboardName = keyof typeof KEYBOARDS;

export const KEYBOARD_NAMES = Object.keys(KEYBOARDS) as KeyboardName[];
