/**
 * A program with a window full of controls, for tests on Windows: it prints what they hold whenever that has changed, one
 * line of JSON each. With `hang` it takes no messages after it has shown its window.
 */

const WS_OVERLAPPEDWINDOW = 0x00cf_0000;
const WS_CHILD = 0x4000_0000;
const WS_VISIBLE = 0x1000_0000;
const WS_VSCROLL = 0x0020_0000;
const ES_PASSWORD = 0x20;
const BS_AUTOCHECKBOX = 3;
const BS_AUTORADIOBUTTON = 9;
const LBS_NOTIFY_HASSTRINGS = 0x41;
const CBS_DROPDOWNLIST_HASSTRINGS = 0x203;
const PM_REMOVE = 1;
const MSG_BYTES = 48;
const WM_GETTEXT = 0x0d;
const BM_GETCHECK = 0xf0;
const LB_ADDSTRING = 0x180;
const LB_GETCURSEL = 0x188;
const CB_ADDSTRING = 0x143;
const CB_GETCURSEL = 0x147;

const user32 = Deno.dlopen("user32.dll", {
  CreateWindowExW: {
    parameters: [
      ...["u32", "buffer", "buffer", "u32"] as const,
      ...["i32", "i32", "i32", "i32"] as const,
      ...["pointer", "pointer", "pointer", "pointer"] as const,
    ],
    result: "pointer",
  },
  SetForegroundWindow: { parameters: ["pointer"], result: "i32" },
  GetForegroundWindow: { parameters: [], result: "pointer" },
  PeekMessageW: { parameters: ["buffer", "pointer", "u32", "u32", "u32"], result: "i32" },
  TranslateMessage: { parameters: ["buffer"], result: "i32" },
  DispatchMessageW: { parameters: ["buffer"], result: "isize" },
  SendMessageW: { parameters: ["pointer", "u32", "usize", "buffer"], result: "isize" },
}).symbols;

const top = create("STATIC", "Controls é漢", WS_OVERLAPPEDWINDOW, [200, 150, 420, 360], null);
const part = (name: string, text: string, style: number, place: Place) =>
  create(name, text, WS_CHILD | style, place, top);
part("STATIC", "Pass&word", 0, [10, 10, 100, 20]);
const password = part("EDIT", "se&cret", ES_PASSWORD, [120, 10, 200, 22]);
const check = part("BUTTON", "&Agree", BS_AUTOCHECKBOX, [10, 40, 150, 20]);
part("BUTTON", "One", BS_AUTORADIOBUTTON, [10, 70, 150, 20]);
const radio = part("BUTTON", "Two", BS_AUTORADIOBUTTON, [170, 70, 150, 20]);
const list = part("LISTBOX", "", LBS_NOTIFY_HASSTRINGS | WS_VSCROLL, [10, 100, 150, 100]);
const combo = part("COMBOBOX", "", CBS_DROPDOWNLIST_HASSTRINGS, [170, 100, 150, 200]);
for (let item = 0; item < 30; item++) send(list, LB_ADDSTRING, wide(`Item ${item}`));
for (const item of ["red", "grün", "青"]) send(combo, CB_ADDSTRING, wide(item));

if (Deno.args[0] === "hang") {
  print({ ready: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
const message = new Uint8Array(MSG_BYTES);
let last = "";
let ready = false;
while (true) {
  while (user32.PeekMessageW(message, null, 0, 0, PM_REMOVE) !== 0) {
    user32.TranslateMessage(message);
    user32.DispatchMessageW(message);
  }
  const now = JSON.stringify(state());
  if (now !== last) print(JSON.parse(last = now));
  if (!ready) {
    user32.SetForegroundWindow(top);
    ready = Deno.UnsafePointer.equals(user32.GetForegroundWindow(), top);
    if (ready) print({ ready });
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

function state() {
  const [checked, chosen] = [check, radio].map((button) => send(button, BM_GETCHECK) === 1);
  const text = new Uint16Array(100);
  const length = send(password, WM_GETTEXT, text, 100);
  return {
    ...{ checked, chosen },
    item: send(list, LB_GETCURSEL),
    colour: send(combo, CB_GETCURSEL),
    password: String.fromCharCode(...text.subarray(0, length)),
  };
}

type Place = readonly [x: number, y: number, width: number, height: number];

function create(
  name: string,
  text: string,
  style: number,
  place: Place,
  parent: Deno.PointerValue,
) {
  const given = [0, wide(name), wide(text), (style | WS_VISIBLE) >>> 0] as const;
  return user32.CreateWindowExW(...given, ...place, parent, null, null, null);
}

function send(
  window: Deno.PointerValue,
  what: number,
  lParam: Uint16Array<ArrayBuffer> = new Uint16Array(1),
  wParam = 0,
): number {
  return Number(user32.SendMessageW(window, what, BigInt(wParam), lParam));
}

function wide(value: string): Uint16Array<ArrayBuffer> {
  return Uint16Array.from(`${value}\0`.split(""), (unit) => unit.charCodeAt(0));
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}
