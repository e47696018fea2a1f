/** The script that `sh` runs before it becomes the shell of a command. */

/**
 * Merges errors into the output and executes the program in place, so that the pid stays the same.
 */
const MERGED = 'exec "$@" 2>&1';

/**
 * Waits for one line before it uses its input, so that the service can open the pipe first. The
 * input is not redirected: the service would then open another file. The service notifies the
 * watcher before it writes the line; if the service ends earlier, the line never comes, so the
 * script needs no check of its own.
 */
const WAIT_FOR_INPUT = "read -r go || exit\n";

export interface StartOptions {
  /** The path at which the group watcher accepts new groups. */
  readonly door: string | undefined;
  /** Whether the command gets input from the service. */
  readonly input: boolean;
}

/** The arguments of `sh`, before the program and its arguments. */
export function startScript({ door, input }: StartOptions): readonly string[] {
  if (input) return ["-c", WAIT_FOR_INPUT + MERGED, "sh"];
  if (door === undefined) return ["-c", MERGED, "sh"];
  return ["-c", registerWith(Deno.pid) + MERGED, door];
}

/**
 * Registers with the watcher first, through the `door`, which is the script's `$0`. That leaves no
 * moment in which the service can be killed and the command survive. Starts nothing when the
 * service is dead. Where `/proc` is mounted with `hidepid`, a private service appears there only as
 * a zombie; `kill -s 0` still shows the same user whether it exists.
 */
function registerWith(service: number): string {
  return `echo "add $$" 1<>"$0"
if read -r stat </proc/${service}/stat; then
  case $stat in *") "[ZX]" "*) exit ;; esac
else
  kill -s 0 ${service} || exit
fi
`;
}

/**
 * Puts a space before a command that looks like an option; not every shell treats `--` as the end
 * of options.
 */
export function toOperand(command: string): string {
  return /^[-+]/.test(command) ? ` ${command}` : command;
}
