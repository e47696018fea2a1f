/**
 * The keys without a sign of their own that every system knows. Their key codes in the DOM are the
 * virtual keys of Windows, but for the side of those that a keyboard has twice.
 * Source: UI Events of the W3C (`key`, `code`, and the fixed key codes), winuser.h.
 */

export interface NamedKey {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** What it types; absent for keys that type nothing. */
  readonly text?: string;
  /** Whether Shift is needed for it. */
  readonly shift?: true;
  /** What it types, and is called, while Shift is held; absent where that is the same. */
  readonly shifted?: string;
  /** Where there are several of it, as in `KeyboardEvent.location`. */
  readonly location?: number;
}

const [LEFT, RIGHT] = [1, 2];
export const KEYPAD = 3;

/** By X keysym names. */
export const NAMED_KEYS: Readonly<Record<string, NamedKey>> = {
  Return: named("Enter", 13, { text: "\r" }),
  Tab: named("Tab", 9),
  BackSpace: named("Backspace", 8),
  Delete: named("Delete", 46),
  Escape: named("Escape", 27),
  Insert: named("Insert", 45),
  Home: named("Home", 36),
  End: named("End", 35),
  Page_Up: named("PageUp", 33),
  Page_Down: named("PageDown", 34),
  Left: named("ArrowLeft", 37),
  Up: named("ArrowUp", 38),
  Right: named("ArrowRight", 39),
  Down: named("ArrowDown", 40),
  space: named(" ", 32, { code: "Space", text: " " }),
  Menu: named("ContextMenu", 93),
  Caps_Lock: named("CapsLock", 20),
  Num_Lock: named("NumLock", 144),
  Scroll_Lock: named("ScrollLock", 145),
  Print: named("PrintScreen", 44),
  Pause: named("Pause", 19),
  // what Chromium makes of Ctrl and Pause
  Cancel: named("Cancel", 3, { code: "Pause" }),
  Break: named("Cancel", 3, { code: "Pause" }),
  Help: named("Help", 47),
  Select: named("Select", 41),
  Clear: named("Clear", 12),
  Execute: named("Execute", 43),
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`F${i + 1}`, named(`F${i + 1}`, 112 + i)]),
  ),
  Shift_L: sided("Shift", 16, LEFT),
  Shift_R: sided("Shift", 16, RIGHT),
  Control_L: sided("Control", 17, LEFT),
  Control_R: sided("Control", 17, RIGHT),
  Alt_L: sided("Alt", 18, LEFT),
  Alt_R: sided("Alt", 18, RIGHT),
  ISO_Level3_Shift: { ...sided("Alt", 18, RIGHT), key: "AltGraph" },
  // the Meta of the DOM: that of X has its name, and keyboards of today lack it
  Super_L: sided("Meta", 91, LEFT),
  Super_R: sided("Meta", 92, RIGHT),
  Meta_L: sided("Meta", 91, LEFT),
  Meta_R: sided("Meta", 92, RIGHT),
  // the keypad, with Num Lock on
  KP_Enter: { ...onKeypad("Enter", "Enter", 13), text: "\r" },
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`KP_${i}`, onKeypad(`${i}`, `${i}`, 96 + i)]),
  ),
  KP_Multiply: onKeypad("*", "Multiply", 106),
  KP_Add: onKeypad("+", "Add", 107),
  KP_Separator: onKeypad(",", "Comma", 108),
  KP_Subtract: onKeypad("-", "Subtract", 109),
  KP_Decimal: onKeypad(".", "Decimal", 110),
  KP_Divide: onKeypad("/", "Divide", 111),
  // and with Num Lock off
  KP_Insert: onKeypadUnlocked("Insert", "0", 45),
  KP_End: onKeypadUnlocked("End", "1", 35),
  KP_Down: onKeypadUnlocked("ArrowDown", "2", 40),
  KP_Page_Down: onKeypadUnlocked("PageDown", "3", 34),
  KP_Left: onKeypadUnlocked("ArrowLeft", "4", 37),
  KP_Begin: onKeypadUnlocked("Clear", "5", 12),
  KP_Right: onKeypadUnlocked("ArrowRight", "6", 39),
  KP_Home: onKeypadUnlocked("Home", "7", 36),
  KP_Up: onKeypadUnlocked("ArrowUp", "8", 38),
  KP_Page_Up: onKeypadUnlocked("PageUp", "9", 33),
  KP_Delete: onKeypadUnlocked("Delete", "Decimal", 46),
  // of other languages
  Kana_Shift: named("KanaMode", 21),
  Hangul: named("HangulMode", 21, { code: "Lang1" }),
  Hangul_Jeonja: named("JunjaMode", 23),
  Kanji: named("KanjiMode", 25),
  Hangul_Hanja: named("HanjaMode", 25, { code: "Lang2" }),
  Henkan_Mode: named("Convert", 28),
  Muhenkan: named("NonConvert", 29),
  Mode_switch: named("ModeChange", 31),
  // multimedia
  XF86Sleep: named("Standby", 95, { code: "Sleep" }),
  XF86Back: named("BrowserBack", 166),
  XF86Forward: named("BrowserForward", 167),
  XF86Refresh: named("BrowserRefresh", 168),
  XF86Stop: named("BrowserStop", 169),
  XF86Search: named("BrowserSearch", 170),
  XF86Favorites: named("BrowserFavorites", 171),
  XF86HomePage: named("BrowserHome", 172),
  XF86AudioMute: named("AudioVolumeMute", 173),
  XF86AudioLowerVolume: named("AudioVolumeDown", 174),
  XF86AudioRaiseVolume: named("AudioVolumeUp", 175),
  XF86AudioNext: named("MediaTrackNext", 176),
  XF86AudioPrev: named("MediaTrackPrevious", 177),
  XF86AudioStop: named("MediaStop", 178),
  XF86AudioPlay: named("MediaPlayPause", 179),
  XF86Mail: named("LaunchMail", 180),
  XF86AudioMedia: named("LaunchMediaPlayer", 181, { code: "MediaSelect" }),
  XF86Launch1: named("LaunchApplication1", 182, { code: "LaunchApp1" }),
  XF86Launch2: named("LaunchApplication2", 183, { code: "LaunchApp2" }),
};

export function named(key: string, keyCode: number, more: Partial<NamedKey> = {}): NamedKey {
  return { key, code: key, keyCode, ...more };
}

/** A key that a keyboard has twice. */
function sided(key: string, keyCode: number, location: number): NamedKey {
  return { key, code: `${key}${location === LEFT ? "Left" : "Right"}`, keyCode, location };
}

/** @param key the sign, which it types */
export function onKeypad(key: string, code: string, keyCode: number): NamedKey {
  return { ...onKeypadUnlocked(key, code, keyCode), text: key };
}

/** A key that types nothing. */
function onKeypadUnlocked(key: string, code: string, keyCode: number): NamedKey {
  return { key, code: `Numpad${code}`, keyCode, location: KEYPAD };
}
