/**
 * The keyboard, through SendInput: keys by the layout of the foreground window, text as Unicode.
 */

import { KEYEVENTF, MAPVK_VK_TO_VSC, type User32 } from "../../../ffi/windows/user32.ts";
import { ServiceError } from "../../core/errors.ts";
import { available } from "../capability.ts";
import { codePointOfKeysym, findKey, keyTaken, PressCounts, splitIntoStrokes } from "../keys.ts";
import { NAMED_KEYS } from "../named_keys.ts";
import type { HeldByOthers, Key, Keyboard, TextPlan } from "../types/mod.ts";
import { type InputQueue, type KeyRecord, unitRecord } from "./input_records.ts";

export type KeyboardCalls =
  & LayoutCalls
  & Pick<User32, "GetAsyncKeyState" | "MapVirtualKeyExW">;

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

/** The modifiers that a person can hold down. */
const MODIFIER_NAMES: readonly (readonly [number, string])[] = [
  [VK.LSHIFT, "shift"],
  [VK.RSHIFT, "shift"],
  [VK.LCONTROL, "ctrl"],
  [VK.RCONTROL, "ctrl"],
  [VK.LMENU, "alt"],
  [VK.RMENU, "alt"],
  [VK.LWIN, "win"],
  [VK.RWIN, "win"],
];

/** The first virtual key of the keyboard: VK_CANCEL, amid the mouse buttons 1, 2, 4, 5 and 6. */
const FIRST_KEY = 0x03;
const LAST_KEY = 0xfe;
/**
 * Not single keys: mouse buttons; VK_SHIFT, VK_CONTROL and VK_MENU, each of which stands for two
 * keys; VK_PACKET, which stands for a character.
 */
const NO_KEYS: readonly number[] = [0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0xe7];
/** Most strokes of one call, so that typing can stop quickly. */
const SLICE_SIZE = 50;
/** The characters of a text that are typed as keys. */
const KEYS: ReadonlyMap<string, number> = new Map([["\n", VK.RETURN], ["\t", VK.TAB]]);

/** A pressed key, with the modifiers that were pressed for it. */
interface Down {
  readonly keys: readonly VirtualKey[];
  readonly units: readonly number[];
}

export class WindowsKeyboard implements Keyboard {
  /** Keysym -> the keys that were pressed for it. */
  readonly #down = new Map<number, Down>();
  /** Of virtual keys. */
  readonly #presses = new PressCounts();

  readonly heldByOthers = available<HeldByOthers>({
    seen: () => this.#heldByOthers().length > 0,
    modifiers: () => {
      this.queue.send();
      return Promise.resolve(this.#heldByOthers());
    },
  });

  constructor(private readonly user32: KeyboardCalls, private readonly queue: InputQueue) {
    queue.notPressed = (keys) => keys.forEach((key) => this.#forget(key));
  }

  prepare(keys: readonly Key[]): void {
    for (const key of keys) findStroke(key, this.user32, { alone: keys.length === 1 });
  }

  press(key: Key): void {
    if (this.#down.has(key.keysym)) return;
    const stroke = findStroke(key, this.user32, { alone: this.#down.size === 0 });
    if ("units" in stroke) {
      this.#down.set(key.keysym, { keys: [], units: stroke.units });
      this.queue.add(...stroke.units.map((unit) => unitRecord(unit, "down")));
      return;
    }
    const isModifier = MODIFIER_NAMES.some(([vk]) => vk === stroke.key.vk);
    if (this.#presses.has(stroke.key.vk) && !isModifier) throw keyTaken(key.name);
    const keys = [...stroke.modifiers.map((modifier) => this.#keyFor(modifier)), stroke.key];
    this.#down.set(key.keysym, { keys, units: [] });
    for (const each of keys) this.#press(each);
  }

  release({ keysym }: Key): void {
    const down = this.#down.get(keysym);
    if (down === undefined) return;
    this.#down.delete(keysym);
    this.queue.add(...down.units.map((unit) => unitRecord(unit, "up")));
    for (const key of down.keys.toReversed()) this.#release(key);
  }

  /**
   * Text is sent as Unicode, so Caps Lock and the layout do not affect it; line breaks and tabs are
   * keys.
   * @throws FieldError on `text` for control characters and lone surrogates
   */
  plan(text: string): Promise<TextPlan> {
    return Promise.try((): TextPlan => {
      const characters = splitIntoStrokes(text);
      return {
        length: characters.length,
        sliceSize: SLICE_SIZE,
        send: (from, to) => {
          for (const character of characters.slice(from, to)) this.#type(character);
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    });
  }

  /** Releases every key that is down according to Windows, no matter which program pressed it. */
  releaseAll(): void {
    for (const keysym of [...this.#down.keys()]) this.release({ name: "", keysym });
    this.queue.send();
    for (let vk = FIRST_KEY; vk <= LAST_KEY; vk++) {
      if (NO_KEYS.includes(vk) || !this.#isDown(vk)) continue;
      this.#send({ vk, extended: isExtended(vk) }, "up");
    }
  }

  #type(character: string): void {
    const vk = KEYS.get(character);
    if (vk !== undefined) {
      this.#send(plain(vk), "down");
      this.#send(plain(vk), "up");
      return;
    }
    for (const unit of toUtf16Units(character)) {
      this.queue.add(unitRecord(unit, "down"), unitRecord(unit, "up"));
    }
  }

  /** The key of this modifier that we hold down, else its first key. */
  #keyFor(modifier: Modifier): VirtualKey {
    return modifier.find(({ vk }) => this.#presses.has(vk)) ?? modifier[0]!;
  }

  /** The first key that needs a virtual key presses it ... */
  #press(key: VirtualKey): void {
    if (this.#presses.press(key.vk)) this.#send(key, "down");
  }

  /** ... and the last one releases it. */
  #release(key: VirtualKey): void {
    if (this.#presses.release(key.vk)) this.#send(key, "up");
  }

  #send({ vk, extended }: VirtualKey, direction: "down" | "up"): void {
    const scan = SCAN_CODES.get(vk) ??
      this.user32.MapVirtualKeyExW(vk, MAPVK_VK_TO_VSC, activeLayout(this.user32));
    const flags = (extended ? KEYEVENTF.EXTENDEDKEY : 0) |
      (direction === "up" ? KEYEVENTF.KEYUP : 0);
    this.queue.add({ kind: "key", vk, scan, flags } satisfies KeyRecord);
  }

  /**
   * Forgets a key that Windows did not press and every key that needs it, and releases the
   * modifiers that were pressed for those.
   */
  #forget({ vk, scan }: KeyRecord): void {
    this.#presses.forget(vk);
    for (const [keysym, { keys, units }] of this.#down) {
      const needsIt = vk === 0 ? units.includes(scan) : keys.some((key) => key.vk === vk);
      if (!needsIt) continue;
      this.#down.delete(keysym);
      const others = keys.filter((key) => this.#presses.has(key.vk));
      for (const key of others.toReversed()) this.#release(key);
    }
  }

  #heldByOthers(): string[] {
    const names = MODIFIER_NAMES
      .filter(([vk]) => !this.#presses.has(vk) && this.#isDown(vk))
      .map(([, name]) => name);
    return [...new Set(names)];
  }

  #isDown(vk: number): boolean {
    return this.user32.GetAsyncKeyState(vk) < 0;
  }
}

// Finds the keys to press for one of the API's keys, on the layout of the focused window.

type LayoutCalls = Pick<
  User32,
  "VkKeyScanExW" | "GetKeyboardLayout" | "GetForegroundWindow" | "GetWindowThreadProcessId"
>;

/**
 * A virtual key and the modifiers that its symbol needs, or a character that is sent as Unicode.
 */
type KeyStroke =
  | { readonly key: VirtualKey; readonly modifiers: readonly Modifier[] }
  | { readonly units: readonly number[] };

/** Virtual keys of which one must be down; the first is pressed when none is. */
type Modifier = readonly VirtualKey[];

const plain = (vk: number): VirtualKey => ({ vk, extended: false });
const extended = (vk: number): VirtualKey => ({ vk, extended: true });

const SHIFT: Modifier = [plain(VK.LSHIFT), plain(VK.RSHIFT)];
const CONTROL: Modifier = [plain(VK.LCONTROL), extended(VK.RCONTROL)];
const ALT: Modifier = [plain(VK.LMENU), extended(VK.RMENU)];
/** Together with Control it means AltGr; programs expect the right key for that. */
const RIGHT_ALT: Modifier = [extended(VK.RMENU), plain(VK.LMENU)];

/** Bits in the high byte of VkKeyScanExW's result. */
const STATE = { SHIFT: 1, CONTROL: 2, ALT: 4, ALL: 7 } as const;
const NOT_ON_LAYOUT = -1;
/** Letters and digits have their ASCII codes as virtual keys, even on layouts without them. */
const ASCII_KEY = /^[a-z0-9]$/;
const ISO_LEVEL3_SHIFT = 0xfe03;

function activeLayout(user32: LayoutCalls) {
  const window = user32.GetForegroundWindow();
  const thread = window === 0n ? 0 : user32.GetWindowThreadProcessId(window, null);
  return user32.GetKeyboardLayout(thread);
}

/**
 * A key that is pressed alone may be sent as a character; in a combination it must be a key.
 * @throws ServiceError `unsupported` when Windows or the layout has no such key
 */
function findStroke(
  { name, keysym }: Key,
  user32: LayoutCalls,
  { alone }: { readonly alone: boolean },
): KeyStroke {
  const key = findVirtualKey(keysym);
  if (key !== undefined) return { key, modifiers: keysym === ISO_LEVEL3_SHIFT ? [CONTROL] : [] };
  const codePoint = codePointOfKeysym(keysym);
  if (codePoint === undefined) {
    throw new ServiceError("unsupported", `Cannot press "${name}": Windows has no such key`);
  }
  const character = String.fromCodePoint(codePoint);
  const onLayout = layoutStroke(character, user32);
  if (onLayout !== undefined) return onLayout;
  if (alone) return { units: toUtf16Units(character) };
  if (ASCII_KEY.test(character)) {
    return { key: plain(character.toUpperCase().charCodeAt(0)), modifiers: [] };
  }
  throw new ServiceError(
    "unsupported",
    `Cannot press "${name}" together with other keys: it is not on the active keyboard layout`,
  );
}

/** The UTF-16 units of a character: two for those beyond U+FFFF. */
function toUtf16Units(character: string): number[] {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
}

function layoutStroke(character: string, user32: LayoutCalls): KeyStroke | undefined {
  if (character.length > 1) return undefined;
  const scan = user32.VkKeyScanExW(character.charCodeAt(0), activeLayout(user32));
  const state = (scan >> 8) & 0xff;
  if (scan === NOT_ON_LAYOUT || (state & ~STATE.ALL) !== 0) return undefined;
  return { key: plain(scan & 0xff), modifiers: listModifiers(state) };
}

function listModifiers(state: number): Modifier[] {
  const altGr = (state & STATE.CONTROL) !== 0 && (state & STATE.ALT) !== 0;
  return [
    ...((state & STATE.SHIFT) !== 0 ? [SHIFT] : []),
    ...((state & STATE.CONTROL) !== 0 ? [CONTROL] : []),
    ...((state & STATE.ALT) !== 0 ? [altGr ? RIGHT_ALT : ALT] : []),
  ];
}

// Maps the API's keys to virtual keys of Windows (winuser.h), except characters, which depend on
// the layout.

interface VirtualKey {
  readonly vk: number;
  /**
   * Whether it is an extended key, added by the 101-key keyboard: its scan code begins with 0xE0.
   */
  readonly extended: boolean;
}

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
const SCAN_CODES: ReadonlyMap<number, number> = new Map([[0x13, 0x45], [0x2c, 0x37]]);

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
function isExtended(vk: number): boolean {
  return vk !== VK.RETURN && virtualKeys().values().some((key) => key.extended && key.vk === vk);
}
