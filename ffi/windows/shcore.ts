/** shcore.dll: per-monitor DPI awareness before Windows 10 1703 (shellscalingapi.h). */

export const PROCESS_PER_MONITOR_DPI_AWARE = 2;

const SYMBOLS = {
  // HRESULT SetProcessDpiAwareness(PROCESS_DPI_AWARENESS value)
  SetProcessDpiAwareness: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type ShcoreLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** @throws an error on other systems than Windows 8.1 and later. */
export function openShcore(): ShcoreLibrary {
  return Deno.dlopen("shcore.dll", SYMBOLS);
}
