/**
 * What the first process of a container has to do: collect ended processes whose parents have ended
 * before them. Those that the service has started itself are collected by the runtime, which needs
 * their exit codes; it does so at once, so what is still there after several looks is an orphan.
 */

import { openPrctl, PR_SET_CHILD_SUBREAPER } from "../../../ffi/linux/prctl.ts";
import { openWaitLibrary, WNOHANG } from "../../../ffi/linux/wait.ts";

const LOOK_MS = 1_000;
/** A child that has been seen ended this often is nobody's. */
const LOOKS = 3;

/** @throws Error when the system has no such calls. */
export function collectOrphans(): Disposable {
  adoptOrphans();
  const library = openWaitLibrary();
  let seen = new Map<number, number>();
  const timer = setInterval(() => {
    const now = new Map<number, number>();
    for (const pid of endedChildren()) {
      const looks = (seen.get(pid) ?? 0) + 1;
      if (looks >= LOOKS) library.symbols.waitpid(pid, null, WNOHANG);
      else now.set(pid, looks);
    }
    seen = now;
  }, LOOK_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      library.close();
    },
  };
}

/** Where the first process is not the service itself. */
function adoptOrphans(): void {
  if (Deno.pid === 1) return;
  const library = openPrctl();
  try {
    if (library.symbols.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n) === 0) return;
    throw new Error("the system refuses it");
  } finally {
    library.close();
  }
}

/** A child belongs to the thread that has started it; orphans to any. */
function endedChildren(): number[] {
  try {
    return [...Deno.readDirSync("/proc/self/task")]
      .flatMap(({ name }) => readText(`/proc/self/task/${name}/children`).split(" "))
      .filter((pid) => /^\d+$/.test(pid) && / Z /.test(afterName(readText(`/proc/${pid}/stat`))))
      .map(Number);
  } catch {
    return []; // the next look may do better
  }
}

/** The name may hold anything, spaces and parentheses too. */
function afterName(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 1, stat.lastIndexOf(")") + 4);
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // it ended while we looked
  }
}
