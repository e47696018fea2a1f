/** shcore.dll: awareness of the pixels of each monitor before Windows 10 1703 (shellscalingapi.h). */

export const PROCESS_PER_MONITOR_DPI_AWARE = 2;

const SYMBOLS = {
  // HRESULT SetProcessDpiAwareness(PROCESS_DPI_AWARENESS value)
  SetProcessDpiAwareness: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type ShcoreLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** @throws an error where this is not Windows 8.1 or later. */
export function openShcore(): ShcoreLibrary {
  return Deno.dlopen("shcore.dll", SYMBOLS);
}
