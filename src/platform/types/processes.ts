/** The ports for running commands. */

/** Starts commands in a shell, each in a process group of its own. */
export interface Processes extends AsyncDisposable {
  /** The folder that commands start in; `~` stands for it. */
  readonly home: string;
  /**
   * Starts a command.
   * @throws ServiceError `not_found`, `not_a_directory` or `permission_denied` for the folder,
   * `too_large` for command and environment together, `unavailable` when the system starts no more.
   */
  start(line: CommandLine): Command;
}

export interface CommandLine {
  readonly command: string;
  /** An absolute folder; the home when it is absent. */
  readonly cwd?: string;
  /** Added to the environment of the service, which is passed on without its secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command gets an input; else there is nothing to read for it. */
  readonly input: boolean;
}

/** A command that was started: its shell, and the group of everything that the shell started. */
export interface Command {
  /** Of the shell, and of the group. */
  readonly pid: number;
  /** Resolves with the exit code of the shell; 128 + n when signal n ended it. */
  readonly ended: Promise<number>;
  readonly input: CommandInput | undefined;
  /**
   * The next bytes of output and errors, in the order in which they were written; `undefined` at the
   * end. They are valid until the next call.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Whether the shell or anything of its group lives. */
  isAlive(): Promise<boolean>;
  /** Resolves when nothing of the group lives. */
  gone(): Promise<void>;
  /**
   * Signals everything of the group, and nothing else.
   * @throws ServiceError `permission_denied`: it belongs to another user.
   */
  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Lets go of it: closes its input and output. A program that left the group gets a broken pipe. */
  close(): Promise<void>;
}

export interface CommandInput {
  /** Resolves when the command has taken the bytes; rejects when it reads no more. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}
