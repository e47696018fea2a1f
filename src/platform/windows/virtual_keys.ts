/**
 * Maps the API's keys to virtual keys of Windows (winuser.h), except characters, which depend on
 * the layout.
 */

import { findKey } from "../keys.ts";

export interface VirtualKey {
  readonly vk: number;
  /**
   * Whether it is an extended key, added by the 101-key keyboard: its scan code begins with 0xE0.
   */
  readonly extended: boolean;
}

export const VK = {
  RETURN: 0x0d,
  TAB: 0x09,
  LWIN: 0x5b,
  RWIN: 0x5c,
  LSHIFT: 0xa0,
  RSHIFT: 0xa1,
  LCONTROL: 0xa2,
  RCONTROL: 0xa3,
  LMENU: 0xa4,
  RMENU: 0xa5,
} as const;

/** X keysym name -> virtual key. */
const PLAIN: Readonly<Record<string, number>> = {
  BackSpace: 0x08,
  Tab: VK.TAB,
  ISO_Left_Tab: VK.TAB,
  Clear: 0x0c,
  Return: VK.RETURN,
  Linefeed: VK.RETURN,
  Pause: 0x13,
  Caps_Lock: 0x14,
  Kana_Shift: 0x15,
  Kana_Lock: 0x15,
  Hangul: 0x15,
  Hangul_Jeonja: 0x17,
  Kanji: 0x19,
  Hangul_Hanja: 0x19,
  Escape: 0x1b,
  Henkan_Mode: 0x1c,
  Muhenkan: 0x1d,
  Mode_switch: 0x1f,
  space: 0x20,
  Select: 0x29,
  Execute: 0x2b,
  Help: 0x2f,
  XF86Sleep: 0x5f,
  Scroll_Lock: 0x91,
  Shift_L: VK.LSHIFT,
  Shift_R: VK.RSHIFT,
  Control_L: VK.LCONTROL,
  Alt_L: VK.LMENU,
  ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`F${i + 1}`, 0x70 + i])),
  // the keypad, with Num Lock on ...
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`KP_${i}`, 0x60 + i])),
  KP_Multiply: 0x6a,
  KP_Add: 0x6b,
  KP_Separator: 0x6c,
  KP_Subtract: 0x6d,
  KP_Decimal: 0x6e,
  KP_Space: 0x20,
  KP_Tab: VK.TAB,
  // ... and with Num Lock off: the keys that are not extended
  KP_Begin: 0x0c,
  KP_Page_Up: 0x21,
  KP_Page_Down: 0x22,
  KP_End: 0x23,
  KP_Home: 0x24,
  KP_Left: 0x25,
  KP_Up: 0x26,
  KP_Right: 0x27,
  KP_Down: 0x28,
  KP_Insert: 0x2d,
  KP_Delete: 0x2e,
};

const EXTENDED: Readonly<Record<string, number>> = {
  Cancel: 0x03,
  Break: 0x03,
  KP_Enter: VK.RETURN,
  Page_Up: 0x21,
  Page_Down: 0x22,
  End: 0x23,
  Home: 0x24,
  Left: 0x25,
  Up: 0x26,
  Right: 0x27,
  Down: 0x28,
  Print: 0x2c,
  Sys_Req: 0x2c,
  Insert: 0x2d,
  Delete: 0x2e,
  Super_L: VK.LWIN,
  Super_R: VK.RWIN,
  Meta_L: VK.LWIN,
  Meta_R: VK.RWIN,
  Menu: 0x5d,
  KP_Divide: 0x6f,
  Num_Lock: 0x90,
  Control_R: VK.RCONTROL,
  Alt_R: VK.RMENU,
  ISO_Level3_Shift: VK.RMENU,
  XF86Back: 0xa6,
  XF86Forward: 0xa7,
  XF86Refresh: 0xa8,
  XF86Stop: 0xa9,
  XF86Search: 0xaa,
  XF86Favorites: 0xab,
  XF86HomePage: 0xac,
  XF86AudioMute: 0xad,
  XF86AudioLowerVolume: 0xae,
  XF86AudioRaiseVolume: 0xaf,
  XF86AudioNext: 0xb0,
  XF86AudioPrev: 0xb1,
  XF86AudioStop: 0xb2,
  XF86AudioPlay: 0xb3,
  XF86AudioPause: 0xb3,
  XF86Mail: 0xb4,
  XF86AudioMedia: 0xb5,
  XF86Launch1: 0xb6,
  XF86Launch2: 0xb7,
};

/** Every X keysym name of the table. */
export function namesOfVirtualKeys(): string[] {
  return [...Object.keys(PLAIN), ...Object.keys(EXTENDED)];
}

/**
 * Scan codes that MapVirtualKeyExW does not return: for Print it returns that of Alt+Print, and for
 * Pause, which has a two-byte prefix, none.
 */
export const SCAN_CODES: ReadonlyMap<number, number> = new Map([[0x13, 0x45], [0x2c, 0x37]]);

let table: ReadonlyMap<number, VirtualKey> | undefined;

/** The virtual key of a keysym; `undefined` for characters and for keys that Windows lacks. */
export function findVirtualKey(keysym: number): VirtualKey | undefined {
  table ??= new Map([...entries(PLAIN, false), ...entries(EXTENDED, true)]);
  return table.get(keysym);
}

function entries(
  keys: Readonly<Record<string, number>>,
  extended: boolean,
): (readonly [number, VirtualKey])[] {
  return Object.entries(keys).map(([name, vk]) => [findKey(name)!.keysym, { vk, extended }]);
}

/** Whether a virtual key that is down is most likely the extended one. */
export function isExtended(vk: number): boolean {
  return vk !== VK.RETURN && Object.values(EXTENDED).includes(vk);
}
