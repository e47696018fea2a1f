/** What was asked for cannot be done: one line for the terminal, exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
