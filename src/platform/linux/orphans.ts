/**
 * Reaps orphans, as the first process of a container must: ended processes whose parents ended
 * before them. The runtime reaps the children of the service immediately, because it needs their
 * exit codes. A zombie that is still there after several looks is therefore an orphan.
 */

import { openPrctl, PR_SET_CHILD_SUBREAPER } from "../../../ffi/linux/prctl.ts";
import { openWaitLibrary, WNOHANG } from "../../../ffi/linux/wait.ts";

const LOOK_MS = 1_000;
/** A child that was seen as a zombie in this many looks is an orphan. */
const LOOKS = 3;

/** @throws Error when the system lacks these calls. */
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

/** Makes orphans children of the service when it is not process 1 itself. */
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

/** The kernel lists a child under the thread that started it, and an orphan under any thread. */
function endedChildren(): number[] {
  try {
    return [...Deno.readDirSync("/proc/self/task")]
      .flatMap(({ name }) => readText(`/proc/self/task/${name}/children`).split(" "))
      .filter((pid) => /^\d+$/.test(pid) && / Z /.test(afterName(readText(`/proc/${pid}/stat`))))
      .map(Number);
  } catch {
    return []; // the next look tries again
  }
}

/** The process name can contain anything, including spaces and parentheses. */
function afterName(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 1, stat.lastIndexOf(")") + 4);
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // it ended during the look
  }
}
