/** user32.dll: what windows there are, and asking them for changes (winuser.h). */

export const WM_CLOSE = 0x10;
export const GW_OWNER = 4;
export const GA_ROOT = 2;

/** Indexes of GetWindowLongW. */
export const GWL_STYLE = -16;
export const GWL_EXSTYLE = -20;

export const WS = {
  SYSMENU: 0x0008_0000,
  CAPTION: 0x00c0_0000,
  MAXIMIZE: 0x0100_0000,
  DISABLED: 0x0800_0000,
  MINIMIZE: 0x2000_0000,
} as const;

export const WS_EX = {
  TOPMOST: 0x0000_0008,
  TOOLWINDOW: 0x0000_0080,
  APPWINDOW: 0x0004_0000,
  NOACTIVATE: 0x0800_0000,
} as const;

/** Commands of ShowWindowAsync. */
export const SW = { MAXIMIZE: 3, MINIMIZE: 6, RESTORE: 9 } as const;

/** A place in the order of windows, for SetWindowPos. */
export const HWND_TOP = 0n;
/** Flags of SetWindowPos. */
export const SWP = {
  NOSIZE: 0x0001,
  NOMOVE: 0x0002,
  NOZORDER: 0x0004,
  NOACTIVATE: 0x0010,
  NOOWNERZORDER: 0x0200,
  ASYNCWINDOWPOS: 0x4000,
} as const;

export const OBJID_MENU = 0xffff_fffd | 0;

/** Byte offsets of MENUBARINFO on a 64-bit system. */
export const MENUBARINFO = {
  /** DWORD */
  cbSize: 0,
  /** RECT */
  rcBar: 4,
  size: 48,
} as const;

/** sizeof(RECT): LONGs left, top, right, bottom. */
export const RECT_BYTES = 16;

/** `BOOL CALLBACK EnumWindowsProc(HWND hwnd, LPARAM lParam)`; returning 0 stops the enumeration. */
export const EnumWindowsProc = {
  parameters: ["usize", "isize"],
  result: "i32",
} as const satisfies Deno.UnsafeCallbackDefinition;

const SYMBOLS = {
  // HWND GetForegroundWindow(void)
  GetForegroundWindow: { parameters: [], result: "usize" },
  // BOOL SetForegroundWindow(HWND hWnd)
  SetForegroundWindow: { parameters: ["usize"], result: "i32" },
  // HWND WindowFromPoint(POINT Point); a structure of 8 bytes is passed like a 64-bit number
  WindowFromPoint: { parameters: ["u64"], result: "usize" },
  // HWND GetAncestor(HWND hwnd, UINT gaFlags)
  GetAncestor: { parameters: ["usize", "u32"], result: "usize" },
  // LONG GetWindowLongW(HWND hWnd, int nIndex)
  GetWindowLongW: { parameters: ["usize", "i32"], result: "i32" },
  // int InternalGetWindowText(HWND hWnd, LPWSTR pString, int cchMaxCount); never asks the program
  InternalGetWindowText: { parameters: ["usize", "buffer", "i32"], result: "i32" },
  // int GetClassNameW(HWND hWnd, LPWSTR lpClassName, int nMaxCount)
  GetClassNameW: { parameters: ["usize", "buffer", "i32"], result: "i32" },
  // BOOL GetWindowRect(HWND hWnd, LPRECT lpRect)
  GetWindowRect: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL GetClientRect(HWND hWnd, LPRECT lpRect)
  GetClientRect: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL ClientToScreen(HWND hWnd, LPPOINT lpPoint)
  ClientToScreen: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL GetMenuBarInfo(HWND hwnd, LONG idObject, LONG idItem, PMENUBARINFO pmbi)
  GetMenuBarInfo: { parameters: ["usize", "i32", "i32", "buffer"], result: "i32" },
  // BOOL ShowWindowAsync(HWND hWnd, int nCmdShow)
  ShowWindowAsync: { parameters: ["usize", "i32"], result: "i32" },
  // BOOL SetWindowPos(HWND hWnd, HWND hWndInsertAfter, int X, int Y, int cx, int cy, UINT uFlags)
  SetWindowPos: {
    parameters: ["usize", "usize", "i32", "i32", "i32", "i32", "u32"],
    result: "i32",
  },
  // UINT SendInput(UINT cInputs, LPINPUT pInputs, int cbSize)
  SendInput: { parameters: ["u32", "buffer", "i32"], result: "u32" },
  // BOOL EnumWindows(WNDENUMPROC lpEnumFunc, LPARAM lParam)
  EnumWindows: { parameters: ["function", "isize"], result: "i32" },
  // HWND GetWindow(HWND hWnd, UINT uCmd)
  GetWindow: { parameters: ["usize", "u32"], result: "usize" },
  // DWORD GetWindowThreadProcessId(HWND hWnd, LPDWORD lpdwProcessId)
  GetWindowThreadProcessId: { parameters: ["usize", "buffer"], result: "u32" },
  // BOOL IsWindowVisible(HWND hWnd)
  IsWindowVisible: { parameters: ["usize"], result: "i32" },
  // BOOL PostMessageW(HWND hWnd, UINT Msg, WPARAM wParam, LPARAM lParam)
  PostMessageW: { parameters: ["usize", "u32", "usize", "isize"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type User32 = Deno.DynamicLibrary<typeof SYMBOLS>;

/** @throws an error on systems other than Windows. */
export function openUser32(): User32 {
  return Deno.dlopen("user32.dll", SYMBOLS);
}
