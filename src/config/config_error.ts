/** The error of a flag or a variable that cannot be accepted: one line for the terminal, exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
