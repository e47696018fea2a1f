/** user32.dll: finding windows and asking them to close (winuser.h). */

export const WM_CLOSE = 0x10;
export const GW_OWNER = 4;

/** `BOOL CALLBACK EnumWindowsProc(HWND hwnd, LPARAM lParam)`; returning 0 stops the enumeration. */
export const EnumWindowsProc = {
  parameters: ["usize", "isize"],
  result: "i32",
} as const satisfies Deno.UnsafeCallbackDefinition;

const SYMBOLS = {
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
