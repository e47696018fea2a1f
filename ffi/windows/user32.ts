/** user32.dll: input, monitors, cursor, desktop and windows (winuser.h, winstation), declarations only. */

export const INPUT_MOUSE = 0;
export const INPUT_KEYBOARD = 1;

export const MOUSEEVENTF = {
  MOVE: 0x0001,
  LEFTDOWN: 0x0002,
  LEFTUP: 0x0004,
  RIGHTDOWN: 0x0008,
  RIGHTUP: 0x0010,
  MIDDLEDOWN: 0x0020,
  MIDDLEUP: 0x0040,
  XDOWN: 0x0080,
  XUP: 0x0100,
  WHEEL: 0x0800,
  HWHEEL: 0x1000,
  VIRTUALDESK: 0x4000,
  ABSOLUTE: 0x8000,
} as const;
export const XBUTTON1 = 1;
export const XBUTTON2 = 2;
/** One notch of the wheel. */
export const WHEEL_DELTA = 120;

export const KEYEVENTF = {
  EXTENDEDKEY: 0x0001,
  KEYUP: 0x0002,
  UNICODE: 0x0004,
} as const;
/** MapVirtualKeyExW: virtual key to scan code. */
export const MAPVK_VK_TO_VSC = 0;

export const SM = {
  SWAPBUTTON: 23,
  XVIRTUALSCREEN: 76,
  YVIRTUALSCREEN: 77,
  CXVIRTUALSCREEN: 78,
  CYVIRTUALSCREEN: 79,
  CMONITORS: 80,
} as const;

export const MONITORINFOF_PRIMARY = 1;
export const CURSOR_SHOWING = 1;
export const DI_NORMAL = 3;
/** `MAKEINTRESOURCE(32512)` */
export const IDC_ARROW = 32_512n;
export const GA_ROOT = 2;
export const DESKTOP_READOBJECTS = 0x0001;
/** `(DPI_AWARENESS_CONTEXT) -4` */
export const DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2 = 0xffff_ffff_ffff_fffcn;

/** Byte offsets of INPUT with what is used of MOUSEINPUT and KEYBDINPUT, on a 64-bit system. */
export const INPUT = {
  type: 0, // DWORD, then 4 bytes of padding
  mi: {
    dx: 8, // LONG
    dy: 12, // LONG
    mouseData: 16, // DWORD
    dwFlags: 20, // DWORD
  },
  ki: {
    wVk: 8, // WORD
    wScan: 10, // WORD
    dwFlags: 12, // DWORD
  },
  size: 40,
} as const;

/** Byte offsets of MONITORINFOEXW. */
export const MONITORINFOEXW = {
  cbSize: 0, // DWORD
  rcMonitor: 4, // RECT: four LONGs
  dwFlags: 36, // DWORD
  szDevice: 40, // WCHAR[CCHDEVICENAME]
  CCHDEVICENAME: 32, // In WCHARs.
  size: 104,
} as const;

/** Byte offsets of CURSORINFO on a 64-bit system. */
export const CURSORINFO = {
  cbSize: 0, // DWORD
  flags: 4, // DWORD
  hCursor: 8, // HCURSOR
  ptScreenPos: 16, // POINT: two LONGs
  size: 24,
} as const;

/** Byte offsets of ICONINFO on a 64-bit system. */
export const ICONINFO = {
  xHotspot: 4, // DWORD
  yHotspot: 8, // DWORD, then 4 bytes of padding
  hbmMask: 16, // HBITMAP
  hbmColor: 24, // HBITMAP
  size: 32,
} as const;

/** Of SetWindowsHookExW: hooks that hear of input before programs do. */
export const WH_KEYBOARD_LL = 13;
export const WH_MOUSE_LL = 14;
export const LLMHF_INJECTED = 0x01;
export const LLKHF_INJECTED = 0x10;

/** Byte offsets of MSLLHOOKSTRUCT. */
export const MSLLHOOKSTRUCT = {
  flags: 12, // DWORD, after a POINT and a DWORD
} as const;

/** Byte offsets of KBDLLHOOKSTRUCT. */
export const KBDLLHOOKSTRUCT = {
  flags: 8, // DWORD, after two DWORDs
} as const;

/** `LRESULT HOOKPROC(int code, WPARAM wParam, LPARAM lParam)`; here lParam is the address of a structure. */
export const HOOKPROC = {
  parameters: ["i32", "usize", "pointer"],
  result: "isize",
} as const satisfies Deno.UnsafeCallbackDefinition;

/** sizeof(MSG) on a 64-bit system. */
export const MSG_BYTES = 48;
export const PM_REMOVE = 1;
export const QS_ALLINPUT = 0x04ff;
export const MWMO_INPUTAVAILABLE = 0x0004;

/** BOOL MonitorEnumProc(HMONITOR, HDC, LPRECT, LPARAM) */
export const MONITORENUMPROC = {
  parameters: ["pointer", "pointer", "pointer", "isize"],
  result: "i32",
} as const satisfies Deno.UnsafeCallbackDefinition;

export const WM_CLOSE = 0x10;
export const GW_OWNER = 4;

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
  cbSize: 0, // DWORD
  rcBar: 4, // RECT
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
  // UINT SendInput(UINT cInputs, LPINPUT pInputs, int cbSize)
  SendInput: { parameters: ["u32", "buffer", "i32"], result: "u32" },
  // BOOL GetCursorPos(LPPOINT lpPoint)
  GetCursorPos: { parameters: ["buffer"], result: "i32" },
  // SHORT GetAsyncKeyState(int vKey)
  GetAsyncKeyState: { parameters: ["i32"], result: "i16" },
  // SHORT VkKeyScanExW(WCHAR ch, HKL dwhkl)
  VkKeyScanExW: { parameters: ["u16", "pointer"], result: "i16" },
  // UINT MapVirtualKeyExW(UINT uCode, UINT uMapType, HKL dwhkl)
  MapVirtualKeyExW: { parameters: ["u32", "u32", "pointer"], result: "u32" },
  // HKL GetKeyboardLayout(DWORD idThread)
  GetKeyboardLayout: { parameters: ["u32"], result: "pointer" },
  // int GetSystemMetrics(int nIndex)
  GetSystemMetrics: { parameters: ["i32"], result: "i32" },
  // BOOL EnumDisplayMonitors(HDC hdc, LPCRECT lprcClip, MONITORENUMPROC lpfnEnum, LPARAM dwData)
  EnumDisplayMonitors: { parameters: ["pointer", "pointer", "function", "isize"], result: "i32" },
  // BOOL GetMonitorInfoW(HMONITOR hMonitor, LPMONITORINFO lpmi)
  GetMonitorInfoW: { parameters: ["pointer", "buffer"], result: "i32" },
  // HDC GetDC(HWND hWnd)
  GetDC: { parameters: ["pointer"], result: "pointer" },
  // int ReleaseDC(HWND hWnd, HDC hDC)
  ReleaseDC: { parameters: ["pointer", "pointer"], result: "i32" },
  // BOOL GetCursorInfo(PCURSORINFO pci)
  GetCursorInfo: { parameters: ["buffer"], result: "i32" },
  // BOOL GetIconInfo(HICON hIcon, PICONINFO piconinfo)
  GetIconInfo: { parameters: ["pointer", "buffer"], result: "i32" },
  // HCURSOR LoadCursorW(HINSTANCE hInstance, LPCWSTR lpCursorName)
  LoadCursorW: { parameters: ["pointer", "pointer"], result: "pointer" },
  // BOOL DrawIconEx(HDC hdc, int xLeft, int yTop, HICON hIcon, int cxWidth, int cyWidth,
  //   UINT istepIfAniCur, HBRUSH hbrFlickerFreeDraw, UINT diFlags)
  DrawIconEx: {
    parameters: ["pointer", "i32", "i32", "pointer", "i32", "i32", "u32", "pointer", "u32"],
    result: "i32",
  },
  // HDESK OpenInputDesktop(DWORD dwFlags, BOOL fInherit, ACCESS_MASK dwDesiredAccess)
  OpenInputDesktop: { parameters: ["u32", "i32", "u32"], result: "pointer" },
  // BOOL CloseDesktop(HDESK hDesktop)
  CloseDesktop: { parameters: ["pointer"], result: "i32" },
  // BOOL SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT value), from Windows 10 1703 on
  SetProcessDpiAwarenessContext: { parameters: ["pointer"], result: "i32" },

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
  // BOOL EnumWindows(WNDENUMPROC lpEnumFunc, LPARAM lParam)
  EnumWindows: { parameters: ["function", "isize"], result: "i32" },
  // HWND GetWindow(HWND hWnd, UINT uCmd)
  GetWindow: { parameters: ["usize", "u32"], result: "usize" },
  // DWORD GetWindowThreadProcessId(HWND hWnd, LPDWORD lpdwProcessId)
  GetWindowThreadProcessId: { parameters: ["usize", "buffer"], result: "u32" },
  // BOOL IsWindowVisible(HWND hWnd)
  IsWindowVisible: { parameters: ["usize"], result: "i32" },
  // HHOOK SetWindowsHookExW(int idHook, HOOKPROC lpfn, HINSTANCE hmod, DWORD dwThreadId)
  SetWindowsHookExW: { parameters: ["i32", "function", "pointer", "u32"], result: "pointer" },
  // BOOL UnhookWindowsHookEx(HHOOK hhk)
  UnhookWindowsHookEx: { parameters: ["pointer"], result: "i32" },
  // LRESULT CallNextHookEx(HHOOK hhk, int nCode, WPARAM wParam, LPARAM lParam)
  CallNextHookEx: { parameters: ["pointer", "i32", "usize", "pointer"], result: "isize" },
  // DWORD MsgWaitForMultipleObjectsEx(DWORD nCount, const HANDLE *pHandles, DWORD dwMilliseconds,
  //   DWORD dwWakeMask, DWORD dwFlags)
  MsgWaitForMultipleObjectsEx: {
    parameters: ["u32", "pointer", "u32", "u32", "u32"],
    result: "u32",
  },
  // BOOL PeekMessageW(LPMSG lpMsg, HWND hWnd, UINT wMsgFilterMin, UINT wMsgFilterMax, UINT wRemoveMsg)
  PeekMessageW: { parameters: ["buffer", "usize", "u32", "u32", "u32"], result: "i32" },
  // BOOL PostMessageW(HWND hWnd, UINT Msg, WPARAM wParam, LPARAM lParam)
  PostMessageW: { parameters: ["usize", "u32", "usize", "isize"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type User32 = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openUser32(): Deno.DynamicLibrary<typeof SYMBOLS> {
  return Deno.dlopen("user32.dll", SYMBOLS);
}
