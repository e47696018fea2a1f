/** A small process that ends all groups of the service when the service itself is killed. */

/**
 * Its standard input is a pipe whose other end only the service holds: the system closes it when the
 * service ends, even by SIGKILL. Until then it is told of each group. Then it ends those that are
 * left, and where there is a `/proc` also the other groups of their sessions.
 */
const SCRIPT = `
groups=" "
while read -r change pid; do
  case $change in
    add) groups="$groups$pid " ;;
    remove) case $groups in *" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;; esac ;;
  esac
done

# Sends $1 to every group that has a living process; fails when there is none.
signal_all() {
  signal=$1 found=1
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      { read -r line <"$stat"; } 2>/dev/null || continue
      set -- \${line##*) }
      case $groups in *" $4 "*) ;; *) continue ;; esac
      [ "$1" = Z ] && continue
      kill -s "$signal" -- "-$3" 2>/dev/null
      found=0
    done
  else
    for group in $groups; do
      kill -s "$signal" -- "-$group" 2>/dev/null && found=0
    done
  fi
  return $found
}

[ "$groups" = " " ] && exit
signal_all TERM
signal_all CONT
for second in 1 2 3; do
  signal_all 0 || exit
  sleep 1
done
signal_all KILL
`;

interface Watcher {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
}

const encoder = new TextEncoder();

export class GroupWatcher implements AsyncDisposable {
  readonly #groups = new Set<number>();
  #watcher: Watcher | undefined;

  constructor(private readonly path: string) {}

  add(pid: number): void {
    this.#groups.add(pid);
    if (this.#watcher === undefined) this.#start();
    else this.#tell(this.#watcher, `add ${pid}\n`);
  }

  remove(pid: number): void {
    this.#groups.delete(pid);
    if (this.#watcher !== undefined) this.#tell(this.#watcher, `remove ${pid}\n`);
  }

  /** Ends the watcher, which ends the groups that are left. */
  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    await watcher?.input.close().catch(() => {});
    await watcher?.child.status;
  }

  #start(): void {
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", SCRIPT, "computer-control-watcher"],
      cwd: "/",
      clearEnv: true,
      env: { PATH: this.path },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true, // Ctrl+C on the terminal is for the service alone
    }).spawn();
    const watcher = { child, input: child.stdin.getWriter() };
    this.#watcher = watcher;
    // one that was killed by somebody is started again with the next group
    child.status.then(() => {
      if (this.#watcher === watcher) this.#watcher = undefined;
    });
    for (const pid of this.#groups) this.#tell(watcher, `add ${pid}\n`);
  }

  #tell({ input }: Watcher, line: string): void {
    input.write(encoder.encode(line)).catch(() => {}); // its end is noticed by its status
  }
}
