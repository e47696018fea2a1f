/** gdi32.dll: reading pixels and pictures of the screen (wingdi.h), declarations only. */

/** The result of GetPixel when no pixel can be read. */
export const CLR_INVALID = 0xffff_ffff;
export const DIB_RGB_COLORS = 0;
export const BI_RGB = 0;
export const BI_BITFIELDS = 3;
export const SRCCOPY = 0x00cc_0020;
/** Includes layered windows in the copy. */
export const CAPTUREBLT = 0x4000_0000;

/** Byte offsets of BITMAPINFOHEADER, which is a BITMAPINFO without colours. */
export const BITMAPINFOHEADER = {
  biSize: 0, // DWORD
  biWidth: 4, // LONG
  biHeight: 8, // LONG; negative: the top row comes first
  biPlanes: 12, // WORD
  biBitCount: 14, // WORD
  biCompression: 16, // DWORD
  biSizeImage: 20, // DWORD
  biClrUsed: 32, // DWORD
  size: 40,
} as const;

/** Byte offsets of BITMAP on a 64-bit system. */
export const BITMAP = {
  bmWidth: 4, // LONG
  bmHeight: 8, // LONG
  size: 32,
} as const;

const GDI32_SYMBOLS = {
  // COLORREF GetPixel(HDC hdc, int x, int y)
  GetPixel: { parameters: ["pointer", "i32", "i32"], result: "u32" },
  // HDC CreateCompatibleDC(HDC hdc)
  CreateCompatibleDC: { parameters: ["pointer"], result: "pointer" },
  // BOOL DeleteDC(HDC hdc)
  DeleteDC: { parameters: ["pointer"], result: "i32" },
  // HBITMAP CreateDIBSection(HDC hdc, const BITMAPINFO *pbmi, UINT usage, VOID **ppvBits,
  //   HANDLE hSection, DWORD offset)
  CreateDIBSection: {
    parameters: ["pointer", "buffer", "u32", "buffer", "pointer", "u32"],
    result: "pointer",
  },
  // HGDIOBJ SelectObject(HDC hdc, HGDIOBJ h)
  SelectObject: { parameters: ["pointer", "pointer"], result: "pointer" },
  // BOOL DeleteObject(HGDIOBJ ho)
  DeleteObject: { parameters: ["pointer"], result: "i32" },
  // int GetObjectW(HANDLE h, int c, LPVOID pv)
  GetObjectW: { parameters: ["pointer", "i32", "buffer"], result: "i32" },
  // BOOL BitBlt(HDC hdc, int x, int y, int cx, int cy, HDC hdcSrc, int x1, int y1, DWORD rop)
  BitBlt: {
    parameters: ["pointer", "i32", "i32", "i32", "i32", "pointer", "i32", "i32", "u32"],
    result: "i32",
  },
  // BOOL GdiFlush(void)
  GdiFlush: { parameters: [], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type Gdi32 = Deno.DynamicLibrary<typeof GDI32_SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openGdi32(): Deno.DynamicLibrary<typeof GDI32_SYMBOLS> {
  return Deno.dlopen("gdi32.dll", GDI32_SYMBOLS);
}

// dwmapi.dll: what is visible of a window, from the compositor of Windows (dwmapi.h).

/** RECT: the window as it is seen, without its shadow. */
export const DWMWA_EXTENDED_FRAME_BOUNDS = 9;
/** DWORD: not 0 for a window that is on another desktop, or of a suspended program. */
export const DWMWA_CLOAKED = 14;

const DWMAPI_SYMBOLS = {
  // HRESULT DwmGetWindowAttribute(HWND hwnd, DWORD dwAttribute, PVOID pvAttribute, DWORD cbAttribute)
  DwmGetWindowAttribute: { parameters: ["usize", "u32", "buffer", "u32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type Dwmapi = Deno.DynamicLibrary<typeof DWMAPI_SYMBOLS>["symbols"];

/** @throws an error on systems other than Windows. */
export function openDwmapi(): Dwmapi {
  return Deno.dlopen("dwmapi.dll", DWMAPI_SYMBOLS).symbols;
}
