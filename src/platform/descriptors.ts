/** How many files, pipes and connections this process may have open. */

/** What macOS gives a program that asks for no more. */
const MACOS_DEFAULT = 256;

/** The soft limit of descriptors; `Infinity` where there is none (Windows), or nobody tells. */
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
