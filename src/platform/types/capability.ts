/** The type of a port: a capability of the system, or the reason why it is missing. */

/** A capability, or the reason why this system lacks it. */
export type Capability<T> =
  | Available<T>
  | { readonly ready: false; readonly reason: string };

/** A port that every display of a driver has. */
export interface Available<T> {
  readonly ready: true;
  readonly use: T;
}

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}
