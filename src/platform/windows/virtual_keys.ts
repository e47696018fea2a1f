/**
 * Maps the API's keys to virtual keys of Windows (winuser.h), except characters, which depend on
 * the layout.
 */

import { findKey } from "../keys.ts";
import { NAMED_KEYS } from "../named_keys.ts";

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

/** X keysym names of the keys that a keyboard has twice. */
const SIDED: Readonly<Record<string, number>> = {
  Shift_L: VK.LSHIFT,
  Shift_R: VK.RSHIFT,
  Control_L: VK.LCONTROL,
  Control_R: VK.RCONTROL,
  Alt_L: VK.LMENU,
  Alt_R: VK.RMENU,
  ISO_Level3_Shift: VK.RMENU,
};

/** X keysym names of what the DOM has no name for: the names of the same key. */
const SAME: Readonly<Record<string, string>> = {
  ISO_Left_Tab: "Tab",
  Linefeed: "Return",
  Kana_Lock: "Kana_Shift",
  KP_Space: "space",
  KP_Tab: "Tab",
  Sys_Req: "Print",
  XF86AudioPause: "XF86AudioPlay",
};

/** The codes of extended keys in the DOM; Break, too, is one. */
const EXTENDED =
  /^(Page|End$|Home$|Arrow|Print|Insert$|Delete$|Meta|ContextMenu|NumLock|Numpad(Enter|Divide)$|(Control|Alt)Right|Browser|Audio|Media|Launch)/;

/**
 * Scan codes that MapVirtualKeyExW does not return: for Print it returns that of Alt+Print, and for
 * Pause, which has a two-byte prefix, none.
 */
export const SCAN_CODES: ReadonlyMap<number, number> = new Map([[0x13, 0x45], [0x2c, 0x37]]);

let table: ReadonlyMap<number, VirtualKey> | undefined;

/** The virtual key of a keysym; `undefined` for characters and for keys that Windows lacks. */
export function findVirtualKey(keysym: number): VirtualKey | undefined {
  return virtualKeys().get(keysym);
}

function virtualKeys(): ReadonlyMap<number, VirtualKey> {
  return table ??= new Map(
    namesOfVirtualKeys().map((name) => {
      const known = SAME[name] ?? name;
      const { key, code, keyCode } = NAMED_KEYS[known]!;
      const extended = key === "Cancel" || EXTENDED.test(code);
      return [findKey(name)!.keysym, { vk: SIDED[known] ?? keyCode, extended }];
    }),
  );
}

/** Every X keysym name of the table. */
export function namesOfVirtualKeys(): string[] {
  return [...Object.keys(NAMED_KEYS), ...Object.keys(SAME)];
}

/** Whether a virtual key that is down is most likely the extended one. */
export function isExtended(vk: number): boolean {
  return vk !== VK.RETURN && virtualKeys().values().some((key) => key.extended && key.vk === vk);
}
