/** The input pipe of a process, opened a second time for non-blocking writes where possible. */

export interface Pipe {
  /**
   * Writes as many bytes as fit and returns their number.
   * @throws Error when no process reads the pipe.
   */
  write(bytes: Uint8Array<ArrayBuffer>): number;
  close(): void;
}

/** `undefined` when the input of the process cannot be opened. */
export type OpenPipe = (pid: number) => Pipe | undefined;
