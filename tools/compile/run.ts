/** Runs the programs that building needs. */

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end, whatever its exit code is. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: RunOptions = {},
): Promise<RunResult> {
  const command = new Deno.Command(program, {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * Runs a program that must succeed, and gives what it writes.
 * @throws Error with the end of what it said.
 */
export async function runWell(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  const said = (stderr || stdout).trim().split("\n").slice(-5).join("\n");
  throw new Error(`Cannot run "${program} ${args.join(" ")}": it ended with ${code}:\n${said}`);
}
