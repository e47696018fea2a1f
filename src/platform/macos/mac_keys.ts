/**
 * Maps the API's keys to the key names of cliclick (`cliclick -h`) and to virtual key codes
 * (HIToolbox/Events.h).
 */

import { codePointOfKeysym } from "../keys.ts";
import type { Key } from "../types/mod.ts";

/** The only modifiers that `kd` and `ku` accept. */
export const MODIFIERS = ["alt", "cmd", "ctrl", "fn", "shift"] as const;
export type Modifier = typeof MODIFIERS[number];

/** How a key can be pressed on macOS. */
export type MacKey =
  | { readonly kind: "modifier"; readonly modifier: Modifier }
  /** Tapped with `kp:name`, or held by its key code, which is the same on all layouts. */
  | { readonly kind: "named"; readonly kp: string | undefined; readonly code: number | undefined }
  /** Tapped with `t:`; its physical key depends on the layout. */
  | { readonly kind: "character"; readonly character: string };

/** `undefined` when the key has neither a cliclick name nor a key code. */
export function findMacKey({ keysym }: Key): MacKey | undefined {
  const modifier = MODIFIER_KEYSYMS[keysym];
  if (modifier !== undefined) return { kind: "modifier", modifier };
  const named = NAMED[keysym];
  if (named !== undefined) return { kind: "named", kp: named[0], code: named[1] };
  const codePoint = codePointOfKeysym(keysym);
  if (codePoint === undefined || codePoint <= 0x20 || codePoint > 0x7e) return undefined;
  return { kind: "character", character: String.fromCodePoint(codePoint) };
}

/** macOS distinguishes left and right; cliclick does not. */
const MODIFIER_KEYSYMS: Readonly<Record<number, Modifier>> = {
  0xffe1: "shift", // Shift_L
  0xffe2: "shift",
  0xffe3: "ctrl", // Control_L
  0xffe4: "ctrl",
  0xffe7: "cmd", // Meta_L
  0xffe8: "cmd",
  0xffe9: "alt", // Alt_L
  0xffea: "alt",
  0xfe03: "alt", // ISO_Level3_Shift
  0xffeb: "cmd", // Super_L
  0xffec: "cmd",
  0x100811d0: "fn", // XF86Fn
};

/** keysym -> the key name for `kp`, the virtual key code. */
const NAMED: Readonly<Record<number, readonly [kp: string | undefined, code?: number]>> = {
  0x20: ["space", 49],
  0xff08: ["delete", 51], // BackSpace
  0xff09: ["tab", 48],
  0xff0b: ["num-clear", 71],
  0xff0d: ["return", 36],
  0xff1b: ["esc", 53],
  0xff50: ["home", 115],
  0xff51: ["arrow-left", 123],
  0xff52: ["arrow-up", 126],
  0xff53: ["arrow-right", 124],
  0xff54: ["arrow-down", 125],
  0xff55: ["page-up", 116],
  0xff56: ["page-down", 121],
  0xff57: ["end", 119],
  0xff6a: [undefined, 114], // Help
  0xffff: ["fwd-delete", 117], // Delete
  0xffbe: ["f1", 122],
  0xffbf: ["f2", 120],
  0xffc0: ["f3", 99],
  0xffc1: ["f4", 118],
  0xffc2: ["f5", 96],
  0xffc3: ["f6", 97],
  0xffc4: ["f7", 98],
  0xffc5: ["f8", 100],
  0xffc6: ["f9", 101],
  0xffc7: ["f10", 109],
  0xffc8: ["f11", 103],
  0xffc9: ["f12", 111],
  0xffca: ["f13", 105],
  0xffcb: ["f14", 107],
  0xffcc: ["f15", 113],
  0xffcd: ["f16", 106],
  0xffce: [undefined, 64],
  0xffcf: [undefined, 79],
  0xffd0: [undefined, 80],
  0xffd1: [undefined, 90], // F20
  0xff8d: ["num-enter", 76],
  0xffaa: ["num-multiply", 67],
  0xffab: ["num-plus", 69],
  0xffad: ["num-minus", 78],
  0xffae: [undefined, 65], // KP_Decimal
  0xffaf: ["num-divide", 75],
  0xffb0: ["num-0", 82],
  0xffb1: ["num-1", 83],
  0xffb2: ["num-2", 84],
  0xffb3: ["num-3", 85],
  0xffb4: ["num-4", 86],
  0xffb5: ["num-5", 87],
  0xffb6: ["num-6", 88],
  0xffb7: ["num-7", 89],
  0xffb8: ["num-8", 91],
  0xffb9: ["num-9", 92],
  0xffbd: ["num-equals", 81],
  0x1008ff02: ["brightness-up"],
  0x1008ff03: ["brightness-down"],
  0x1008ff04: ["keys-light-toggle"],
  0x1008ff05: ["keys-light-up"],
  0x1008ff06: ["keys-light-down"],
  0x1008ff11: ["volume-down"],
  0x1008ff12: ["mute"],
  0x1008ff13: ["volume-up"],
  0x1008ff14: ["play-pause"],
  0x1008ff16: ["play-previous"],
  0x1008ff17: ["play-next"],
};
