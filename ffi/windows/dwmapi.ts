/** dwmapi.dll: what the compositor of Windows shows of a window (dwmapi.h). */

/** RECT: the window as it is seen, without its shadow. */
export const DWMWA_EXTENDED_FRAME_BOUNDS = 9;
/** DWORD: not 0 for a window that is on another desktop, or of a suspended program. */
export const DWMWA_CLOAKED = 14;

const SYMBOLS = {
  // HRESULT DwmGetWindowAttribute(HWND hwnd, DWORD dwAttribute, PVOID pvAttribute, DWORD cbAttribute)
  DwmGetWindowAttribute: { parameters: ["usize", "u32", "buffer", "u32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type Dwmapi = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openDwmapi(): Dwmapi {
  return Deno.dlopen("dwmapi.dll", SYMBOLS).symbols;
}
