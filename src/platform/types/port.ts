/** The type of a port: a capability of the system, or the reason why it is missing. */

/** A capability, or the reason why this system lacks it. */
export type Port<T> =
  | { readonly ready: true; readonly use: T }
  | { readonly ready: false; readonly reason: string };

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}
