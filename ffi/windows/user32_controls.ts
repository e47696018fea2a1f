/** user32.dll and kernel32.dll: the controls of other programs, and messages to them (winuser.h). */

/** A program that hangs is not waited for. */
export const SMTO_ABORTIFHUNG = 0x2;

export const WM = {
  NULL: 0x0000,
  SETTEXT: 0x000c,
  GETTEXT: 0x000d,
  GETTEXTLENGTH: 0x000e,
  COMMAND: 0x0111,
} as const;

/** Messages to controls. */
export const EM_SETSEL = 0x00b1;
export const EM_REPLACESEL = 0x00c2;
export const BM_GETCHECK = 0x00f0;
export const BM_CLICK = 0x00f5;
export const CB = {
  SETCURSEL: 0x14e,
  SHOWDROPDOWN: 0x14f,
  GETDROPPEDSTATE: 0x157,
  FINDSTRINGEXACT: 0x158,
} as const;
export const LB = {
  SETSEL: 0x185,
  SETCURSEL: 0x186,
  GETSEL: 0x187,
  GETTEXT: 0x189,
  GETTEXTLEN: 0x18a,
  GETCOUNT: 0x18b,
  SETTOPINDEX: 0x197,
  GETITEMRECT: 0x198,
} as const;
export const LBN_SELCHANGE = 1;
export const CBN_SELCHANGE = 1;

/** Styles of controls: the low word of GWL_STYLE. */
export const ES = { MULTILINE: 0x4, PASSWORD: 0x20, READONLY: 0x800 } as const;
export const BS_TYPEMASK = 0xf;
export const LBS_MULTIPLESEL = 0x8;
export const LBS_EXTENDEDSEL = 0x800;
export const LBS_HASSTRINGS = 0x40;

/** Relations of GetWindow, and of GetAncestor. */
export const GW_HWNDPREV = 3;
export const GA_PARENT = 1;

/** Byte offsets of GUITHREADINFO on a 64-bit system. */
export const GUITHREADINFO = {
  /** DWORD */
  cbSize: 0,
  /** HWND */
  hwndFocus: 16,
  /** sizeof(GUITHREADINFO) */
  size: 72,
} as const;

/** Flags of ChildWindowFromPointEx: skip those that do not show. */
export const CWP_SKIPINVISIBLE = 1;

const SEND = ["usize", "u32", "usize"] as const;
const WAIT = ["u32", "u32", "buffer"] as const;

const USER32 = {
  // BOOL EnumChildWindows(HWND hWndParent, WNDENUMPROC lpEnumFunc, LPARAM lParam)
  EnumChildWindows: { parameters: ["usize", "function", "isize"], result: "i32" },
  // LRESULT SendMessageTimeoutW(HWND hWnd, UINT Msg, WPARAM wParam, LPARAM lParam, UINT fuFlags,
  //   UINT uTimeout, PDWORD_PTR lpdwResult)
  SendMessageTimeoutW: { parameters: [...SEND, "usize", ...WAIT], result: "isize" },
  /** The same for messages whose LPARAM is a text or a structure, which Windows copies. */
  SendBufferTimeoutW: {
    name: "SendMessageTimeoutW",
    parameters: [...SEND, "buffer", ...WAIT],
    result: "isize",
  },
  // HWND GetForegroundWindow(void)
  GetForegroundWindow: { parameters: [], result: "usize" },
  // HWND GetAncestor(HWND hwnd, UINT gaFlags)
  GetAncestor: { parameters: ["usize", "u32"], result: "usize" },
  // HWND GetWindow(HWND hWnd, UINT uCmd)
  GetWindow: { parameters: ["usize", "u32"], result: "usize" },
  // int GetDlgCtrlID(HWND hWnd)
  GetDlgCtrlID: { parameters: ["usize"], result: "i32" },
  // int GetClassNameW(HWND hWnd, LPWSTR lpClassName, int nMaxCount)
  GetClassNameW: { parameters: ["usize", "buffer", "i32"], result: "i32" },
  // LONG GetWindowLongW(HWND hWnd, int nIndex)
  GetWindowLongW: { parameters: ["usize", "i32"], result: "i32" },
  // DWORD GetWindowThreadProcessId(HWND hWnd, LPDWORD lpdwProcessId)
  GetWindowThreadProcessId: { parameters: ["usize", "buffer"], result: "u32" },
  // BOOL GetWindowRect(HWND hWnd, LPRECT lpRect)
  GetWindowRect: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL ClientToScreen(HWND hWnd, LPPOINT lpPoint)
  ClientToScreen: { parameters: ["usize", "buffer"], result: "i32" },
  // BOOL ScreenToClient(HWND hWnd, LPPOINT lpPoint)
  ScreenToClient: { parameters: ["usize", "buffer"], result: "i32" },
  // HWND WindowFromPoint(POINT Point); a structure of 8 bytes is passed like a 64-bit number
  WindowFromPoint: { parameters: ["u64"], result: "usize" },
  // HWND ChildWindowFromPointEx(HWND hwnd, POINT pt, UINT flags)
  ChildWindowFromPointEx: { parameters: ["usize", "u64", "u32"], result: "usize" },
  // BOOL IsWindowVisible(HWND hWnd)
  IsWindowVisible: { parameters: ["usize"], result: "i32" },
  // BOOL IsWindowEnabled(HWND hWnd)
  IsWindowEnabled: { parameters: ["usize"], result: "i32" },
  // BOOL IsChild(HWND hWndParent, HWND hWnd)
  IsChild: { parameters: ["usize", "usize"], result: "i32" },
  // BOOL GetGUIThreadInfo(DWORD idThread, PGUITHREADINFO pgui)
  GetGUIThreadInfo: { parameters: ["u32", "buffer"], result: "i32" },
  // BOOL AttachThreadInput(DWORD idAttach, DWORD idAttachTo, BOOL fAttach)
  AttachThreadInput: { parameters: ["u32", "u32", "i32"], result: "i32" },
  // BOOL SetForegroundWindow(HWND hWnd)
  SetForegroundWindow: { parameters: ["usize"], result: "i32" },
  // HWND SetFocus(HWND hWnd)
  SetFocus: { parameters: ["usize"], result: "usize" },
} as const satisfies Deno.ForeignLibraryInterface;

const KERNEL32 = {
  // DWORD GetCurrentThreadId(void)
  GetCurrentThreadId: { parameters: [], result: "u32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type ControlCalls =
  & Deno.DynamicLibrary<typeof USER32>["symbols"]
  & Deno.DynamicLibrary<typeof KERNEL32>["symbols"];

/** @throws an error on systems other than Windows. */
export function openControlCalls(): ControlCalls {
  return {
    ...Deno.dlopen("user32.dll", USER32).symbols,
    ...Deno.dlopen("kernel32.dll", KERNEL32).symbols,
  };
}
