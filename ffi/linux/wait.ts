/** Reaps ended child processes, from the C library of Linux: declarations only (sys/wait.h). */

const SYMBOLS = {
  // pid_t waitpid(pid_t pid, int *wstatus, int options);
  waitpid: { parameters: ["i32", "pointer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

export type WaitLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

/** Returns immediately when the process has not ended. */
export const WNOHANG = 1;

/** @throws Error when there is no such library. */
export function openWaitLibrary(file = "libc.so.6"): WaitLibrary {
  return Deno.dlopen(file, SYMBOLS);
}
