/** A command that cannot be carried out: one line for the terminal, exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
