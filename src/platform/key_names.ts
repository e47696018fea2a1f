/**
 * The words for keys that the keyboard operations and those inside pages have in common, as X keysym
 * names: those of PyAutoGUI, and those of `key` and `code` of the DOM's `KeyboardEvent`.
 */

import { NAMED_KEYS } from "./named_keys.ts";

/**
 * The X keysym name that a word stands for, in any case, with or without `_`. A code such as `KeyA`
 * or `BracketLeft` is the sign of that key on a US keyboard; `ctrl_l` is a name of pynput. `undefined`
 * for every other name: X keysym names and characters stand for themselves.
 */
export function keysymNameOfWord(name: string): string | undefined {
  const word = name.toLowerCase().replaceAll("_", "");
  if (Object.hasOwn(WORDS, word)) return WORDS[word];
  if (Object.hasOwn(RARE_WORDS, word)) return RARE_WORDS[word];
  const sided = /^(ctrl|cmd|win|command|option)_([lr])$/.exec(name.toLowerCase());
  if (sided !== null) return WORDS[`${sided[1]}${sided[2] === "l" ? "left" : "right"}`];
  return /^(?:key(?=[a-z]$)|digit(?=\d$))(.)$/.exec(word)?.[1];
}

/** In lower case, without `_`; what an unknown name was probably meant to be is looked up in these. */
export const WORDS: Readonly<Record<string, string>> = {
  ...wordsOfDom(),
  return: "Return",
  esc: "Escape",
  "\t": "Tab",
  "\n": "Return",
  "\r": "Return",
  spacebar: "space",
  del: "Delete",
  ins: "Insert",
  pgup: "Page_Up",
  pgdn: "Page_Down",
  pgdown: "Page_Down",
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  ctrl: "Control_L",
  ctrlleft: "Control_L",
  ctrlright: "Control_R",
  opt: "Alt_L",
  option: "Alt_L",
  optionleft: "Alt_L",
  optionright: "Alt_R",
  altgr: "ISO_Level3_Shift",
  win: "Super_L",
  winleft: "Super_L",
  super: "Super_L",
  command: "Super_L",
  cmd: "Super_L",
  winright: "Super_R",
  windows: "Super_L",
  os: "Super_L",
  ...Object.fromEntries(
    ["meta", "super", "os", "command", "cmd", "windows"].flatMap((name) => [
      [`${name}left`, "Super_L"],
      [`${name}right`, "Super_R"],
    ]),
  ),
  prntscrn: "Print",
  prtsc: "Print",
  prtscr: "Print",
  print: "Print",
  break: "Break", // Ctrl and Pause on most keyboards
  menu: "Menu",
  apps: "Menu",
  volumeup: "XF86AudioRaiseVolume",
  volumedown: "XF86AudioLowerVolume",
  volumemute: "XF86AudioMute",
  playpause: "XF86AudioPlay",
  stop: "XF86AudioStop",
  nexttrack: "XF86AudioNext",
  prevtrack: "XF86AudioPrev",
  launchmediaselect: "XF86AudioMedia",
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`num${i}`, `KP_${i}`])),
  add: "KP_Add",
  subtract: "KP_Subtract",
  multiply: "KP_Multiply",
  divide: "KP_Divide",
  decimal: "KP_Decimal",
  separator: "KP_Separator",
  kana: "Kana_Shift",
  kanji: "Kanji",
  hangul: "Hangul",
  hanguel: "Hangul",
  hanja: "Hangul_Hanja",
  junja: "Hangul_Jeonja",
};

/**
 * What is proposed to nobody: names of a few libraries, of signs, and of keys that few keyboards have; the
 * latter by the tables of UI Events for `key` and `code`, where X's own name for the key is another one.
 */
const RARE_WORDS: Readonly<Record<string, string>> = {
  backquote: "grave",
  quote: "apostrophe",
  intlbackslash: "less", // beside the left Shift key of keyboards with 105 keys
  intlro: "backslash",
  intlyen: "yen",
  numpadequal: "KP_Equal",
  numpadclear: "Clear",
  numpadstar: "KP_Multiply",
  hyper: "Hyper_L",
  fn: "XF86Fn",
  compose: "Multi_key",
  // of editing and of documents
  again: "Redo",
  copy: "XF86Copy",
  cut: "XF86Cut",
  paste: "XF86Paste",
  new: "XF86New",
  open: "XF86Open",
  save: "XF86Save",
  close: "XF86Close",
  spellcheck: "XF86Spell",
  zoomin: "XF86ZoomIn",
  zoomout: "XF86ZoomOut",
  attn: "3270_Attn",
  crsel: "3270_CursorSelect",
  exsel: "3270_ExSelect",
  eraseeof: "3270_EraseEOF",
  play: "3270_Play",
  // of the device
  brightnessup: "XF86MonBrightnessUp",
  brightnessdown: "XF86MonBrightnessDown",
  eject: "XF86Eject",
  logoff: "XF86LogOff",
  power: "XF86PowerOff",
  poweroff: "XF86PowerOff",
  hibernate: "XF86Hibernate",
  suspend: "XF86Suspend",
  wakeup: "XF86WakeUp",
  // of media
  mediapause: "XF86AudioPause",
  mediaplay: "XF86AudioPlay",
  mediarecord: "XF86AudioRecord",
  mediarewind: "XF86AudioRewind",
  mediafastforward: "XF86AudioForward",
  microphonevolumemute: "XF86AudioMicMute",
  microphonemutetoggle: "XF86AudioMicMute",
  channelup: "XF86ChannelUp",
  channeldown: "XF86ChannelDown",
  // of programs
  mailforward: "XF86MailForward",
  mailreply: "XF86Reply",
  mailsend: "XF86Send",
  launchassistant: "XF86Assistant",
  launchcalendar: "XF86Calendar",
  launchcontacts: "XF86Addressbook",
  launchcontrolpanel: "XF86ControlPanel",
  launchmusicplayer: "XF86Music",
  launchphone: "XF86Phone",
  launchscreensaver: "XF86ScreenSaver",
  launchspreadsheet: "XF86Excel",
  launchwebbrowser: "XF86WWW",
  launchwebcam: "XF86WebCam",
  launchwordprocessor: "XF86Word",
  selecttask: "XF86Taskmanager",
  // of other languages
  allcandidates: "MultipleCandidate",
  alphanumeric: "Eisu_toggle",
  eisu: "Eisu_toggle",
  hiraganakatakana: "Hiragana_Katakana",
  zenkakuhankaku: "Zenkaku_Hankaku",
  lang3: "Katakana",
  lang4: "Hiragana",
  lang5: "Zenkaku_Hankaku",
  groupfirst: "ISO_First_Group",
  grouplast: "ISO_Last_Group",
  groupnext: "ISO_Next_Group",
  groupprevious: "ISO_Prev_Group",
};

/** `key` and `code` of the DOM; of several keys with the same one, the first is meant. */
function wordsOfDom(): Record<string, string> {
  const words: Record<string, string> = {};
  for (const [name, { key, code }] of Object.entries(NAMED_KEYS)) {
    for (const word of [key, code]) if (word.length > 1) words[word.toLowerCase()] ??= name;
  }
  return words;
}
