/** The input of a process as a pipe that is written without waiting, where the system lets it be opened a second time. */

export interface Pipe {
  /**
   * Writes what there is room for; gives how many bytes that were.
   * @throws Error when nobody reads it.
   */
  write(bytes: Uint8Array<ArrayBuffer>): number;
  close(): void;
}

/** `undefined` for a process whose input cannot be had. */
export type OpenPipe = (pid: number) => Pipe | undefined;
