/** Spares the x11 package a search that grows with the square of the requests that wait. */

/** Parts of the package's client that its documentation leaves out. */
export interface Sweeping {
  /** The number of the last request without an answer that has a callback. */
  readonly _last_void_seq: number;
  /** Calls back for such requests up to a number, which the server has passed without an error. */
  _sweepVoid(until: number): void;
}

/**
 * At every answer the package goes through all requests that wait for one, in search of those that
 * never get one. Here it searches only while there is such a request.
 */
export function sweepOnlyForVoidRequests(client: Sweeping): void {
  const sweep = client._sweepVoid;
  let swept = 0;
  client._sweepVoid = (until) => {
    if (client._last_void_seq <= swept) return;
    sweep.call(client, until);
    swept = until;
  };
}
