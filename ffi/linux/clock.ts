/** The clock of input events, from the C library of Linux: declarations only (time.h). */

const SYMBOLS = {
  // int clock_gettime(clockid_t clockid, struct timespec *tp);
  clock_gettime: { parameters: ["i32", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type ClockLibrary = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** `CLOCK_MONOTONIC`: milliseconds of it are the time stamps of input events. */
export const CLOCK_MONOTONIC = 1;
/** `struct timespec { time_t tv_sec; long tv_nsec; }`, on 64-bit systems */
export const TIMESPEC = { bytes: 16, seconds: 0, nanoseconds: 8 } as const;

/** @throws when there is no such library. */
export function openClockLibrary(file = "libc.so.6"): ClockLibrary {
  return Deno.dlopen(file, SYMBOLS).symbols;
}
