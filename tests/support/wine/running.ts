/** The processes of a Windows that wine gives, as this system sees them. */

/** Numbers of those that run this program (`cmd`) in the prefix. */
export function runningIn(prefix: string, program: string): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) =>
    /^\d+$/.test(name) && programOf(name) === program &&
    textOf(`/proc/${name}/environ`).includes(`WINEPREFIX=${prefix}\0`)
  ).map(Number);
}

/** `cmd` for a process that was started as `cmd` or as `C:\\windows\\system32\\cmd.exe`. */
function programOf(pid: string): string {
  return textOf(`/proc/${pid}/comm`).trim().toLowerCase().replace(/\.exe$/, "");
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // it ended while we looked
  }
}
