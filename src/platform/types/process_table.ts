/** The port that tells which processes, of whatever user, run. */

export interface ProcessTable {
  /**
   * Follows the process that has this id now; `undefined` when none has it, or it has ended.
   * @throws ServiceError `permission_denied`: the system does not let this user follow it.
   */
  follow(pid: number): FollowedProcess | undefined;
  /**
   * The lowest id of a process of this name that runs; `undefined` when none does.
   * @param name the file name of its program; on Windows in any case, with or without `.exe`
   */
  find(name: string): Promise<number | undefined>;
}

export interface FollowedProcess extends Disposable {
  /** `false` once it has ended, even if another process has its id by then. */
  isAlive(): boolean;
}
