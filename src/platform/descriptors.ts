/** How many files, pipes and connections this process may have open. */

/** The default soft limit on macOS. */
const MACOS_DEFAULT = 256;

/** The soft limit of descriptors; `Infinity` where there is none (Windows) or it cannot be read. */
export function descriptorLimit(os: string): number {
  if (os === "darwin") return MACOS_DEFAULT;
  if (os !== "linux") return Infinity;
  try {
    const limits = Deno.readTextFileSync("/proc/self/limits");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
