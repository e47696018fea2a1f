/** What a system can do, or why it cannot. */

/** Something a system can do, or the reason why it cannot do it here. */
export type Port<T> =
  | { readonly ready: true; readonly use: T }
  | { readonly ready: false; readonly reason: string };

export interface Readiness {
  readonly ready: boolean;
  readonly reason: string;
}
