/** The ports for running commands. */

/** Starts commands in a shell, each in a process group of its own. */
export interface Processes extends AsyncDisposable {
  /** The folder in which commands start, also written `~`. */
  readonly home: string;
  /** The program, with its first arguments, that opens a file or a URL as a double click does. */
  readonly opener: readonly string[];
  /**
   * Starts a command.
   * @throws ServiceError `not_found`, `not_a_directory` or `permission_denied` for the folder;
   *   `too_large` when command and environment together exceed the system's limit; `unavailable`
   *   when the system starts no more processes.
   */
  start(line: CommandLine): Command;
}

export interface CommandLine {
  readonly command: string;
  /** A program and its arguments, which run as they are, without a shell: `command` then only describes them. */
  readonly program?: readonly string[];
  /** An absolute path; the home folder when absent. */
  readonly cwd?: string;
  /**
   * Added to the environment of the service, which the command inherits without the service's
   * secrets.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command gets an input stream; otherwise its input is empty. */
  readonly input: boolean;
}

/** A started command: its shell, and the process group of everything that the shell started. */
export interface Command {
  /** The id of the shell and of its process group. */
  readonly pid: number;
  /** Resolves with the exit code of the shell; 128 + n when signal n ended it. */
  readonly ended: Promise<number>;
  readonly input: CommandInput | undefined;
  /**
   * The next bytes of standard output and standard error, in the order in which they were written;
   * `undefined` at the end. The bytes are valid until the next call.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Whether the shell or any process of its group is alive. */
  isAlive(): Promise<boolean>;
  /** Whether a process that runs now is one of its group. */
  holds(pid: number): Promise<boolean>;
  /** Resolves when no process of the group is alive. */
  gone(): Promise<void>;
  /**
   * Signals every process of the group, and no other.
   * @throws ServiceError `permission_denied`: the group belongs to another user.
   */
  signal(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /**
   * Closes the input and output of the command. A program that left the group gets a broken pipe.
   */
  close(): Promise<void>;
}

export interface CommandInput {
  /** Resolves when the command has accepted the bytes; rejects when it no longer reads. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}
