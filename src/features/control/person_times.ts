/** How long a person has control, in milliseconds: known to the page, too. */

/** At most. */
export const MAX_MS = 60 * 60_000;
/** Without doing anything. */
export const IDLE_MS = 10 * 60_000;
/** After the last page is gone. */
export const LEFT_MS = 30_000;
/** The person is warned so long before it ends. */
export const WARNING_MS = 30_000;
