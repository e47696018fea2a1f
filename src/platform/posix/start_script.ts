/** What `sh` does before it becomes the shell of a command. */

/** Joins errors to the output and becomes the program that follows, so that the number stays. */
const MERGED = 'exec "$@" 2>&1';

/**
 * Leaves the input alone until the service has opened it, and redirects nothing else over it: what the
 * service would open then is another file. The service tells the watcher before it writes the line, and
 * one that ended before never writes it, so that the command need not look for itself.
 */
const WAIT_FOR_INPUT = "read -r go || exit\n";

export interface StartOptions {
  /** Where the watcher of the groups is told of a new one. */
  readonly door: string | undefined;
  /** Whether the service has something to write. */
  readonly input: boolean;
}

/** The arguments of `sh`, to be followed by the program and its arguments. */
export function startScript({ door, input }: StartOptions): readonly string[] {
  if (input) return ["-c", WAIT_FOR_INPUT + MERGED, "sh"];
  if (door === undefined) return ["-c", MERGED, "sh"];
  return ["-c", registerWith(Deno.pid) + MERGED, door];
}

/**
 * Tells the watcher first, through the door that is the script's name, so that no moment is left in
 * which the service could be killed and the command not; starts nothing when the service is dead.
 * Where `/proc` is mounted with `hidepid`, a private service cannot be seen there until it is dead
 * and not yet collected, but its user may still ask whether it answers.
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

/** A command that would look like an option gets a space before it; `--` is no end of options to every shell. */
export function toOperand(command: string): string {
  return /^[-+]/.test(command) ? ` ${command}` : command;
}
