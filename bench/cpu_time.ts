/** How much processor time a process has used. */

/** Of all its threads, user and system, in milliseconds; the system counts in hundredths of a second (proc(5)). */
export function cpuMs(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // the name in parentheses may hold spaces; then state is field 3, utime 14 and stime 15
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
