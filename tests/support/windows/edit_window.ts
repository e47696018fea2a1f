/**
 * A program with a window that is an EDIT control, for tests on Windows: it prints every input message that
 * arrives and the text whenever it has changed, one line of JSON each.
 */

const WS_OVERLAPPEDWINDOW = 0x00cf_0000;
const WS_VISIBLE = 0x1000_0000;
const ES_MULTILINE = 0x0004;
const ES_WANTRETURN = 0x1000;
const PM_REMOVE = 1;
const WM_RBUTTONUP = 0x0205;
/** Byte offsets of MSG. */
const MSG = { message: 8, wParam: 16, lParam: 24, size: 48 } as const;

/** The messages that are printed; the rest is none of input. */
const NAMES: Readonly<Record<number, string>> = {
  0x0100: "keydown",
  0x0101: "keyup",
  0x0104: "syskeydown",
  0x0105: "syskeyup",
  0x0102: "char",
  0x0201: "leftdown",
  0x0202: "leftup",
  0x0203: "doubleclick",
  0x0204: "rightdown",
  0x0205: "rightup",
  0x0207: "middledown",
  0x0208: "middleup",
  0x020a: "wheel",
  0x020b: "xdown",
  0x020c: "xup",
  0x020e: "hwheel",
};

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
  SetFocus: { parameters: ["pointer"], result: "pointer" },
  PeekMessageW: { parameters: ["buffer", "pointer", "u32", "u32", "u32"], result: "i32" },
  TranslateMessage: { parameters: ["buffer"], result: "i32" },
  DispatchMessageW: { parameters: ["buffer"], result: "isize" },
  GetWindowTextW: { parameters: ["pointer", "buffer", "i32"], result: "i32" },
  GetForegroundWindow: { parameters: [], result: "pointer" },
}).symbols;

const [x = 100, y = 100, width = 600, height = 400] = Deno.args.map(Number);
const style = WS_OVERLAPPEDWINDOW | WS_VISIBLE | ES_MULTILINE | ES_WANTRETURN;
const window = user32.CreateWindowExW(
  ...[0, wide("EDIT"), wide(""), style >>> 0] as const,
  ...[x, y, width, height] as const,
  ...[null, null, null, null] as const,
);
const message = new Uint8Array(MSG.size);
const view = new DataView(message.buffer);
const buffer = new Uint16Array(100_000);
let ready = false;
let text = "";
while (true) {
  while (user32.PeekMessageW(message, null, 0, 0, PM_REMOVE) !== 0) {
    tell();
    if (view.getUint32(MSG.message, true) === WM_RBUTTONUP) continue; // it would open a menu
    user32.TranslateMessage(message);
    user32.DispatchMessageW(message);
  }
  const now = textOf();
  if (now !== text) print({ text: text = now });
  if (!ready) {
    user32.SetForegroundWindow(window);
    user32.SetFocus(window);
    ready = Deno.UnsafePointer.equals(user32.GetForegroundWindow(), window);
    if (ready) print({ ready });
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

function tell(): void {
  const name = NAMES[view.getUint32(MSG.message, true)];
  if (name === undefined) return;
  const high = view.getInt16(MSG.wParam + 2, true);
  const point = { x: view.getInt16(MSG.lParam, true), y: view.getInt16(MSG.lParam + 2, true) };
  const flags = view.getUint32(MSG.lParam, true);
  if (name.startsWith("key") || name.startsWith("syskey")) {
    const code = view.getUint32(MSG.wParam, true);
    return print({ name, code, scan: (flags >> 16) & 0xff, extended: (flags >> 24 & 1) === 1 });
  }
  if (name === "char") return print({ name, code: view.getUint32(MSG.wParam, true) });
  print({ name, data: high, ...point });
}

function textOf(): string {
  const length = user32.GetWindowTextW(window, buffer, buffer.length);
  return String.fromCharCode(...buffer.subarray(0, length));
}

function wide(value: string): Uint16Array<ArrayBuffer> {
  return Uint16Array.from([...value, "\0"].join("").split(""), (unit) => unit.charCodeAt(0));
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}
