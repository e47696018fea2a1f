/** The port that tells whether a process, of whatever user, still runs. */

export interface ProcessTable {
  /**
   * Follows the process that has this id now; `undefined` when none has it, or it has ended.
   * @throws ServiceError `permission_denied`: the system does not let this user follow it.
   */
  follow(pid: number): FollowedProcess | undefined;
}

export interface FollowedProcess extends Disposable {
  /** `false` once it has ended, even if another process has its id by then. */
  isAlive(): boolean;
}
