/**
 * The input of a process as a pipe that is written without waiting, on systems that let us open it
 * a second time.
 */

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
