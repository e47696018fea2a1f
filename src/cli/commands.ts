/** The commands of the program: the words that can precede the flags. */

export const COMMANDS = {
  "serve": "start the service (this is what happens without a command)",
  "mcp": "speak the Model Context Protocol on stdin and stdout",
  "install-service": "start the service at every login, with these flags",
  "uninstall-service": "no longer start it at login",
  "stop": "stop the running service (choose by --port, --name, --all)",
  "status": "say which services run (0: at least one, 3: none)",
  "grant": "let the service control Wayland: grant kde, grant portal",
  "call": "call an operation of a running service: see call --help",
  "doctor": "check what a start with these flags would use",
  "completion": "print a shell's completion script: see completion --help",
  "help": "print this help",
} as const;

export type CommandName = keyof typeof COMMANDS;
