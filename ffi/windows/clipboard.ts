/** user32.dll and kernel32.dll: the clipboard, and the memory that its contents are in (winuser.h, winbase.h). */

/** Standard clipboard formats. */
export const CF_DIB = 8;
export const CF_UNICODETEXT = 13;
export const CF_HDROP = 15;
export const GMEM_MOVEABLE = 0x2;

/** Byte offsets of DROPFILES (shlobj_core.h). */
export const DROPFILES = {
  pFiles: 0, // DWORD: the offset of the list
  fWide: 16, // BOOL: whether the names are UTF-16
  size: 20,
} as const;

const USER32 = {
  // BOOL OpenClipboard(HWND hWndNewOwner)
  OpenClipboard: { parameters: ["pointer"], result: "i32" },
  // BOOL CloseClipboard(void)
  CloseClipboard: { parameters: [], result: "i32" },
  // BOOL EmptyClipboard(void)
  EmptyClipboard: { parameters: [], result: "i32" },
  // HANDLE SetClipboardData(UINT uFormat, HANDLE hMem)
  SetClipboardData: { parameters: ["u32", "pointer"], result: "pointer" },
  // HANDLE GetClipboardData(UINT uFormat)
  GetClipboardData: { parameters: ["u32"], result: "pointer" },
  // UINT EnumClipboardFormats(UINT format)
  EnumClipboardFormats: { parameters: ["u32"], result: "u32" },
  // UINT RegisterClipboardFormatW(LPCWSTR lpszFormat)
  RegisterClipboardFormatW: { parameters: ["buffer"], result: "u32" },
  // int GetClipboardFormatNameW(UINT format, LPWSTR lpszFormatName, int cchMaxCount)
  GetClipboardFormatNameW: { parameters: ["u32", "buffer", "i32"], result: "i32" },
  // DWORD GetClipboardSequenceNumber(void)
  GetClipboardSequenceNumber: { parameters: [], result: "u32" },
} as const satisfies Deno.ForeignLibraryInterface;

const KERNEL32 = {
  // HGLOBAL GlobalAlloc(UINT uFlags, SIZE_T dwBytes)
  GlobalAlloc: { parameters: ["u32", "usize"], result: "pointer" },
  // HGLOBAL GlobalFree(HGLOBAL hMem)
  GlobalFree: { parameters: ["pointer"], result: "pointer" },
  // LPVOID GlobalLock(HGLOBAL hMem)
  GlobalLock: { parameters: ["pointer"], result: "pointer" },
  // BOOL GlobalUnlock(HGLOBAL hMem)
  GlobalUnlock: { parameters: ["pointer"], result: "i32" },
  // SIZE_T GlobalSize(HGLOBAL hMem)
  GlobalSize: { parameters: ["pointer"], result: "usize" },
  // void RtlMoveMemory(VOID *Destination, const VOID *Source, SIZE_T Length)
  RtlMoveMemory: { parameters: ["pointer", "buffer", "usize"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

export interface ClipboardCalls {
  readonly user32: Deno.DynamicLibrary<typeof USER32>["symbols"];
  readonly kernel32: Deno.DynamicLibrary<typeof KERNEL32>["symbols"];
}

/** @throws an error on systems other than Windows. */
export function openClipboardCalls(): ClipboardCalls {
  return {
    user32: Deno.dlopen("user32.dll", USER32).symbols,
    kernel32: Deno.dlopen("kernel32.dll", KERNEL32).symbols,
  };
}
